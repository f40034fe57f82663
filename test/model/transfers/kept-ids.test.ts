/** Who arrives from another installation keeps the ids that his clients have stored. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { draftOf } from '../../../src/fields/read.ts'
import { readNdjson } from '../../../src/model/imports/formats.ts'
import { createAccount } from '../../../src/model/partners/accounts.ts'
import { createBusiness } from '../../../src/model/partners/businesses.ts'
import { createPartner } from '../../../src/model/partners/partners.ts'
import { deleteSite } from '../../../src/model/partners/site-removal.ts'
import { createSite } from '../../../src/model/partners/sites.ts'
import { createUser } from '../../../src/model/people/users.ts'
import { exportAccounts } from '../../../src/model/transfers/export-accounts.ts'
import { importAccounts } from '../../../src/model/transfers/import-accounts.ts'
import { exportedIds } from '../../../src/model/transfers/kept-ids.ts'
import { ownerTables } from '../../../src/model/transfers/kinds.ts'
import { newBusiness } from '../../../src/resources/business.ts'
import { newUser } from '../../../src/resources/user.ts'
import { bytesOf, importLines, makeWorld, type World } from '../../support/data.ts'
import { freshPlace, onEachEngine, type Place } from '../../support/engines.ts'

const tables = Object.values(ownerTables)

onEachEngine('kept ids', (place) => {
  let [from, to] = [{} as World, {} as World]
  let there: Place
  let many = 0
  before(async () => {
    there = await freshPlace(place.engine)
    from = await makeWorld(place.env)
    to = await makeWorld(there.env)
  })
  after(async () => {
    await from.app?.close()
    await to.app?.close()
    await there.remove()
  })

  /** A partner in the old installation, whose ids are above these, and the one that he becomes here. */
  const leaver = async (above: number) => {
    await from.app.store.write(async (tx) => {
      for (const table of tables) await from.app.store.engine.raiseLastId(tx, table, above)
    })
    const { partner, account } = await createPartner(from.operator, `Leaver ${above}`)
    const other = await createAccount(from.operator, partner.id, 'Other')
    for (const account_id of [account.id, other.id]) {
      const made = await createEach(from, account_id)
      await importLines(from, [{ type: 'keyword', account: account_id, site: made.domain, phrase: 'bread' }], {}, { partnerId: partner.id })
    }
    return { lines: await exported(from, partner.id), id: (await createPartner(to.operator, 'Arrived')).partner.id }
  }
  const arrive = async (id: number, lines: readonly string[], isDryRun = false) => {
    const read = () => readNdjson(bytesOf(lines))
    return importAccounts(to.operator, { partnerId: id }, read(), { isDryRun, keeping: await exportedIds(read()) })
  }
  /** One of each, as anybody may make them at any time. */
  const createEach = async ({ operator }: World, account_id: number) => {
    const name = `person${many++}`
    const user = { email: `${name}@people.example`, login: name, password: 'long enough', account_id }
    const { id: user_id } = await createUser(operator, draftOf(newUser, user))
    const business = await createBusiness(operator, draftOf(newBusiness, { name, account_id }))
    const { id, domain } = await createSite(operator, business.id, `${name}.example`)
    return { users: user_id, businesses: business.id, sites: id, domain }
  }
  const rowsOf = async ({ app }: World) =>
    Object.fromEntries(await Promise.all(tables.map(async (table) => [table, await app.store.db.selectFrom(table).selectAll().execute()])))
  const lastIds = ({ app }: World) => Promise.all(tables.map((table) => app.store.engine.lastId(app.store.db, table)))

  test('everything has the id that it had, and what is made afterwards has one above', async () => {
    const { lines, id } = await leaver(1000)
    const summary = await arrive(id, lines)
    assert.deepEqual([summary.left_out, summary.measured.faults, summary.kept], [[], [], null])
    assert.deepEqual(withoutHead(await exported(to, id)), withoutHead(lines))
    assert.deepEqual(
      summary.accounts.map(({ old, id: here }) => old === here),
      [true, true],
    )
    const account = await createAccount(to.operator, id, 'Later')
    const made = { accounts: account.id, ...(await createEach(to, account.id)) }
    for (const table of tables) assert.ok(made[table] > highest(lines, table), `${table} ${made[table]}`)
  })

  test('the account that the partner was created with gives way to his own', async () => {
    const { lines, id } = await leaver(2000)
    await arrive(id, lines)
    const accounts = await to.app.store.db
      .selectFrom('accounts')
      .select(['id', 'name'])
      .where('partner_id', '=', id)
      .orderBy('id')
      .execute()
    assert.deepEqual(
      accounts.map(({ name }) => name),
      ['Leaver 2000', 'Other'],
    )
    const partner = await to.app.store.db.selectFrom('partners').select('account_id').where('id', '=', id).executeTakeFirst()
    assert.equal(partner?.account_id, accounts[0]?.id)
  })

  test('an account that was used does not give way', async () => {
    const { lines, id } = await leaver(3000)
    const { account_id } = await to.app.store.db.selectFrom('partners').select('account_id').where('id', '=', id).executeTakeFirstOrThrow()
    await createBusiness(to.operator, draftOf(newBusiness, { name: 'In use', account_id: account_id as number }))
    await assert.rejects(arrive(id, lines), said(/the partner account, is in use already/))
  })

  test('an id that was ever used here is taken, and then nothing is stored', async () => {
    const { lines, id } = await leaver(4000)
    await to.app.store.write(async (tx) => {
      for (const table of tables) await to.app.store.engine.raiseLastId(tx, table, 4000)
    })
    const { sites } = await createEach(to, to.accountId)
    await deleteSite(to.operator, sites)
    const before = [await rowsOf(to), await lastIds(to)]
    for (const isDryRun of [true, false])
      await assert.rejects(
        arrive(id, lines, isDryRun),
        said(/^The id of (account|business|user) 400\d was used here before\. Nothing was stored/),
      )
    const onlySite = lines.filter((line) => !/"type":"(business|user|owner)"/.test(line))
    await assert.rejects(arrive(id, onlySite), said(/The id of site 4001 was used here before/))
    assert.deepEqual([await rowsOf(to), await lastIds(to)], before)
  })

  test('a dry run takes no id', async () => {
    const { lines, id } = await leaver(5000)
    const before = [await rowsOf(to), await lastIds(to)]
    const tried = await arrive(id, lines, true)
    assert.deepEqual([await rowsOf(to), await lastIds(to)], before)
    const { accounts, kinds } = await arrive(id, lines)
    assert.deepEqual(tried.kinds, kinds)
    assert.deepEqual(
      tried.accounts.map(({ old, name }) => [old, name]),
      accounts.map(({ old, name }) => [old, name]),
    )
  })

  test('an import that was cut short is run again, and run once more it finds everything', async () => {
    const { lines, id } = await leaver(6000)
    const keeping = await exportedIds(readNdjson(bytesOf(lines)))
    const cut = lines.slice(
      0,
      lines.findIndex((line) => line.startsWith('{"type":"user"')),
    )
    const broken = (async function* () {
      yield* readNdjson(bytesOf(cut))
      throw new Error('the power went')
    })()
    await assert.rejects(importAccounts(to.operator, { partnerId: id }, broken, { keeping }), /the power went/)
    await arrive(id, lines)
    assert.deepEqual(withoutHead(await exported(to, id)), withoutHead(lines))
    const { kinds } = await arrive(id, lines)
    assert.deepEqual([kinds['account']?.created, kinds['site']?.created, kinds['user']?.unchanged], [0, 0, 2])
  })

  test('ids that others have passed over are free, until they are used', async () => {
    const [first, second] = [await leaver(7000), await leaver(8000)]
    await arrive(second.id, second.lines)
    await arrive(first.id, first.lines)
    assert.deepEqual(withoutHead(await exported(to, first.id)), withoutHead(first.lines))
    const { id } = JSON.parse(first.lines.find((line) => line.startsWith('{"type":"site"')) as string)
    await deleteSite(to.operator, id)
    const again = (await createPartner(to.operator, 'Again')).partner.id
    const another = first.lines.map((line) => line.replace(/"installation":"/, '$&another '))
    const onlySite = another
      .filter((line) => !/"type":"(account|business|user|owner)"/.test(line))
      .map((line) => line.replace(/"partner_account_id":\d+/, '"partner_account_id":null'))
    await assert.rejects(arrive(again, onlySite), said(/The id of site \d+ was used here before/))
  })

  test('what came with other ids before cannot keep them now', async () => {
    const { lines, id } = await leaver(9000)
    await importAccounts(to.operator, { partnerId: id }, readNdjson(bytesOf(lines)))
    await assert.rejects(arrive(id, lines), said(/since an earlier import, so it cannot keep its id/))
  })
})

async function exported({ operator }: World, partnerId: number): Promise<string[]> {
  let text = ''
  await exportAccounts(operator, { partnerId }, async (piece) => {
    text += piece
  })
  return text.trimEnd().split('\n')
}

function withoutHead(lines: readonly string[]): readonly string[] {
  return lines.slice(1)
}

function highest(lines: readonly string[], table: string): number {
  const records = lines.map((line) => JSON.parse(line) as { type: keyof typeof ownerTables; id?: number })
  return Math.max(...records.map(({ type, id }) => (ownerTables[type] === table ? (id ?? 0) : 0)))
}

function said(sentence: RegExp) {
  return (error: { details?: { sentence?: string } }) => {
    assert.match(error.details?.sentence ?? String(error), sentence)
    return true
  }
}
