/** The watch over statements sees the faults it is there for; under the whole suite it watches every statement of the program. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runInThisContext } from 'node:vm'
import {
  type Compilable,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type SqlBool,
  sql,
} from 'kysely'
import type { Tables } from '../../src/store/rows/tables.ts'
import type { BuiltStatement } from '../../src/store/statements.ts'
import { watch } from '../support/watch-planes.ts'
import { planeFacts } from './plane-rules.ts'

const db = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (on) => new PostgresIntrospector(on),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})
const factsOf = (statement: Compilable) => planeFacts(statement.compile().query)
const keywords = db.selectFrom('keywords').select('id')
const snapshotsOf = (account: number) => db.selectFrom('snapshots').select('day').where('snapshots.account_id', '=', account)
const pagesJoined = db.selectFrom('subjects').innerJoin('pages', (on) => on.onRef('pages.account_id', '=', 'subjects.account_id'))

// biome-ignore format: a table reads by its columns
const unbound: readonly (readonly [says: string, statement: Compilable, tables: readonly string[]])[] = [
  ['a table for one account',                     keywords.where('account_id', '=', 1),                                                          []],
  ['a table for one account, asked by hand',      keywords.where(sql<SqlBool>`${sql.ref('account_id')} = ${1}`),                                 []],
  ['a table by id alone',                         keywords.where('id', '=', 1),                                                                  ['keywords']],
  ['a table for several accounts',                keywords.where('account_id', 'in', [1, 2]),                                                    ['keywords']],
  ['a table for several accounts, asked by hand', keywords.where(sql<SqlBool>`${sql.ref('account_id')} = any(${[1, 2]})`),                       ['keywords']],
  ['a neighbour through the account',             pagesJoined.select('pages.id').where('subjects.account_id', '=', 1),                           []],
  ['a neighbour that is joined by its id',        db.selectFrom('subjects').innerJoin('pages', 'pages.subject_id', 'subjects.id').select('pages.id').where('subjects.account_id', '=', 1), ['pages']],
  ['a subquery with an account of its own',       keywords.where('account_id', '=', 1).where((row) => row.exists(snapshotsOf(1))),               []],
  ['a subquery that leans on the outer row',      keywords.where('keywords.account_id', '=', 1).where((row) => row.exists(row.selectFrom('snapshots').select('day').whereRef('snapshots.account_id', '=', 'keywords.account_id'))), ['snapshots']],
  ['an update for one account',                   db.updateTable('reviews').set({ user: '' }).where('account_id', '=', 1).where('id', '=', 2),   []],
  ['an update by id alone',                       db.updateTable('reviews').set({ user: '' }).where('id', '=', 2),                               ['reviews']],
  ['a delete by id alone',                        db.deleteFrom('reviews').where('id', '=', 2),                                                  ['reviews']],
]

describe('the watch over statements', () => {
  for (const [says, statement, tables] of unbound) test(says, () => assert.deepEqual(factsOf(statement).unbound, tables))

  test('both planes in one statement', () => {
    const joined = db.selectFrom('sites').innerJoin('subjects', 'subjects.site_id', 'sites.id').select('subjects.id')
    assert.deepEqual([...factsOf(joined).planes].sort(), ['directory', 'measured'])
    assert.deepEqual([...factsOf(keywords).planes], ['measured'])
  })

  test('the accounts whose rows are written', () => {
    const row = (account_id: number) => ({ account_id, subject_id: 1, phrase: 'x' })
    assert.deepEqual([...factsOf(db.insertInto('keywords').values([row(1), row(2)])).accounts], [1, 2])
    assert.deepEqual([...factsOf(db.insertInto('keywords').values([row(1), row(1)])).accounts], [1])
    assert.deepEqual([...factsOf(db.deleteFrom('keywords').where('account_id', '=', 7)).accounts], [7])
    assert.deepEqual([...factsOf(db.deleteFrom('sites').where('id', '=', 7)).written], ['directory'])
  })
})

describe('who may do it', () => {
  const renew = (account: number) => db.updateTable('measured_versions').set({ version: 1 }).where('account_id', '=', account)
  const across = db.selectFrom('measured_versions').selectAll()

  test('no file of the program writes rows of two accounts in one transaction', () => {
    const [one, other] = [{}, {}]
    for (const write of [one, other]) watchedIn('/src/model/trial.ts', renew(1), write)
    watchedIn('/src/model/trial.ts', renew(1), one)
    assert.throws(() => watchedIn('/src/model/trial.ts', renew(2), one), /trial\.ts writes measured rows of several accounts/)
  })

  test('unless it is excused, with whatever it calls', () => {
    const write = {}
    watchedIn('/src/model/upkeep/old-months.ts', renew(1), write)
    watchedIn('/src/model/trial.ts', renew(2), write)
  })

  test('no file of the program asks across accounts, unless it is excused; a test may', () => {
    assert.throws(() => watchedIn('/src/model/trial.ts', across), /trial\.ts asks measured_versions without naming one account/)
    watchedIn('/src/model/reports/version.ts', across)
    watchedIn('/test/model/trial.test.ts', across)
  })
})

/** Shows the statement to the watch as if it came from this file. */
function watchedIn(file: string, statement: Compilable, write?: object): void {
  const show: (so: typeof watch, built: BuiltStatement) => void = runInThisContext('(so, built) => so(built)', file)
  show(watch, { node: statement.compile().query, write })
}
