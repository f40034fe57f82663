/** Whole accounts go out and come in again, in another installation: everything says the same, but for ids. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { readNdjson } from '../../../src/model/imports/formats.ts'
import { importAccounts } from '../../../src/model/transfers/import-accounts.ts'
import { isTransferKind } from '../../../src/model/transfers/kinds.ts'
import { placement } from '../../../src/store/placement.ts'
import { anyRecord, inRuns, whileTime } from '../../support/any-records.ts'
import { bytesOf } from '../../support/data.ts'
import { freshPlace, onEachEngine, type Place } from '../../support/engines.ts'
import { fc } from '../../support/properties.ts'
import { startTestService, type TestPartner, type TestService } from '../../support/service.ts'
import { exported, fill, withoutIds } from '../../support/whole-accounts.ts'

onEachEngine('whole accounts', (place) => {
  let [from, to] = [{} as TestService, {} as TestService]
  let there: Place
  let many = 0
  before(async () => {
    there = await freshPlace(place.engine)
    from = await startTestService(place)
    to = await startTestService(there)
    // So that no id is the same by chance.
    for (let i = 0; i < 3; i++) await fill(to, await to.partner('Neighbour'), `neighbour${i}`, [])
  })
  after(async () => {
    await from.stop()
    await to.stop()
    await there.remove()
  })

  const copy = async (records: readonly object[]) => {
    const [first, second] = [await from.partner('Same'), await to.partner('Same')]
    await fill(from, first, `person${many++}`, records)
    const lines = await exported(from, first)
    const summary = await importAccounts(to.operator, { partnerId: second.id }, readNdjson(bytesOf(lines)))
    return { first, second, lines, summary }
  }

  test('import(export(x)) = x: what makes an account, what was measured, and the bytes of its reports', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(anyRecord, fc.nat(1)), { maxLength: 40, size: 'max' }),
        whileTime(6_000, async (some) => {
          const { first, second, lines, summary } = await copy(some.map(([record, which]) => ({ ...record, which })))
          assert.deepEqual([summary.left_out, summary.measured.faults], [[], []])
          assert.deepEqual(withoutIds(await exported(to, second)), withoutIds(lines))
          for (const report of ['seo_report.xml', 'seo_report.json?start_date=2020-01-01'])
            assert.equal(numbered((await second.get(`/api/${report}`)).text), numbered((await first.get(`/api/${report}`)).text))
          for (const [i, old] of (await accountsOf(from, first)).entries()) {
            const here = (await accountsOf(to, second))[i]
            for (const report of ['detail.xml', 'counts.json', 'detail.csv']) {
              const path = (id: number | undefined) => `/api/accounts/${id}/reputation_report/${report}`
              assert.equal(numbered((await second.get(path(here))).text), numbered((await first.get(path(old))).text))
            }
          }
        }),
      ),
      inRuns(4),
    )
  })

  test('run again, it finds everything as it is', async () => {
    const { second, lines } = await copy([{ type: 'keyword', phrase: 'bread', which: 0 }])
    const again = await importAccounts(to.operator, { partnerId: second.id }, readNdjson(bytesOf(lines)))
    for (const [kind, { created, left_out }] of Object.entries(again.kinds))
      assert.deepEqual([kind, created, left_out], [kind, 0, kind.endsWith('brand') ? 1 : 0])
    for (const { created, updated } of Object.values(again.measured.kinds)) assert.deepEqual([created, updated], [0, 0])
  })

  test('a dry run tells what an import will do, and does nothing', async () => {
    const partner = await from.partner('Tried')
    await fill(from, partner, `person${many++}`, [
      { type: 'keyword', phrase: 'bread', which: 0 },
      { type: 'ranking', phrase: 'rolls', search_engine: 'Google', locale: 'en-us', ranked_at: '2026-11-01 00:00:00', rank: 2, which: 1 },
      { type: 'review', source: 'google', page_url: 'https://maps.example/1', rating: 4, date: '2026-11-01', ref: 'r1', which: 1 },
    ])
    const lines = await exported(from, partner)
    const second = await to.partner('Tried')
    const before = await everyRow(to)
    const take = (isDryRun: boolean) => importAccounts(to.operator, { partnerId: second.id }, readNdjson(bytesOf(lines)), { isDryRun })
    const tried = await take(true)
    assert.deepEqual(await everyRow(to), before)
    assert.deepEqual([tried.measured.isApplied, tried.measured.faults], [false, []])
    const { accounts, ...taken } = await take(false)
    assert.deepEqual([tried.accounts[0]?.id, tried.accounts[1]?.id], [second.accountId, null])
    const named = (some: typeof accounts) => some.map(({ old, name }) => [old, name])
    assert.deepEqual(named(tried.accounts), named(accounts))
    assert.deepEqual([tried.kept, taken.kept], Array(2).fill({ id: second.accountId, name: 'Tried' }))
    assert.deepEqual([tried.kinds, tried.left_out], [taken.kinds, taken.left_out])
    assert.deepEqual(tried.measured.kinds, taken.measured.kinds)
    const again = await take(true)
    assert.deepEqual([again.kinds, again.measured.kinds], [(await take(false)).kinds, again.measured.kinds])
    assert.equal(again.kinds['user']?.unchanged, 2)
  })

  test('users whose names are taken are listed and left out, with what is theirs', async () => {
    const { lines } = await copy([])
    const third = await to.partner('Third')
    const { left_out, kinds } = await importAccounts(to.operator, { partnerId: third.id }, readNdjson(bytesOf(lines)))
    assert.deepEqual(
      left_out.filter(({ kind }) => kind === 'user').map(({ why }) => why),
      ['the login or email is taken', 'the login or email is taken'],
    )
    assert.deepEqual([kinds['user']?.created, kinds['ability']?.created, kinds['site']?.created], [0, 0, 3])
  })

  test('no secret goes along', async () => {
    const partner = await from.partner('Secretive')
    await fill(from, partner, `person${many++}`, [])
    const text = (await exported(from, partner)).join('')
    const { verifier } = await from.app.store.db.selectFrom('user_passwords').select('verifier').executeTakeFirstOrThrow()
    for (const secret of ['argon2', 'salt', 'token', 'verifier', 'password', 'key_hash', verifier])
      assert.ok(!text.includes(secret), secret)
  })

  test('an export that an earlier version wrote says the same, also without the columns that may be empty', async () => {
    const text = readFileSync(join(import.meta.dirname, '..', '..', 'golden', 'accounts.ndjson'), 'utf8')
    const golden = text.trimEnd().split('\n')
    const isDirectory = (line: string) => isTransferKind(JSON.parse(line).type)
    const withoutNulls = (line: string) => JSON.stringify(JSON.parse(line), (_, value) => value ?? undefined)
    const bare = golden.map((line) => (isDirectory(line) ? withoutNulls(line) : line).replaceAll('golden', 'bare'))
    for (const [lines, logins] of [
      [golden, 'golden'],
      [bare, 'bare'],
    ] as const) {
      const partner = await to.partner('Golden')
      const { left_out, measured } = await importAccounts(to.operator, { partnerId: partner.id }, readNdjson(bytesOf(lines)))
      assert.deepEqual([left_out, measured.faults], [[], []])
      const expected = golden.map((line) => line.replaceAll('golden', logins))
      assert.partialDeepStrictEqual(withoutIds(await exported(to, partner)), withoutIds(expected))
    }
  })

  test('a file that is no such export, or was cut or changed, is refused', async () => {
    const partner = await to.partner('Careful')
    const take = (lines: readonly (object | string)[]) => importAccounts(to.operator, { partnerId: partner.id }, readNdjson(bytesOf(lines)))
    const { lines } = await copy([])
    await assert.rejects(take([{ type: 'keyword', site: 'x.example', phrase: 'y' }]), /This is no export of whole accounts/)
    await assert.rejects(take([{ type: 'export', version: 9, installation: 'x' }]), /version 9/)
    const changed = lines.map((line) => line.replace('"aasm_state":"active"', '"aasm_state":"gone"'))
    await assert.rejects(take(changed), /Line \d+: aasm_state of business is not what an export writes/)
    await assert.rejects(
      importAccounts(to.operator, { partnerId: partner.id, accountId: partner.accountId }, readNdjson(bytesOf(lines))),
      /several accounts/,
    )
  })
})

async function accountsOf({ app }: TestService, { id }: TestPartner): Promise<number[]> {
  const rows = await app.store.db.selectFrom('accounts').select('id').where('partner_id', '=', id).orderBy('id').execute()
  return rows.map((row) => row.id)
}

/** A report without its ids, in XML, JSON and CSV. What it tells stands in the order of ids, so that their order is still seen. */
function numbered(text: string): string {
  return text
    .replace(/<(\/?)_x003\d_\d*/g, '<$1#')
    .replace(/name="\d+"/g, 'name="#"')
    .replace(/(id type="integer">)\d+</g, '$1#<')
    .replace(/("(?:\w+_)?id":)\d+/g, '$1#')
    .replace(/"\d+":\{/g, '"#":{')
    .replace(/^\d+,\d+,([^,]*),\d+,\d+,/gm, '#,#,$1,#,#,')
}

/** How many rows each table has, but for what jobs write beside the requests. */
async function everyRow({ app }: TestService): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of Object.keys(placement) as (keyof typeof placement)[]) {
    if (['leases', 'usage_days', 'requests', 'audit_seals', 'event_drafts', 'events'].includes(table)) continue
    const { many } = await app.store.db
      .selectFrom(table as 'sites')
      .select((row) => row.fn.countAll<number>().as('many'))
      .executeTakeFirstOrThrow()
    counts[table] = Number(many)
  }
  return counts
}
