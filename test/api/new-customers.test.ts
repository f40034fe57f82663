/** A customer is made with everything that belongs to it, or not at all; a table of customers can be given twice. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { deleteAccount, previewDeletion } from '../../src/model/partners/deleted-accounts.ts'
import { issueKey } from '../../src/model/partners/keys/keys.ts'
import { marqueeOn } from '../support/command.ts'
import { onEachEngine } from '../support/engines.ts'
import { refusedInBoth } from '../support/refusals.ts'
import { serviceOn, type TestPartner } from '../support/service.ts'

const harbor = {
  name: 'Harbor Dental',
  domain: 'HarborDental.example',
  domains: 'implants.example; kids.example',
  keywords: 'dentist chicago, implants\ndentist chicago',
  competitors: 'rival.example',
  tags: 'dental, chicago',
  time_zone: 'America/Chicago',
  external_id: 'crm-1',
  contact: 'Ana Lang',
  email: 'ana@harbor.example',
  rhythm: 'monthly',
} as const

onEachEngine('a new customer', (place) => {
  const house = serviceOn(place)
  const run = marqueeOn(place)
  let acme: TestPartner

  before(async () => {
    acme = await house.partner('Acme')
  })

  const rows = async () => {
    const tables = [
      'accounts',
      'businesses',
      'sites',
      'locations',
      'subjects',
      'keywords',
      'users',
      'abilities',
      'report_schedules',
      'external_ids',
    ] as const
    const counts = tables.map(
      async (table) =>
        [
          table,
          (
            await house.app.store.db
              .selectFrom(table as 'sites')
              .selectAll()
              .execute()
          ).length,
        ] as const,
    )
    return Object.fromEntries(await Promise.all(counts)) as Record<(typeof tables)[number], number>
  }
  const post = (body: object, codes: string[], status = 422, client: TestPartner = acme) =>
    refusedInBoth(client, 'POST', '/api/customers', status, codes, { body: JSON.stringify(body), type: 'application/json' })

  test('is tried out without a trace, and then has everything', async () => {
    const untouched = await rows()
    const tried = await acme.client.createCustomer(harbor, {}, { dryRun: true })
    assert.deepEqual([tried.name, tried.active_businesses, await rows()], ['Harbor Dental', 1, untouched])
    const { account_id: id, ...made } = await acme.client.createCustomer(harbor)
    assert.deepEqual([made.tags, made.time_zone, made.active_businesses], ['dental, chicago', 'America/Chicago', 1])
    assert.deepEqual((await acme.client.showAccountExternalId(id)).external_id, 'crm-1')
    const sites = await Array.fromAsync(acme.client.listSites({ account_id: id }))
    assert.deepEqual(
      sites.map(({ domain }) => domain),
      ['harbordental.example', 'implants.example', 'kids.example'],
    )
    const [first = 0] = sites.map((site) => site.id)
    assert.deepEqual((await Array.fromAsync(acme.client.listKeywords(first))).map(({ phrase }) => phrase).toSorted(), [
      'dentist chicago',
      'implants',
    ])
    assert.deepEqual(
      (await Array.fromAsync(acme.client.listCompetitors(first))).map(({ domain }) => domain),
      ['rival.example'],
    )
    assert.equal((await Array.fromAsync(acme.client.listLocations({ site_id: first }))).length, 1)
    const ana = await acme.client.listUsers({ email: 'ana@harbor.example' }).first()
    assert.deepEqual([ana?.name, ana?.login, ana?.state, ana?.account_id], ['Ana Lang', 'ana@harbor.example', 'passive', id])
    assert.deepEqual(await acme.client.viewUserAbilities(ana?.id ?? 0), [{ key: 'show', scope_type: 'Account', scope_id: id }])
    const [schedule] = await acme.client.listReportSchedules(id)
    assert.deepEqual(
      [schedule?.rhythm, (await house.app.store.db.selectFrom('report_recipients').select('state').execute())[0]?.state],
      ['monthly', 'unconfirmed'],
    )
  })

  test('is refused as a whole, with every fault, and names that are taken stay so while their customer is deleted', async () => {
    const untouched = await rows()
    await post(harbor, ['domain taken', 'domains taken', 'external_id taken', 'email taken'])
    await post({ name: 'A', domain: 'no domain', domains: 'x y', competitors: '-', keywords: 'k'.repeat(300), contact: 'Bo' }, [
      'domain invalid',
      'domains invalid',
      'keywords too_long',
      'competitors invalid',
      'email blank',
    ])
    await post({ name: 'A', domain: 'a.example', keywords: Array.from({ length: 501 }, (_, n) => `phrase ${n}`).join() }, [
      'keywords too_many',
    ])
    await post({ name: 'A', domain: 'a.example', email: 'a@b.example', rhythm: 'hourly', time_zone: 'Mars' }, [
      'time_zone invalid',
      'rhythm inclusion',
    ])
    await post({}, ['name blank', 'domain blank'])
    await assert.rejects(
      acme.client.createCustomer({ name: 'A', domain: 'a.example' }, { colleague: 'nobody-of-us' }),
      /Colleague does not exist/,
    )
    const { id } = (await acme.client.listManagedAccounts({ external_id: 'crm-1' }).first()) ?? { id: 0 }
    await deleteAccount(house.operator, id, (await previewDeletion(house.operator, id)).confirm)
    await post({ ...harbor, domains: '', email: '', contact: '', rhythm: '' }, ['domain taken', 'external_id taken'])
    assert.deepEqual(await rows(), untouched)
    const globex = await house.partner('Globex')
    const theirs = await globex.client.createCustomer({ name: 'Harbor', domain: harbor.domain })
    assert.equal(theirs.name, 'Harbor', 'another partner may have the same domain')
    const limited = await issueKey(house.operator, acme.id, { account_ids: String(acme.accountId) })
    await assert.rejects(house.client(limited).createCustomer({ name: 'B', domain: 'b.example' }), { status: 403 })
  })

  test('comes from a table: all rows or none, and a second time nothing', async () => {
    const file = join(place.folder, 'customers.csv')
    const table = (lines: readonly string[]) =>
      writeFileSync(file, ['Client;Website;Keywords;E-Mail;Chef;Customer ID', ...lines].join('\n'))
    const all = async (more = '') => {
      const { code, stdout, stderr } = await run(place, `customer import ${file} --partner ${acme.id} --json ${more}`.trim())
      const { customers } = JSON.parse(stdout === '' ? '{"customers":[]}' : stdout) as {
        customers: { line: number; outcome: string; faults: string }[]
      }
      return { code, stderr, outcomes: customers.map(({ line, outcome, faults }) => `${line} ${outcome}${faults && `: ${faults}`}`) }
    }
    const untouched = await rows()
    table([
      'One;one.example;a, b;one@table.example;x',
      'Two;two.example;;no address;',
      'Three;one.example;;;',
      'Four;four.example;;;;crm-1',
    ])
    const refused = await all()
    assert.deepEqual(refused.outcomes, [
      '2 made',
      '3 refused: Email should look like an email address',
      '4 refused: Domain has already been taken',
      '5 refused: external_id has already been taken',
    ])
    assert.deepEqual([refused.code, await rows()], [1, untouched], 'nothing is made where a line has a fault')
    table(['One;one.example;a, b;one@table.example;x;crm-7', 'Two;https://two.example/home;;;'])
    assert.deepEqual((await all('--dry-run')).outcomes, ['2 made', '3 made'])
    assert.deepEqual(await rows(), untouched)
    assert.deepEqual((await all()).outcomes, ['2 made', '3 made'])
    const made = await rows()
    assert.deepEqual([made.accounts, made.sites, made.keywords], [untouched.accounts + 2, untouched.sites + 2, untouched.keywords + 2])
    assert.equal((await acme.client.listManagedAccounts({ external_id: 'crm-7' }).first())?.name, 'One')
    assert.deepEqual((await all()).outcomes, ['2 there', '3 there'])
    assert.deepEqual(await rows(), made)
    const chosen = await run(place, `customer import ${file} --partner ${acme.id} --columns Chef=nothing`)
    assert.match(chosen.stderr, /nothing is no field of a customer/)
    const added = await run(place, `customer add --partner ${acme.id} --name Five --domain five.example --external-id crm-8`)
    assert.equal(added.code, 0, added.stderr)
    assert.equal((await acme.client.listManagedAccounts({ external_id: 'crm-8' }).first())?.name, 'Five')
    writeFileSync(file, 'Name\nOne\n')
    assert.match((await run(place, `customer import ${file} --partner ${acme.id}`)).stderr, /one for the customer and one for the domain/)
  })
})
