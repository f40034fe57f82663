/** No statement in a loop over rows inside a transaction: rows are written in sets, and what is left says why it may stay. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Source, sourcesIn } from '../support/sources.ts'
import { statementsInLoops } from './loop-rules.ts'

const sources = sourcesIn('src/model/**/*.ts')
const faults = statementsInLoops(sources)

/** By file and function. */
// biome-ignore format: a table reads by its columns
const allowed: Readonly<Record<string, string>> = {
  'src/model/core/report-version.ts lockMeasuredVersions': 'one account, except for an atomic push of several: a distributed table locks the rows of one account at a time',
  'src/model/core/source-pieces.ts sourcePieces':          'reads 1,000 at a time, each statement behind the last',
  'src/model/intakes/later-intakes.ts laterIntakes':       'reads 200 at a time, each statement behind the last, until six are found',
  'src/model/imports/store/chunks.ts mergeLongSeries':     'a chunk of a long series at a time, so that memory stays small',
  'src/model/intakes/undo-steps/earlier-rows.ts undoRowsByValue': 'the rows of one step of an intake, at most 1,000',
  'src/model/intakes/undo-steps/earlier-series.ts undoSeriesByValue': 'the months of one step of an intake',
  'src/model/intakes/undo-steps/records.ts notePeoples':   'what people have hung on the records of one step, each with its entry in the audit log',
  'src/model/intakes/undo-steps/records.ts passOn':        'the intakes that refer to the records of one step: one step for each',
  'src/model/intakes/undo-steps/restore-entries.ts restoreLong': 'the months of one long series, so that memory stays small',
  'src/model/mail/schedule-recipients.ts replaceRecipients': 'an account has at most 20 recipients',
  'src/model/mail/forget-mail.ts stopMail':                'the schedules that one address is on',
  'src/model/mail/forget-mail.ts forgetMail':              'the schedules that one address is on',
  'src/model/partners/clearing.ts clearBelow':             'deletes so many rows at a time until none is left, or about 200 are deleted',
  'src/model/partners/removal.ts leaveSchedules':          'an account has at most 20 schedules',
  'src/model/people/login-throttle.ts renameOld':          'as many as there are server secrets in use',
}

// biome-ignore format: a table reads by its columns
const seen: readonly (readonly [says: string, text: string, found: number])[] = [
  ['a statement for each row',            'async function f(tx: Kysely<Tables>, ids: number[]) { for (const id of ids) await tx.deleteFrom("a").where("id", "=", id).execute() }', 1],
  ['rows that a helper gives in sets',    'async function f(tx: Kysely<Tables>, ids: number[]) { for (const some of batchesOf(ids, 200)) await tx.deleteFrom("a").where("id", "in", some).execute() }', 0],
  ['a list that is short',                'async function f(tx: Kysely<Tables>, ids: number[]) { for (const id of atMost(ids, 9)) await g(tx, id) }', 0],
  ['tables that stand in the source',     'async function f(tx: Kysely<Tables>) { for (const table of ["a", "b"] as const) await tx.deleteFrom(table).execute() }', 0],
  ['a function that is called for each',  'async function f(tx: Kysely<Tables>, ids: number[]) { for (const id of ids) await g(tx, id) }', 1],
  ['all rows at once',                    'async function f(tx: Kysely<Tables>, ids: number[]) { await Promise.all(ids.map((id) => g(tx, id))) }', 1],
  ['rows until there are no more',        'async function f(tx: Kysely<Tables>) { while (await g(tx)); }', 1],
  ['a transaction under another name',    'async function f(db: Kysely<Tables>, ids: number[]) { for (const id of ids) await g(db, id) }\nconst h = (app) => app.write((tx) => f(tx, []))', 1],
  ['reads outside of transactions',       'async function f(db: Kysely<Tables>, ids: number[]) { for (const id of ids) await g(db, id) }', 0],
  ['a transaction for each row',          'async function f(store: Store, ids: number[]) { for (const id of ids) await store.write((tx) => g(tx, id)) }', 0],
  ['a transaction that an object holds',  'interface Work {\n  readonly tx: Kysely<Tables>\n}\nasync function f(work: Work, ids: number[]) { for (const id of ids) await g(work, id) }', 1],
  ['a query begun before the loop',       'async function f(tx: Kysely<Tables>, ids: number[]) { const all = tx.deleteFrom("a"); for (const id of ids) await all.where("id", "=", id).execute() }', 1],
  ['rows read before the loop',           'async function f(tx: Kysely<Tables>) { const rows = await tx.selectFrom("a").execute(); for (const row of rows) await look(row) }', 0],
  ['a query that a loop builds',          'async function f(tx: Kysely<Tables>, names: string[]) { let all = tx.selectFrom("a"); for (const name of names) all = all.where(name, "=", 1); await all.execute() }', 0],
]

describe('statements in loops', () => {
  for (const [says, text, found] of seen)
    test(`the guard looks at ${says}`, () => assert.equal(statementsInLoops([{ path: 'src/model/a.ts', text }]).length, found))

  test('there is none in a transaction', () => {
    const unknown = faults.filter(({ place }) => !(place in allowed))
    assert.deepEqual(
      unknown.map(({ says }) => says),
      [],
    )
  })

  test('what is allowed is still there', () => {
    const places = new Set(faults.map(({ place }) => place))
    assert.deepEqual(
      Object.keys(allowed).filter((place) => !places.has(place)),
      [],
    )
  })

  test('a mutant that takes the sets away is seen', () => {
    const path = 'src/model/core/use/usage-counts.ts'
    const mutant = (source: Source) => ({
      ...source,
      text: source.text.replace('of batchesOf(rows, rowsPerStatement)', 'of rows.map((row) => [row])'),
    })
    const places = statementsInLoops(sources.map((source) => (source.path === path ? mutant(source) : source))).map(({ place }) => place)
    assert.ok(places.includes(`${path} addRows`))
  })
})
