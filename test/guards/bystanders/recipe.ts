/** How a change is made for once, and which rows may differ afterwards. */
import type { Difference, Row, TableName } from './rows.ts'

type Value = string | number | null
/** Rows by the values of some of their columns. */
export type Where = Readonly<Record<string, Value | readonly Value[]>>
export type Named = { readonly [T in TableName]?: Where | readonly Where[] }

export interface Others {
  readonly why: string
  readonly changes: Named
}

/** What a change may do. */
export interface Expected {
  /** What is special about it where a row of the table has several. */
  readonly as?: string
  readonly prepare?: () => Promise<unknown>
  /** The rows that it changes or removes. Each that is named by its id differs, and at least one of each table. */
  readonly changes?: Named
  /** The tables to which it adds rows, beside those to which every change may. */
  readonly adds?: readonly TableName[]
  /** What it changes for others than those it names. */
  readonly others?: Others
  /** Set if the way back is closed, so that the next change finds the world as this one has left it. */
  readonly stays?: true
}

export interface Recipe extends Expected {
  /** The row of its table, as the guard calls it. */
  readonly of: string
  /** Fails unless the change is made. */
  readonly act: () => Promise<unknown>
  /** Whether it is done in another process or thread. */
  readonly isElsewhere?: true
}

export function nameOf({ of, as }: Recipe): string {
  return as === undefined ? of : `${of}, ${as}`
}

/** Every change is recorded, told and counted, and its answer kept. */
const alwaysAdded: readonly TableName[] = [
  'event_drafts',
  'audit_entries',
  'audit_details',
  'idempotency_records',
  'usage_days',
  'requests',
]

/** What differs although nobody named it, and what was named and does not differ. `always` may change with any request. */
export function faultsOf(recipe: Recipe, differences: readonly Difference[], always: Named): string[] {
  const { changes = {}, adds = [], others } = recipe
  const allowed = [changes, always, ...(others === undefined ? [] : [others.changes])]
  const isExpected = ({ table, before }: Difference) =>
    before === undefined ? [...alwaysAdded, ...adds].includes(table) : allowed.some((named) => isNamed(named, table, before))
  const idle = [
    ...Object.keys(changes).filter((name) => !differences.some(({ table, before }) => table === name && before !== undefined)),
    ...adds.filter((name) => !differences.some(({ table, before }) => table === name && before === undefined)),
  ]
  const touched = differences.filter(({ before }) => before !== undefined)
  const spared = Object.entries(changes).flatMap(([name, wheres]) =>
    ([wheres].flat() as readonly Where[])
      .flatMap(({ id = [] }) => [id].flat())
      .filter((id) => !touched.some(({ table, before }) => table === name && before?.['id'] === id))
      .map((id) => `${name} ${id}`),
  )
  return [
    ...spared.map((name) => `${nameOf(recipe)}: ${name} does not differ`),
    ...differences.filter((one) => !isExpected(one)).map((one) => `${nameOf(recipe)}: ${told(one)}`),
    ...idle.map((name) => `${nameOf(recipe)}: nothing differs in ${name}`),
  ]
}

function isNamed(named: Named, table: TableName, row: Row): boolean {
  const wheres = [named[table] ?? []].flat() as readonly Where[]
  return wheres.some((where) => Object.entries(where).every(([column, value]) => ([value].flat() as unknown[]).includes(row[column])))
}

function told({ table, before, after }: Difference): string {
  const names = Object.keys(before ?? after ?? {})
  if (before === undefined || after === undefined)
    return `${table} ${before === undefined ? 'has a new row' : 'lost'} ${textOf(before ?? after, names)}`
  const changed = names.filter((name) => String(before[name]) !== String(after[name]))
  const key = names.slice(0, 2).filter((name) => !changed.includes(name))
  return `${table} ${textOf(before, key)} became ${textOf(after, changed)}`
}

function textOf(row: Row | undefined, names: readonly string[]): string {
  return names.map((name) => `${name}=${row?.[name] instanceof Uint8Array ? '(bytes)' : row?.[name]}`).join(' ')
}
