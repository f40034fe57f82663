/** A partner comes in by itself with everything that it took along from another installation. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Intake } from '../../src/client/client.ts'
import { workTasks } from '../../src/model/intakes/work-tasks.ts'
import { issueKey, keyScopes } from '../../src/model/partners/keys/keys.ts'
import { setPartner } from '../../src/model/partners/partners.ts'
import { importUploadedAccounts } from '../../src/model/transfers/import-uploaded.ts'
import { onEachEngine } from '../support/engines.ts'
import { eventually } from '../support/eventually.ts'
import { serviceOn, type TestPartner } from '../support/service.ts'
import { fill } from '../support/whole-accounts.ts'

type Line = Record<string, unknown> & { type: string }

const over = new Set(['stored', 'checked', 'refused', 'undone', 'interrupted'])
const undoing = /^Undoing this intake takes back only what was measured/

onEachEngine('an uploaded export', (place) => {
  const house = serviceOn(place)
  let many = 0
  let lines: readonly Line[]

  const newPartner = async () => {
    const partner = await house.partner(`Partner ${many++}`)
    const all = { scopes: keyScopes.join(' ') }
    await house.app.store.write((tx) => tx.updateTable('keys').set(all).where('partner_id', '=', partner.id).execute())
    return partner
  }
  before(async () => {
    const old = await newPartner()
    await fill(house, old, 'leaver', [
      { type: 'keyword', phrase: 'bread', which: 0 },
      { type: 'ranking', phrase: 'rolls', search_engine: 'Google', locale: 'en-us', ranked_at: '2026-11-01 00:00:00', rank: 2, which: 1 },
    ])
    const { text } = await old.get('/api/export')
    lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
  })

  /** As if it came from another installation, in which people have other names. */
  const renamed = (name: string, some = lines): Line[] =>
    some.map((line) =>
      JSON.parse(
        JSON.stringify(line)
          .replaceAll('leaver', name)
          .replace(/"installation":"/, `$&${name} `),
      ),
    )
  const begin = (partner: TestPartner, some: readonly Line[], query = '', credentials = partner.credentials) =>
    house.stranger.ask('POST', `/api/intakes.json?all=1${query}`, {
      body: some.map((line) => `${JSON.stringify(line)}\n`).join(''),
      type: 'application/x-ndjson',
      credentials,
    })
  const inTheEnd = async (partner: TestPartner, id: number) => {
    const work = { app: house.app, signal: new AbortController().signal, eraseAgain: async () => {}, importWhole: importUploadedAccounts }
    await workTasks(work)
    await eventually(async () => over.has((await partner.client.showIntake(id)).state))
    return partner.client.showIntake(id)
  }
  const send = async (partner: TestPartner, some: readonly Line[], query = '') => {
    const reply = await begin(partner, some, query)
    assert.equal(reply.status, 202, reply.text)
    return inTheEnd(partner, (reply.json() as { intake: Intake }).intake.id)
  }
  const told = ({ notices }: Intake) => notices.map(({ message }) => message)
  const usersOf = (partner: TestPartner) => Array.fromAsync(partner.client.listUsers())
  const sitesOf = (partner: TestPartner) => Array.fromAsync(partner.client.listSites())

  test('makes accounts, users and sites, and stores what was measured; the answer says what an undo takes back', async () => {
    const partner = await newPartner()
    const reply = await begin(partner, renamed('arrived'))
    const { id, notices } = (reply.json() as { intake: Intake }).intake
    assert.match(notices[0]?.message ?? '', undoing)
    const intake = await inTheEnd(partner, id)
    assert.deepEqual([intake.state, intake.faults], ['stored', []])
    assert.match(told(intake)[0] ?? '', undoing)
    assert.ok(told(intake).includes('Records of kind user: 2 made, 0 found, 0 left out.'), told(intake).join('\n'))
    assert.ok(told(intake).some((sentence) => sentence.includes(`${partner.accountId} was here already and keeps its name`)))
    assert.deepEqual(
      (await usersOf(partner)).map(({ login }) => login),
      ['arrived-0', 'arrived-1'],
    )
    assert.equal((await sitesOf(partner)).length, 3)
    assert.match((await partner.get('/api/seo_report.json')).text, /"rolls":/)
    const again = await send(partner, renamed('arrived'))
    assert.ok(told(again).includes('Records of kind user: 0 made, 2 found, 0 left out.'), told(again).join('\n'))
  })

  test('brings no brand and no host name, and nobody gets mail who has not confirmed here', async () => {
    const partner = await newPartner()
    const brand = {
      type: 'brand',
      host_name: 'evil.example',
      name: 'Evil',
      accent: null,
      sender_name: null,
      support: null,
      logo_id: null,
      dark_logo_id: null,
      favicon_id: null,
    }
    const account = { ...brand, type: 'account_brand', account_id: lines.find(({ type }) => type === 'account')?.['id'] }
    const at = lines.findIndex(({ type }) => type === 'keyword')
    await send(partner, renamed('quiet', [...lines.slice(0, at), brand, account, ...lines.slice(at)] as Line[]))
    const { db } = house.app.store
    assert.deepEqual(await db.selectFrom('brands').selectAll().where('partner_id', '=', partner.id).execute(), [])
    const accounts = db.selectFrom('accounts').select('id').where('partner_id', '=', partner.id)
    assert.deepEqual(await db.selectFrom('account_brands').selectAll().where('account_id', 'in', accounts).execute(), [])
    const recipients = await db.selectFrom('report_recipients').select('state').where('account_id', 'in', accounts).execute()
    assert.deepEqual(
      recipients.map(({ state }) => state),
      ['unconfirmed', 'unconfirmed'],
    )
    const passwords = await db
      .selectFrom('user_passwords')
      .innerJoin('users', 'users.id', 'user_id')
      .select('verifier')
      .where('account_id', 'in', accounts)
      .execute()
    assert.ok(passwords.every(({ verifier }) => !verifier.includes('leaver') && !verifier.includes('quiet')))
  })

  test('is undone but for what makes the accounts', async () => {
    const partner = await newPartner()
    const { id } = await send(partner, renamed('undone'))
    await partner.client.undoIntake(id)
    assert.equal((await inTheEnd(partner, id)).state, 'undone')
    assert.deepEqual([(await usersOf(partner)).length, (await sitesOf(partner)).length], [2, 3])
    assert.doesNotMatch((await partner.get('/api/seo_report.json')).text, /"rolls":/)
  })

  test('needs both scopes, and a key that is not limited', async () => {
    const partner = await newPartner()
    const ingest = await issueKey(house.operator, partner.id, { scopes: ['ingest'] })
    const refused = await begin(partner, lines, '', `${ingest.key}:${ingest.password}`)
    assert.deepEqual([refused.status, /does not have the scope provision/.test(refused.text)], [403, true])
    const limited = await issueKey(house.operator, partner.id, { scopes: ['ingest', 'provision'], account_ids: String(partner.accountId) })
    assert.equal((await begin(partner, lines, '', `${limited.key}:${limited.password}`)).status, 403)
    assert.equal((await begin(partner, lines, '', `${partner.key}:`)).status, 401)
    assert.equal((await begin(partner, lines, `&site_id=${(await sitesOf(partner))[0]?.id ?? 999999}`)).status >= 400, true)
  })

  test('learns no more names that are taken than its partner may', async () => {
    const partner = await newPartner()
    await setPartner(house.operator, partner.id, { taken_per_hour: 1 })
    const { state, faults } = await send(partner, renamed('leaver'))
    assert.equal(state, 'refused')
    assert.match(faults[0]?.message ?? '', /^cannot be taken: Too many names were asked for that are taken/)
    assert.equal((await usersOf(partner)).length, 0)
    const other = await newPartner()
    const intake = await send(other, renamed('leaver'))
    assert.equal(intake.state, 'stored')
    assert.ok(told(intake).includes('Left out: user leaver-0: the login or email is taken.'))
  })

  test('is judged like requests: what breaks a rule is left out, and told', async () => {
    const [partner, victim] = [await newPartner(), await newPartner()]
    const accounts = lines.flatMap(({ type, id }) => (type === 'account' ? [id as number] : []))
    const business = lines.find(({ type, account_id }) => type === 'business' && account_id === accounts[0])?.['id']
    const change: Partial<Record<string, (line: Line) => object>> = {
      user: ({ login }) => (String(login).endsWith('0') ? { login: 'somebody@else.example' } : { email: 'nobody' }),
      site: ({ account_id }) => (account_id === accounts[1] ? { business_id: business } : {}),
      annotation: ({ site_id }) => (site_id === null ? { created_at: 'now' } : { day: '2026-02-31' }),
      report_schedule: ({ site_ids }) => (site_ids === null ? { site_ids: '[' } : { recipients: [{ email: 'a\r\nb' }] }),
      ability: () => ({ scope_type: 'Account', scope_id: victim.accountId }),
    }
    const made = lines.filter(({ type }) => !['keyword', 'ranking'].includes(type))
    const wrong = renamed('wrong', made).map((line) => ({ ...line, ...change[line.type]?.(line) })) as Line[]
    const intake = await send(partner, wrong)
    assert.equal(intake.state, 'stored', JSON.stringify(intake.faults))
    const said = told(intake).join('\n')
    for (const sentence of [
      'Left out: user somebody@else.example: its login breaks a rule.',
      'Left out: user wrong-1: its email breaks a rule.',
      'Left out: site site.example: its business belongs to another account.',
      'Left out: annotation A note: its day breaks a rule.',
      'Left out: annotation A note: its created_at breaks a rule.',
      'Left out: report_schedule weekly: its site_ids breaks a rule.',
      'Left out: report_schedule weekly: its recipients breaks a rule.',
    ])
      assert.ok(said.includes(sentence), `${sentence}\n${said}`)
    assert.deepEqual(
      await house.app.store.db
        .selectFrom('abilities')
        .selectAll()
        .where('scope_id', '=', victim.accountId)
        .where('scope_type', '=', 'Account')
        .execute(),
      [],
    )
  })

  test('that is none, or was cut off, is refused with what to do', async () => {
    const partner = await newPartner()
    const none = await send(partner, [{ type: 'keyword', site: 'example.com', phrase: 'bread' }])
    assert.match(none.faults[0]?.message ?? '', /^cannot be taken: This is no export of whole accounts/)
    const cut = await send(partner, renamed('cut').slice(0, -1))
    assert.match(cut.faults[0]?.message ?? '', /^cannot be taken: The export is cut within account \d+/)
    assert.deepEqual([none.state, cut.state], ['refused', 'refused'])
  })

  test('is tried out first, and then nothing is there', async () => {
    const partner = await newPartner()
    const { state, notices } = await send(partner, renamed('tried'), '&dry_run=1')
    assert.equal(state, 'checked')
    assert.ok(notices.some(({ message }) => message === 'Records of kind user: 2 would be made, 0 are here, 0 left out.'))
    assert.equal((await usersOf(partner)).length, 0)
  })
})
