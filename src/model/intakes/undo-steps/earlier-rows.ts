/** Takes the rows back that an earlier version stored, those that are as their intake left them: deletes what it created, restores what it changed. */

import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import { livingAmong } from '../../../store/living-owners.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import type { Managing } from '../../core/tenancy.ts'
import { type RowStep, rowHash } from '../../imports/journal/earlier-steps.ts'
import { type Row, type RowKind, rowKinds } from '../../imports/row-kinds.ts'
import type { RowKindName } from '../../imports/spools.ts'
import { ownersByColumn, upsert } from '../../imports/store/rows.ts'
import { heldAmong } from '../../partners/dependents.ts'
import { removeAll } from '../../partners/removal.ts'
import { changedSince, type LeftRecord, recordKindOf, type StepOutcome } from './step-outcome.ts'
import { touchedLater, touchName } from './touches.ts'

export async function undoRowsByValue(
  caller: Managing,
  tx: Kysely<Tables>,
  accountId: number,
  name: RowKindName,
  steps: readonly RowStep[],
): Promise<StepOutcome> {
  const kind = rowKinds[name]
  const left: LeftRecord[] = []
  const owners = steps.map(({ owner }) => owner)
  const later = await touchedLater(tx, accountId, name, steps)
  const living = await livingAmong(tx, ownersByColumn[kind.owner], accountId, owners)
  for (const step of steps) {
    const found = living.has(step.owner) ? await currentRow(tx, kind, accountId, step) : undefined
    const isLater = later.has(kind.isMadeBefore ? `${found?.id} ` : touchName(step))
    const row = isLater ? undefined : found
    const isAsLeft = row !== undefined && rowHash(kind, row) === step.after
    const isUndone = isAsLeft && (await undoRow(caller, tx, name, accountId, step, row))
    if (!isUndone)
      left.push({ kind: name, of: recordKindOf(kind.owner), id: step.owner, more: wordsFor(found ?? step.before), why: changedSince })
  }
  return { undone: steps.length - left.length, left }
}

async function undoRow(
  caller: Managing,
  tx: Kysely<Tables>,
  name: RowKindName,
  accountId: number,
  step: RowStep,
  row: Row,
): Promise<boolean> {
  const kind = rowKinds[name]
  if (step.before !== null) await upsert(tx, kind, [step.before])
  else if (await isNeeded(caller, tx, name, accountId, row)) return false
  else if (name === 'page') await removeAll(caller.app.store.engine, tx, 'page', accountId, [row.id as number])
  else await tx.deleteFrom(kind.table).where('account_id', '=', accountId).where(isNamed(kind, step)).execute()
  return true
}

/** A page that has reviews from elsewhere is kept, and so is a location that has pages. */
async function isNeeded({ app }: Managing, tx: Kysely<Tables>, name: RowKindName, accountId: number, row: Row): Promise<boolean> {
  if (name === 'location') return (await pagesOfSite(app.store.db, accountId, row.site_id as number)) !== undefined
  return name === 'page' && (await heldAmong(app.store.engine, tx, 'page', accountId, [row.id as number])).size > 0
}

async function pagesOfSite(db: Kysely<Tables>, accountId: number, siteId: number) {
  return db
    .selectFrom('pages')
    .innerJoin('subjects', (join) =>
      join.onRef('subjects.account_id', '=', 'pages.account_id').onRef('subjects.id', '=', 'pages.subject_id'),
    )
    .select('pages.id')
    .where('pages.account_id', '=', accountId)
    .where('subjects.site_id', '=', siteId)
    .limit(1)
    .executeTakeFirst()
}

async function currentRow(tx: Kysely<Tables>, kind: RowKind, accountId: number, step: RowStep): Promise<Row | undefined> {
  return tx.selectFrom(kind.table).selectAll().where('account_id', '=', accountId).where(isNamed(kind, step)).executeTakeFirst()
}

/** Whether a row of the account is that of the step. */
function isNamed(kind: RowKind, { owner, key }: RowStep): RawBuilder<SqlBool> {
  const isOwned = sql<SqlBool>`${sql.ref(kind.owner)} = ${owner}`
  return kind.second === undefined ? isOwned : sql<SqlBool>`${isOwned} and ${sql.ref(kind.second)} = ${key}`
}

/** A short description of a row for people. */
function wordsFor(row: Row | null): string {
  const told = row === null ? [] : [row.day, row.start_date, row.phrase, row.domain, row.source_url, row.page_url, row.date, row.ref]
  return told.filter((value) => value !== undefined && value !== null).join(' ')
}
