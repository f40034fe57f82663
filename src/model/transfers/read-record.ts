/** Checks a line of an account export column by column, and replaces the old ids by those of this installation. */

import { refuse } from '../../lib/failures.ts'
import { hasForbiddenCharacters } from '../../lib/xml/xml.ts'
import { type TransferColumn, type TransferColumns, type TransferKind, type TransferOwner, transferColumns } from './kinds.ts'
import type { TransferIds } from './transfer-ids.ts'

export type TransferRow = Readonly<Record<string, string | number | null>>

/** The record refers to one that was not imported. */
export const unreferred = Symbol('unreferred')

/** Returns the row to store, or `unreferred`; a line that no export writes is refused with its number. */
export function readRecord(
  ids: TransferIds,
  kind: TransferKind,
  record: Readonly<Record<string, unknown>>,
  line: number,
): TransferRow | typeof unreferred {
  const row: Record<string, string | number | null> = {}
  const columns: TransferColumns = transferColumns[kind]
  for (const [name, column] of Object.entries(columns)) {
    const value = Object.hasOwn(record, name) ? record[name] : absent(column)
    if (!isOfKind(column, value)) refuse('bad_request', `Line ${line}: ${name} of ${kind} is not what an export writes`)
    const read = here(ids, column, value as string | number | null)
    if (read === undefined) return unreferred
    row[name] = read
  }
  return row
}

/** An export that was written before the column existed; undefined for what every export has. */
function absent(column: TransferColumn): null | 0 | undefined {
  if (typeof column !== 'string') return undefined
  return column.endsWith('?') ? null : column.endsWith(' or 0') ? 0 : undefined
}

const mostCharacters = 1 << 20

function isOfKind(column: TransferColumn, value: unknown): boolean {
  if (Array.isArray(column)) return column.includes(value)
  if (column === 'text?' || column === 'site?' || column === 'user?') if (value === null) return true
  if (column === 'text' || column === 'text?')
    return typeof value === 'string' && value.length <= mostCharacters && !hasForbiddenCharacters(value)
  return Number.isSafeInteger(value) && (value as number) >= 0
}

function here(ids: TransferIds, column: TransferColumn, value: string | number | null): string | number | null | undefined {
  if (value === null || Array.isArray(column) || column === 'text' || column === 'text?' || column === 'whole') return value
  const [owner, rest] = (column as string).split(/(\?| or 0)/) as [TransferOwner, string | undefined]
  const known = ids.of(owner, value as number)
  return known ?? (rest === undefined ? undefined : rest === '?' ? null : 0)
}
