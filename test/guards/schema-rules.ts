/** The rules of the schema as functions from facts to faults; an empty list means that the rule holds. */
import type { Placement } from '../../src/store/placement.ts'
import type { ColumnFact, ForeignKeyFact, KeyFact } from '../support/schema-facts.ts'
import type { Source } from '../support/sources.ts'

export type Placements = Readonly<Record<string, Placement>>

/** The one key of a measured table to the directory beside `account_id` to `accounts`; both are dropped when tables are spread over machines. */
const toDirectory = ['subjects.site_id to sites']

export function keysWithoutAccount(placement: Placements, keys: readonly KeyFact[]): string[] {
  return keys
    .filter(({ table, columns }) => placement[table] === 'measured' && columns[0] !== 'account_id')
    .map(({ table, columns }) => `${table} has the unique key (${columns.join(', ')}), which account_id does not lead`)
}

export function referencesAcross(placement: Placements, keys: readonly ForeignKeyFact[]): string[] {
  const measured = keys.filter(({ table }) => placement[table] === 'measured')
  const isAllowed = ({ table, columns, to }: ForeignKeyFact) =>
    placement[to] === 'measured'
      ? columns[0] === 'account_id' && columns.length > 1
      : (columns.join() === 'account_id' && to === 'accounts') || toDirectory.includes(`${table}.${columns.join()} to ${to}`)
  return measured.filter((key) => !isAllowed(key)).map(({ table, columns, to }) => `${table} refers to ${to} by (${columns.join(', ')})`)
}

export function directoryReferencesToMeasured(placement: Placements, keys: readonly ForeignKeyFact[]): string[] {
  return keys
    .filter(({ table, to }) => placement[table] === 'directory' && placement[to] === 'measured')
    .map(({ table, to }) => `${table} lies in the directory and refers to ${to}, which is measured`)
}

/** The row types as they are written: each table with its columns. */
export function writtenRows(sources: readonly Source[]): Map<string, ColumnFact[]> {
  const text = sources.map((source) => source.text.replace(/\/\*\*[\s\S]*?\*\/|\/\/.*/g, '')).join('\n')
  const interfaces = new Map(
    [...text.matchAll(/interface (\w+)[^{]*\{([^}]*)\}/g)].map(([, name = '', body = '']) => [name, fieldsIn(body)]),
  )
  const tables = [...interfaces].filter(([name]) => name.endsWith('Tables')).flatMap(([, fields]) => fields)
  return new Map(tables.map(([table, row]) => [table, (interfaces.get(row) ?? []).map(([name, type]) => columnOf(name, type))]))
}

export function differences(written: ReadonlyMap<string, ColumnFact[]>, migrated: ReadonlyMap<string, ColumnFact[]>): string[] {
  const tables = new Set([...written.keys(), ...migrated.keys()])
  return [...tables].flatMap((table) => differencesOf(table, written.get(table) ?? [], migrated.get(table) ?? []))
}

function differencesOf(table: string, written: readonly ColumnFact[], migrated: readonly ColumnFact[]): string[] {
  const [one, other] = [byName(written), byName(migrated)]
  return [...new Set([...one.keys(), ...other.keys()])].flatMap((name) => {
    const [type, column] = [one.get(name), other.get(name)]
    if (type === column) return []
    return [`${table}.${name} is ${type ?? 'missing'} among the row types and ${column ?? 'missing'} in the database`]
  })
}

function byName(columns: readonly ColumnFact[]): Map<string, string> {
  // A row type has one word for both kinds of number.
  const kindOf = (kind: string) => (kind === 'real' ? 'integer' : kind)
  const said = ({ kind, isNullable, isGiven }: ColumnFact) =>
    [isNullable ? 'nullable' : 'required', kindOf(kind), ...(isGiven ? ['given by the database'] : [])].join(' ')
  return new Map(columns.map((column) => [column.name, said(column)]))
}

function fieldsIn(body: string): [string, string][] {
  return [...body.matchAll(/^\s*(\w+): (.+)$/gm)].map(([, name = '', type = '']) => [name, type])
}

function columnOf(name: string, type: string): ColumnFact {
  const own = /^Generated<(.*)>$/.exec(type)?.[1] ?? /^ColumnType<.*, (.*)>$/.exec(type)?.[1] ?? type
  const words = own.split(' | ').filter((word) => word !== 'null')
  return { name, kind: kindOf(words[0] ?? ''), isNullable: own.includes('| null'), isGiven: type.startsWith('Generated<') }
}

function kindOf(word: string): string {
  if (word === 'Uint8Array') return 'bytes'
  return /^(number|Bit|\d+)$/.test(word) ? 'integer' : 'text'
}

interface Step {
  readonly name: string
  readonly worksFrom?: string
}

/** Steps whose number is not larger than the one before, or that name a step which does not come before them. */
export function misnumbered(steps: readonly Step[]): string[] {
  const faulty = steps.filter(({ name, worksFrom }, index) => {
    const before = steps.slice(0, index)
    const isLater = name.slice(0, 4) > (before.at(-1)?.name.slice(0, 4) ?? '')
    return !isLater || (worksFrom !== undefined && !before.some((step) => step.name === worksFrom))
  })
  return faulty.map(({ name }) => name)
}
