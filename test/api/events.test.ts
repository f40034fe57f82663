/** The feed of events: what happened is read in order by cursors, and waited for; a limited key reads of its accounts alone. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { AuthenticationError, type EventFeedEvent, type Marquee, PermissionError } from '../../src/client/client.ts'
import { issueKey, keyScopes, revokeKey } from '../../src/model/partners/keys/keys.ts'
import { onEachEngine } from '../support/engines.ts'
import { eventually } from '../support/eventually.ts'
import { codes } from '../support/refusals.ts'
import { serviceOn, type TestPartner } from '../support/service.ts'

onEachEngine('events', (place) => {
  const house = serviceOn(place)
  let acme: TestPartner
  let reader: Marquee
  let credentials: string

  const readerFor = async (partner: TestPartner, account_ids: string | null = null) => {
    const issued = await issueKey(house.operator, partner.id, { scopes: keyScopes, account_ids })
    return { ...issued, client: house.client(issued), credentials: `${issued.key}:${issued.password}` }
  }
  const end = async (client = reader) => {
    let cursor: string | undefined
    for (let more = true; more; ) ({ cursor, more } = await client.listEvents(cursor === undefined ? {} : { after: cursor }))
    return cursor as string
  }
  /** All events since, once there are as many as wanted. */
  const since = async (after: string, wanted: number, client = reader) => {
    let events: readonly EventFeedEvent[] = []
    await eventually(async () => {
      events = (await client.listEvents({ after })).events
      return events.length >= wanted
    })
    return events
  }
  const told = (events: readonly EventFeedEvent[]) => events.map(({ type, record_id, changed }) => [type, record_id, changed])

  before(async () => {
    acme = await house.partner('Acme')
    ;({ client: reader, credentials } = await readerFor(acme))
    await eventually(async () => (await reader.listEvents()).events.some(({ type }) => type === 'key.issued'))
  })

  test('tell what was done, in its order, with the names of what changed and no values', async () => {
    const after = await end()
    const account = await acme.client.createAccount({ name: 'Baker' })
    const business = await acme.client.createBusiness({ name: 'Bakery', account_id: account.id })
    await acme.client.renameBusiness(business.id, { name: 'Secret bakery' })
    await acme.client.renameBusiness(business.id, { name: 'Secret bakery' })
    await acme.client.deactivateBusiness(business.id)
    await acme.client.reactivateBusiness(business.id)
    const site = await acme.client.createSite({ business_id: business.id, domain: 'baker.example' })
    await acme.client.setSiteExternalId(site.id, { external_id: 'own-id-of-it' })
    await acme.client.addKeywords(site.id, [{ phrase: 'rye bread' }])
    const user = await acme.client.createUser({
      account_id: account.id,
      login: 'dana-of-baker',
      email: 'dana@baker.example',
      password: 'a long password',
    })
    await acme.client.changeUser(user.id, { login: 'dana-of-bakery' })
    await acme.client.updateUserAbilities(user.id, [{ key: 'show', scope_type: 'Site', scope_id: site.id }])
    await acme.client.suspendUser(user.id)
    await acme.client.deleteUser(user.id)
    const events = await since(after, 13)
    assert.deepEqual(told(events), [
      ['account.created', account.id, null],
      ['business.created', business.id, null],
      ['business.updated', business.id, 'name'],
      ['business.deactivated', business.id, 'aasm_state'],
      ['business.reactivated', business.id, 'aasm_state'],
      ['site.created', site.id, null],
      ['site.updated', site.id, 'external_id'],
      ['site.updated', site.id, 'keywords'],
      ['user.created', user.id, null],
      ['user.updated', user.id, 'login'],
      ['user.abilities_changed', user.id, null],
      ['user.state_changed', user.id, 'state'],
      ['user.deleted', user.id, 'state'],
    ])
    assert.ok(events.every(({ account_id }) => account_id === account.id))
    const { text } = await acme.get(`/api/events.xml?after=${after}`, { credentials })
    assert.match(text, /^<\?xml[^>]*>\n<feed>\n {2}<cursor>after-\d+-[\w-]{8}<\/cursor>\n {2}<more type="boolean">false<\/more>/)
    for (const value of ['Secret', 'baker.example', 'rye', 'Dana', 'dana-of', 'own-id']) assert.ok(!text.includes(value), value)
  })

  test('are not told of what was only tried, or refused', async () => {
    const after = await end()
    await acme.client.createBusiness({ name: 'Tried' }, { dryRun: true })
    assert.equal((await acme.post('/api/businesses.json', {})).status, 422)
    const made = await acme.client.createBusiness({ name: 'Made' })
    assert.deepEqual(told(await since(after, 1)), [['business.created', made.id, null]])
  })

  test('of some types, or of one account, and the cursor goes on behind all others', async () => {
    const after = await end()
    const { id: account_id } = await acme.client.createAccount({ name: 'Chandler' })
    await acme.client.createBusiness({ name: 'Candles', account_id })
    await acme.client.createBusiness({ name: 'Own' })
    await since(after, 3)
    const ofType = await reader.listEvents({ after, types: 'user.*,business.created' })
    assert.deepEqual(
      ofType.events.map(({ type }) => type),
      ['business.created', 'business.created'],
    )
    assert.deepEqual(
      (await reader.listEvents({ after, account_id })).events.map(({ type }) => type),
      ['account.created', 'business.created'],
    )
    const none = await reader.listEvents({ after, types: 'key.revoked' })
    assert.deepEqual([none.events, none.more, none.cursor], [[], false, ofType.cursor])
    assert.deepEqual((await reader.listEvents({ after: ofType.cursor })).events, [])
    const refused = await acme.get('/api/events.json?types=user.eaten', { credentials })
    assert.deepEqual(codes(refused, 400), ['bad_request'])
  })

  test('a partner reads its own alone, and a key that is limited to an account nothing of another, nor of the partner', async () => {
    const after = await end()
    const globex = await house.partner('Globex')
    const { client: stranger } = await readerFor(globex)
    const mine = await acme.client.createAccount({ name: 'Mine' })
    const other = await acme.client.createAccount({ name: 'Other' })
    const { client: limited } = await readerFor(acme, String(mine.id))
    const made = await acme.client.createBusiness({ name: 'Made', account_id: mine.id })
    await acme.client.createBusiness({ name: 'Elsewhere', account_id: other.id })
    await since(after, 5)
    assert.deepEqual(told((await limited.listEvents({ after })).events), [
      ['account.created', mine.id, null],
      ['business.created', made.id, null],
    ])
    assert.deepEqual((await limited.listEvents({ after, account_id: other.id })).events, [])
    await eventually(async () => (await stranger.listEvents()).events.some(({ type }) => type === 'key.issued'))
    assert.ok((await stranger.listEvents()).events.every(({ account_id }) => account_id === globex.accountId || account_id === null))
    await assert.rejects(acme.client.listEvents(), PermissionError)
  })

  test('somebody who waits is answered as soon as something happens', async () => {
    const after = await end()
    const waiting = reader.listEvents({ after, wait: 20, types: 'business.*' })
    const [{ id }] = await Promise.all([
      acme.client.createBusiness({ name: 'Awaited' }),
      acme.client.createAccount({ name: 'Not awaited' }),
    ])
    assert.deepEqual(told((await waiting).events), [['business.created', id, null]])
    const none = await reader.listEvents({ after: await end(), wait: 1 })
    assert.deepEqual([none.events, none.more], [[], false])
  })

  test('five of a partner may wait, and a key that is revoked waits no longer', async () => {
    const { client, credentials: own, record } = await readerFor(acme)
    const after = await end()
    const waits = Array.from({ length: 5 }, () =>
      assert.rejects(client.listEvents({ after, wait: 20, types: 'user.deleted' }), AuthenticationError),
    )
    await eventually(async () => (await acme.get(`/api/events.json?after=${after}&wait=1`, { credentials: own })).status === 429)
    assert.equal((await reader.listEvents()).events.length > 0, true, 'whoever does not wait is served')
    await revokeKey(house.operator, record.public_part)
    await Promise.all(waits)
  })

  test('a cursor that nobody gave out is refused, and so is one of another time', async () => {
    assert.deepEqual(codes(await acme.get('/api/events.json?after=x', { credentials }), 400), ['bad_request'])
    const gone = await acme.get('/api/events.json?after=after-1-notthere', { credentials })
    assert.deepEqual(codes(gone, 410), ['gone'])
    assert.match(String(gone.headers['first-cursor']), /^from-1-[\w-]{8}$/)
    const first = await acme.get(`/api/events.json?after=${gone.headers['first-cursor']}`, { credentials })
    assert.equal(first.status, 200)
  })

  // Undoing starts a thread, which takes seconds.
  test('what came in and was taken back is told once', { skip: place.engine === 'sqlite' }, async () => {
    const after = await end()
    const business = await acme.client.createBusiness({ name: 'Measured' })
    await acme.client.createSite({ business_id: business.id, domain: 'measured.example' })
    await reader.pushObservations([{ type: 'keyword', site: 'measured.example', phrase: 'told' }])
    const [{ id: intake_id } = { id: 0 }] = await reader.listIntakes().toArray()
    await reader.undoIntake(intake_id)
    const events = await since(after, 4)
    assert.deepEqual(told(events).slice(2, 4), [
      ['intake.completed', intake_id, null],
      ['intake.undone', intake_id, null],
    ])
  })
})
