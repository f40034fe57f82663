/** Takes rows back that a step stored, column by column: what a later step said stays, and that step knows from then on what was there before. */

import type { Kysely } from 'kysely'
import { livingAmong } from '../../../store/living-owners.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import { nobodysIntake, type RowTouch, rangeOf } from '../../core/steps.ts'
import type { Managing } from '../../core/tenancy.ts'
import { parts } from '../../imports/batches.ts'
import { type Row, type RowKind, rowKinds } from '../../imports/row-kinds.ts'
import type { RowKindName } from '../../imports/spools.ts'
import { knownRows, ownersByColumn, rowsOfKind, upsert } from '../../imports/store/rows.ts'
import { type Asked, eachLater, rewriteStep } from './later-steps.ts'
import { removeRows } from './remove-rows.ts'
import { type LeftRecord, type RecordKind, recordKindOf, type StepOutcome, type Why } from './step-outcome.ts'
import { type How, noteGoing, type Trial } from './trial.ts'

/** A touch of which something has still to be taken back. */
interface OpenTouch extends RowTouch {
  /** A later step said something of the row, so that it stays. */
  isPassed?: boolean
}

/** By owner and key. */
type OpenTouches = Map<string, OpenTouch>

export async function undoTouches(
  caller: Managing,
  tx: Kysely<Tables>,
  asked: Asked,
  name: RowKindName,
  touches: readonly RowTouch[],
  { trial, takesPeople }: How,
): Promise<StepOutcome> {
  const kind = rowKinds[name]
  const { accountId } = asked
  const owners = touches.map(({ owner }) => owner)
  const living = await livingAmong(tx, ownersIn(kind), accountId, owners)
  const changing = touches.filter((touch) => living.has(touch.owner) && (touch.isNew || Object.keys(touch.before).length > 0))
  const open: OpenTouches = new Map(changing.map((touch) => [touchName(touch), touch]))
  const passed = await passLater(tx, takesPeople ? await besidesPeople(tx, asked, open) : asked, open, trial === undefined)
  const left = passed.map(({ touch, why }) => rowLeft(name, touch, undefined, why))
  const known = await knownRowsOf(tx, kind, accountId, [...open.values()])
  const [going, staying] = [[] as OpenTouch[], [] as { touch: OpenTouch; row: Row }[]]
  for (const [place, touch] of open) {
    const row = known.get(place)
    if (row !== undefined && touch.isNew && !touch.isPassed) going.push(touch)
    else if (row !== undefined && Object.keys(touch.before).length > 0) staying.push({ touch, row })
  }
  const needed = await removeRows(caller, tx, accountId, name, going, trial)
  const emptied = needed.map(({ touch, why }) => ({ touch, row: known.get(touchName(touch)) as Row, why }))
  for (const { touch, row, why } of emptied) left.push(rowLeft(name, touch, row, why))
  if (trial !== undefined) noteRowsGoing(trial, name, known, { going: without(going, needed), restored: [...staying, ...emptied] })
  const restored =
    trial !== undefined ? [] : [...staying, ...emptied].map(({ touch, row: { id: _, ...row } }) => ({ ...row, ...touch.before }))
  for (const part of parts(restored)) await upsert(tx, kind, part)
  return { undone: going.length - needed.length + staying.length, left }
}

function without(going: readonly OpenTouch[], needed: readonly { readonly touch: OpenTouch }[]): OpenTouch[] {
  const kept = new Set(needed.map(({ touch }) => touch))
  return going.filter((touch) => !kept.has(touch))
}

function noteRowsGoing(
  trial: Trial,
  name: RowKindName,
  known: ReadonlyMap<string, Row>,
  { going, restored }: { readonly going: readonly OpenTouch[]; readonly restored: readonly { touch: OpenTouch; row: Row }[] },
): void {
  for (const touch of going) {
    const row = known.get(touchName(touch))
    if (name === 'location') trial.going.get('locations')?.add(touch.owner)
    noteGoing(trial, { ...rowTold(name, touch, row), becomes: 'gone' })
  }
  for (const { touch, row } of restored) noteGoing(trial, { ...rowTold(name, touch, row), becomes: 'as before' })
}

/** The table with what touches name by its id. */
function ownersIn({ isMadeBefore, table, owner }: RowKind) {
  return isMadeBefore ? (table as 'subjects' | 'keywords') : ownersByColumn[owner]
}

/** Where people alone have said something later of a row that the intake made, that says nothing. */
async function besidesPeople(tx: Kysely<Tables>, asked: Asked, open: OpenTouches): Promise<Asked & { readonly peoples: Set<string> }> {
  const peoples = new Set([...open].flatMap(([place, { isNew }]) => (isNew ? [place] : [])))
  await eachLater(tx, asked, async ({ intake_id, data }) => {
    if (intake_id !== nobodysIntake)
      for (const touch of JSON.parse(Buffer.from(data).toString()) as RowTouch[]) peoples.delete(touchName(touch))
    return peoples.size > 0
  })
  return { ...asked, peoples }
}

