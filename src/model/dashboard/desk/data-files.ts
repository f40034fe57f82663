/** What came in for the customers of somebody of the staff: files and what programs sent, the newest first, each with what it holds and what became of it. */

import { oneLine } from '../../../lib/one-line.ts'
import type { Intake, IntakeCounts, IntakeState } from '../../../resources/intake.ts'
import type { StaffCaller } from '../../core/caller.ts'
import { accountsWithin } from '../../core/tenancy.ts'
import { findIntake, type IntakeRecord, intakesWithin } from '../../intakes/intakes.ts'
import { hasRefusedLines } from '../../intakes/refused-lines.ts'
import { undoable } from '../../intakes/undo.ts'

export interface DataFile {
  readonly id: number
  /** Null if it is for all customers. */
  readonly customer: { readonly id: number; readonly name: string } | null
  readonly via: Intake['via']
  readonly file_name: string | null
  readonly state: IntakeState
  readonly kinds: readonly IntakeCounts['kind'][]
  /** The presets by which it was recognised, separated by commas. */
  readonly recognised_as: string | null
  readonly stored: number
  readonly refused: number
  readonly actor: string
  readonly created_at: string
}

interface Wanted {
  readonly which: 'files' | 'programs' | 'faults'
  readonly customer: number | null
  /** Only what came before this one. */
  readonly before: number | null
}

export const filesAtOnce = 100

/** One more than are shown tells that there are older ones. */
export async function listDataFiles(caller: StaffCaller, { which, customer, before }: Wanted): Promise<DataFile[]> {
  let files = intakesWithin(caller).leftJoin('accounts', 'accounts.id', 'intakes.account_id')
  if (which === 'faults') files = files.where('intakes.refused', '>', 0)
  else files = files.where('via', which === 'files' ? '!=' : '=', 'push')
  if (customer !== null) files = files.where('intakes.account_id', '=', customer)
  if (before !== null) files = files.where('intakes.id', '<', before)
  const rows = await files
    .select(['intakes.id', 'account_id', 'accounts.name', 'via', 'file_name', 'intakes.state', 'counts', 'recognised_as'])
    .select(['stored', 'refused', 'actor', 'intakes.created_at'])
    .orderBy('intakes.id', 'desc')
    .limit(filesAtOnce + 1)
    .execute()
  return rows.map(({ account_id, name, counts, ...row }) => {
    const kinds = JSON.parse(counts) as Record<IntakeCounts['kind'], IntakeCounts>
    return {
      ...row,
      customer: customerOf(account_id, name),
      kinds: Object.keys(kinds) as IntakeCounts['kind'][],
      stored: storedOf(row, Object.values(kinds)),
    }
  })
}

export type FileState = Pick<DataFile, 'id' | 'state' | 'stored' | 'refused'>

/** How far files have come, by their ids; not those of customers whom the caller does not reach. */
export async function readFileStates(caller: StaffCaller, ids: readonly number[]): Promise<ReadonlyMap<number, FileState>> {
  if (ids.length === 0) return new Map()
  const files = intakesWithin(caller).select(['intakes.id', 'intakes.state', 'counts', 'stored', 'refused'])
  const rows = await files.where('intakes.id', 'in', ids).execute()
  return new Map(rows.map(({ counts, ...row }) => [row.id, { ...row, stored: storedOf(row, Object.values(JSON.parse(counts))) }]))
}

export interface OpenDataFile {
  readonly file: IntakeRecord
  readonly customer: DataFile['customer']
  readonly stored: number
  readonly hasRefusedLines: boolean
  readonly mayUndo: boolean
  readonly mayStop: boolean
}

/** A file of a customer whom the caller does not reach does not exist. */
export async function openDataFile(caller: StaffCaller, id: number): Promise<OpenDataFile> {
  const file = await findIntake(caller, id)
  const accounts = accountsWithin(caller)
    .select('accounts.name')
    .where('accounts.id', '=', file.account_id ?? 0)
  const account = await accounts.executeTakeFirst()
  const isGoing = file.via === 'upload' && goesOn.has(file.state)
  return {
    file,
    customer: customerOf(file.account_id, account?.name ?? null),
    stored: storedOf(file, file.kinds),
    hasRefusedLines: await hasRefusedLines(caller, id),
    mayUndo: !isGoing && undoable.has(file.state),
    mayStop: isGoing,
  }
}

const goesOn: ReadonlySet<IntakeState> = new Set<IntakeState>(['waiting', 'checking', 'storing'])

function customerOf(id: number | null, name: string | null): DataFile['customer'] {
  return id === null ? null : { id, name: oneLine(name ?? '') }
}

/** While a file is being stored its kinds are not counted yet; of what is checked alone nothing is stored. */
function storedOf({ state, stored }: Pick<Intake, 'state' | 'stored'>, kinds: readonly Omit<IntakeCounts, 'kind'>[]): number {
  if (state !== 'stored') return state === 'storing' ? stored : 0
  return kinds.reduce((sum, { created, updated, unchanged }) => sum + created + updated + unchanged, 0)
}
