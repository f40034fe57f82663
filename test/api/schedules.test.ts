/** Report schedules over the API: users get mail at once, strangers are asked first, and nobody is asked again and again. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { ConflictError, InvalidRequestError, type Marquee, NotFoundError } from '../../src/client/client.ts'
import { recipientToken, unsubscribeRecipient } from '../../src/model/mail/recipients.ts'
import { onEachEngine } from '../support/engines.ts'
import { serviceOn, type TestPartner } from '../support/service.ts'

onEachEngine('report schedules', (place) => {
  const house = serviceOn(place)
  let acme: TestPartner
  let client: Marquee
  let siteId: number

  before(async () => {
    acme = await house.partner('Acme')
    client = acme.client
    const business = await client.createBusiness({ name: 'Harbor' })
    siteId = (await client.createSite({ business_id: business.id, domain: 'harbor.example' })).id
    await client.createUser({ email: 'dana@acme.example', login: 'dana-acme', password: 'correct horse', account_id: acme.accountId })
  })

  const confirmations = async (email: string) =>
    (await house.app.store.db.selectFrom('mails').select('id').where('recipient', '=', email).where('kind', '=', 'confirmation').execute())
      .length

  test('acme has its sites mailed to everybody once they have agreed, users too', async () => {
    const made = await client.createReportSchedule(acme.accountId, {
      rhythm: 'weekly',
      recipients: 'Dana@acme.example, eve@other.example',
    })
    assert.deepEqual(
      made.recipients.map(({ email, state }) => [email, state]),
      [
        ['dana@acme.example', 'unconfirmed'],
        ['eve@other.example', 'unconfirmed'],
      ],
    )
    assert.deepEqual(made.sites, [])
    assert.equal(made.release, 'unless_wrong')
    assert.equal(await confirmations('eve@other.example'), 1)
    assert.deepEqual(await client.listReportSchedules(acme.accountId), [made])
    assert.deepEqual(await client.showReportSchedule(acme.accountId, made.id), made)
  })

  test('a change keeps what recipients have said, and asks new ones', async () => {
    const [made] = await client.listReportSchedules(acme.accountId)
    const { id, recipients } = made ?? assert.fail()
    const dana = house.app.store.db
      .selectFrom('report_recipients')
      .select('id')
      .where('email', '=', recipients[0]?.email ?? '')
    await unsubscribeRecipient(house.app, recipientToken(house.app, (await dana.executeTakeFirstOrThrow()).id))
    const changed = await client.changeReportSchedule(acme.accountId, id, {
      rhythm: 'monthly',
      recipients: 'dana@acme.example,bob@other.example',
      site_ids: String(siteId),
    })
    assert.equal(changed.rhythm, 'monthly')
    assert.equal(changed.release, 'unless_wrong', 'what is not named stays')
    assert.equal((await client.changeReportSchedule(acme.accountId, id, { release: 'by_hand' })).release, 'by_hand')
    await assert.rejects(client.changeReportSchedule(acme.accountId, id, { release: 'never' as 'by_hand' }), InvalidRequestError)
    assert.deepEqual(changed.sites, [{ id: siteId }])
    assert.deepEqual(
      changed.recipients.map(({ email, state }) => [email, state]),
      [
        ['dana@acme.example', 'unsubscribed'],
        ['bob@other.example', 'unconfirmed'],
      ],
    )
    const all = await client.changeReportSchedule(acme.accountId, id, { site_ids: '' })
    assert.deepEqual([all.sites, all.recipients], [[], changed.recipients])
  })

  test('nobody is asked to confirm more than three times a day, whatever is done to the list', async () => {
    const [made] = await client.listReportSchedules(acme.accountId)
    const { id } = made ?? assert.fail()
    const set = (recipients: string) => client.changeReportSchedule(acme.accountId, id, { recipients: `bob@other.example${recipients}` })
    for (let times = 0; times < 3; times++) {
      await set(',eve@pestered.example')
      await set('')
    }
    await assert.rejects(set(',eve@pestered.example'), ConflictError)
    assert.equal(await confirmations('eve@pestered.example'), 3)
  })

  test('acme is told what is wrong: rhythm, addresses, sites of others, too many', async () => {
    const globex = await house.partner('Globex')
    const theirs = globex.client
    const business = await theirs.createBusiness({ name: 'Globex' })
    const foreign = await theirs.createSite({ business_id: business.id, domain: 'globex.example' })
    const codes = async (wanted: object) => {
      const refused = await client.createReportSchedule(acme.accountId, wanted as never).catch((error: unknown) => error)
      assert.ok(refused instanceof InvalidRequestError, String(refused))
      return refused.details.map(({ field, code }) => `${field} ${code}`)
    }
    const good = { rhythm: 'weekly', recipients: 'dana@acme.example' }
    assert.deepEqual(await codes({ rhythm: 'daily' }), ['rhythm inclusion', 'recipients blank'])
    assert.deepEqual(await codes({ ...good, recipients: 'nobody' }), ['recipients invalid'])
    assert.deepEqual(await codes({ ...good, site_ids: 'x' }), ['site_ids invalid'])
    assert.deepEqual(await codes({ ...good, site_ids: String(foreign.id) }), ['site_ids does_not_exist'])
    assert.deepEqual(await codes({ ...good, site_ids: '999999' }), ['site_ids does_not_exist'])
    const many = Array.from({ length: 21 }, (_, at) => `p${at}@acme.example`).join()
    assert.deepEqual(await codes({ ...good, recipients: many }), ['recipients too_many'])
    await assert.rejects(client.listReportSchedules(globex.accountId), NotFoundError)
  })

  test('a schedule goes on without a site that was deleted, and ends with its last', async () => {
    const business = await client.createBusiness({ name: 'Two sites' })
    const [one, two] = [
      await client.createSite({ business_id: business.id, domain: 'one.example' }),
      await client.createSite({ business_id: business.id, domain: 'two.example' }),
    ]
    await client.addAnnotation({ site_id: one.id, day: '2026-11-14', text: 'Closing' })
    const wanted = { rhythm: 'weekly', recipients: 'dana@acme.example', site_ids: `${one.id},${two.id}` } as const
    const { id } = await client.createReportSchedule(acme.accountId, wanted)
    await client.deleteSite(one.id)
    assert.deepEqual((await client.showReportSchedule(acme.accountId, id)).sites, [{ id: two.id }])
    await client.deleteSite(two.id)
    await assert.rejects(client.showReportSchedule(acme.accountId, id), NotFoundError)
  })

  test('acme deletes one, and a second time it is not found', async () => {
    const [made] = await client.listReportSchedules(acme.accountId)
    const { id } = made ?? assert.fail()
    assert.equal((await client.deleteReportSchedule(acme.accountId, id)).id, id)
    await assert.rejects(client.deleteReportSchedule(acme.accountId, id), NotFoundError)
    const xml = await acme.post(
      `/api/accounts/${acme.accountId}/schedules.xml`,
      '<schedule><rhythm>weekly</rhythm><recipients>dana@acme.example</recipients></schedule>',
    )
    assert.equal(xml.status, 201)
    const { pathname } = new URL(String(xml.headers.location))
    assert.equal((await acme.get(pathname)).text, xml.text)
  })
})