/** Gives later steps what they said too, and lists what stays as it is because of them. */
async function passLater(
  tx: Kysely<Tables>,
  asked: Asked & { readonly peoples?: Set<string> },
  open: OpenTouches,
  handsOver: boolean,
): Promise<{ touch: RowTouch; why: Why }[]> {
  const passed: { touch: RowTouch; why: Why }[] = []
  if (open.size > 0)
    await eachLater(tx, asked, async (later) => {
      const theirs = JSON.parse(Buffer.from(later.data).toString()) as RowTouch[]
      let hasChanged = false
      for (const their of theirs) {
        const mine = open.get(touchName(their))
        const isPeoples = later.intake_id === nobodysIntake && asked.peoples !== undefined
        if (mine === undefined || (isPeoples && asked.peoples.has(touchName(their)))) continue
        // The row was gone before that step made it again.
        if (their.isNew) open.delete(touchName(their))
        else {
          pass(mine, their)
          hasChanged = true
          if (Object.keys(mine.before).length > 0) continue
          // What people have hung on a record goes with it, or that is listed itself.
          if (!isPeoples) passed.push({ touch: mine, why: later.intake_id })
          open.delete(touchName(their))
        }
      }
      if (hasChanged && handsOver) await rewriteStep(tx, asked.accountId, later, Buffer.from(JSON.stringify(theirs)))
      return open.size > 0
    })
  return passed
}

function pass(mine: OpenTouch, their: RowTouch): void {
  if (mine.isNew && !mine.isPassed) {
    their.isNew = true
    mine.isPassed = true
  }
  const said = new Set([...Object.keys(their.before), ...(their.claimed ?? [])])
  const handed = Object.entries(mine.before).filter(([column]) => said.has(column))
  if (handed.length === 0) return
  const columns = new Set(handed.map(([column]) => column))
  their.before = { ...their.before, ...Object.fromEntries(handed) }
  if (their.claimed !== undefined) their.claimed = their.claimed.filter((column) => !columns.has(column))
  if (mine.authors !== undefined) their.authors = [...new Set([...(their.authors ?? []), ...mine.authors])]
  mine.before = Object.fromEntries(Object.entries(mine.before).filter(([column]) => !columns.has(column)))
}

/** The rows of which later steps have said something, changed or not. */
export async function touchedLater(
  tx: Kysely<Tables>,
  accountId: number,
  kind: RowKindName,
  steps: readonly Pick<RowTouch, 'owner' | 'key'>[],
): Promise<Set<string>> {
  const touched = new Set<string>()
  // Steps of earlier versions name by their keys what is named by its id now.
  const owners = rowKinds[kind].isMadeBefore ? ([0, Number.MAX_SAFE_INTEGER] as const) : rangeOf(steps.map(({ owner }) => owner)).owners
  const asked = { accountId, kind, after: 0, owners, times: [0, 0] as const }
  await eachLater(tx, asked, async ({ data }) => {
    for (const touch of JSON.parse(Buffer.from(data).toString()) as RowTouch[]) touched.add(touchName(touch))
    return true
  })
  return touched
}

export function touchName({ owner, key }: Pick<RowTouch, 'owner' | 'key'>): string {
  return `${owner} ${key}`
}

async function knownRowsOf(tx: Kysely<Tables>, kind: RowKind, accountId: number, touches: readonly RowTouch[]): Promise<Map<string, Row>> {
  const known = new Map<string, Row>()
  if (kind.isMadeBefore) {
    for (const part of parts(touches.map(({ owner }) => owner)))
      for (const row of await rowsOfKind(tx, kind, accountId).where('id', 'in', part).execute()) known.set(`${row.id} `, row)
    return known
  }
  for (const part of parts(touches.map(({ owner, key }) => ({ owner: { id: owner }, second: key }))))
    for (const [place, row] of await knownRows(tx, kind, accountId, part)) known.set(place, row)
  return known
}

export function rowLeft(name: RowKindName, { owner, key }: Pick<RowTouch, 'owner' | 'key'>, row: Row | undefined, why: Why): LeftRecord {
  return { ...rowTold(name, { owner, key }, row), why }
}

function rowTold(name: RowKindName, { owner, key }: Pick<RowTouch, 'owner' | 'key'>, row: Row | undefined): Omit<LeftRecord, 'why'> {
  const kind = rowKinds[name]
  const told =
    row === undefined
      ? [kind.second === 'key_hash' || kind.isMadeBefore ? '' : key]
      : [row.day, row.start_date, row.source_url, row.page_url, row.date, row.ref]
  const more = told.filter((value) => value !== undefined && value !== null && value !== '').join(' ')
  return { kind: name, of: recordOf(kind), id: owner, ...(more !== '' && { more }) }
}

/** What steps name by the id of a row is this row. */
function recordOf({ isMadeBefore, table, owner }: RowKind): RecordKind {
  return isMadeBefore ? (table === 'keywords' ? 'keyword' : 'subject') : recordKindOf(owner)
}
