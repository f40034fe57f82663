/** Makes the newest intake one of a version that undid by value: its steps without their order, with what it left behind. */

import { unpackStep } from '../../src/model/core/packed-steps.ts'
import { type OwnerTouch, type RowTouch, stepTables } from '../../src/model/core/steps.ts'
import { rowHash } from '../../src/model/imports/journal/earlier-steps.ts'
import { rowKinds } from '../../src/model/imports/row-kinds.ts'
import type { RowKindName } from '../../src/model/imports/spools.ts'
import { knownRows, rowsOfKind } from '../../src/model/imports/store/rows.ts'
import { keyAt } from '../../src/store/packed-changes.ts'
import { bytesOf, wordsOf } from '../../src/store/packed-months.ts'
import type { IntakeStepRow } from '../../src/store/rows/intakes.ts'
import { isSeriesName, type Series, series } from '../../src/store/series.ts'
import { monthsOfOwner } from '../../src/store/series-rows.ts'
import type { World } from './data.ts'

/** Call it before anything else is stored: what is stored is what the intake wrote. */
export async function asEarlier(world: World, intakeId: number): Promise<void> {
  const { db } = world.app.store
  for (const table of stepTables) {
    const steps = await db.selectFrom(table).selectAll().where('intake_id', '=', intakeId).orderBy('step').execute()
    for (const [index, step] of steps.entries()) {
      const data = await earlierData(world, step)
      await world.app.store.write(async (tx) => {
        const same = <Q extends { where(column: 'account_id' | 'intake_id' | 'step', operator: '=', value: number): Q }>(query: Q) =>
          query.where('account_id', '=', step.account_id).where('intake_id', '=', intakeId).where('step', '=', step.step)
        if (data.length === 0) return void (await same(tx.deleteFrom(table)).execute())
        const unplaced = { first_owner: null, last_owner: null, first_time: null, last_time: null }
        await same(tx.updateTable(table).set({ data, step: 1_000_000 + index, ...unplaced })).execute()
      })
    }
    await world.app.store.write(async (tx) => {
      const all = tx.updateTable(table).where('intake_id', '=', intakeId)
      await all.set((row) => ({ step: row('step', '-', 1_000_000) })).execute()
      await tx.updateTable('intakes').set({ is_ordered: 0 }).where('id', '=', intakeId).execute()
    })
  }
}

async function earlierData(world: World, step: IntakeStepRow): Promise<Buffer> {
  if (isSeriesName(step.kind)) return earlierEntries(world, step, series[step.kind])
  const told: unknown = JSON.parse(Buffer.from(step.data).toString())
  const found = step.kind.endsWith(' ids') ? (told as OwnerTouch).made : await earlierRows(world, step, told as RowTouch[])
  return Buffer.from(found.length === 0 ? '' : JSON.stringify(found))
}

async function earlierRows({ app }: World, { account_id, kind: name }: IntakeStepRow, touches: readonly RowTouch[]) {
  const kind = rowKinds[name as RowKindName]
  const { db } = app.store
  const names = touches.map(({ owner, key }) => ({ owner: { id: owner }, second: key }))
  const owners = touches.map(({ owner }) => owner)
  const known = kind.isMadeBefore
    ? new Map((await rowsOfKind(db, kind, account_id).where('id', 'in', owners).execute()).map((row) => [`${row.id} `, row]))
    : await knownRows(db, kind, account_id, names)
  return touches.flatMap((touch) => {
    const { id: _, ...row } = known.get(`${touch.owner} ${touch.key}`) ?? {}
    if (!touch.isNew && Object.keys(touch.before).length === 0) return []
    const [owner, key] = kind.isMadeBefore ? [row[kind.owner], row[kind.second ?? '']] : [touch.owner, touch.key]
    return [{ owner, key, before: touch.isNew ? null : { ...row, ...touch.before }, after: rowHash(kind, row) }]
  })
}

async function earlierEntries({ app }: World, { account_id, data }: IntakeStepRow, kind: Series): Promise<Buffer> {
  const { words } = kind.layout
  const all: number[] = []
  for (const [owner, before] of unpackStep(data, kind.layout).before) {
    const chunks = await monthsOfOwner(app.store.db, kind, account_id, owner).select('data').execute()
    const now = new Map(chunks.flatMap((chunk) => entriesIn(wordsOf(chunk.data), words).map((entry) => [keyAt(entry, 0), entry])))
    const created = [...before].flatMap(([key, old]) => (old === null ? [...(now.get(key) ?? [])] : []))
    const updated = [...before].flatMap(([key, old]) => (old === null ? [] : [...(now.get(key) ?? []), ...old]))
    all.push(owner, 0, created.length, updated.length, ...created, ...updated)
  }
  return bytesOf(Uint32Array.from(all))
}

function entriesIn(words: Uint32Array, size: number): Uint32Array[] {
  return Array.from({ length: words.length / size }, (_, index) => words.slice(index * size, (index + 1) * size))
}
