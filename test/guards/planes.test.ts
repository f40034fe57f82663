/** The watch over statements sees the faults it is there for; under the whole suite it watches every statement of the program. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
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
