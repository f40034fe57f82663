/** The rules that let measured tables lie on other machines than the directory, as functions from statements to faults. */
import type { OperationNode, RootOperationNode } from 'kysely'
import { type Placement, placement } from '../../src/store/placement.ts'

/** What a statement does to measured tables; `accounts` are those whose rows it writes. */
export interface PlaneFacts {
  readonly planes: ReadonlySet<Placement>
  readonly written: ReadonlySet<Placement>
  readonly accounts: ReadonlySet<unknown>
  /** Measured tables that are asked for all accounts, or for several at once. */
  readonly unbound: readonly string[]
}

type Node = OperationNode & Readonly<Record<string, unknown>>

interface Level {
  readonly tables: Map<string, string>
  readonly bound: Set<string>
  readonly links: [string, string][]
  readonly values: unknown[]
}

/** Values, of which an insert may have many thousands. */
const leaves = new Set(['ValueNode', 'PrimitiveValueListNode'])
const queries = new Set(['SelectQueryNode', 'InsertQueryNode', 'UpdateQueryNode', 'DeleteQueryNode'])

export function planeFacts(root: RootOperationNode): PlaneFacts {
  const facts = { planes: new Set<Placement>(), written: new Set<Placement>(), accounts: new Set<unknown>(), unbound: [] as string[] }
  visitQueries(root as unknown as Node, (query) => judge(query, facts))
  return facts
}

function visitQueries(node: unknown, visit: (query: Node) => void): void {
  if (Array.isArray(node)) for (const one of node) visitQueries(one, visit)
  else if (typeof node === 'object' && node !== null && !leaves.has((node as Node).kind)) {
    if (queries.has((node as Node).kind)) visit(node as Node)
    for (const part of Object.values(node)) visitQueries(part, visit)
  }
}

function judge(query: Node, facts: { planes: Set<Placement>; written: Set<Placement>; accounts: Set<unknown>; unbound: string[] }): void {
  const level: Level = { tables: new Map(), bound: new Set(), links: [], values: [] }
  readLevel(query, query, level)
  const planes = new Set([...level.tables.values()].map((table) => placement[table as keyof typeof placement]).filter(Boolean))
  for (const plane of planes) facts.planes.add(plane)
  if (query.kind !== 'SelectQueryNode') for (const plane of planes) facts.written.add(plane)
  if (query.kind === 'InsertQueryNode') readInsert(query, level, facts)
  else readConditions(query, level, planes, facts)
}

function readConditions(
  query: Node,
  level: Level,
  planes: ReadonlySet<Placement>,
  facts: { accounts: Set<unknown>; unbound: string[] },
): void {
  for (const link of [...level.links, ...level.links])
    if (link.some((alias) => level.bound.has(alias))) for (const alias of link) level.bound.add(alias)
  for (const [alias, table] of level.tables)
    if (placement[table as keyof typeof placement] === 'measured' && !level.bound.has(alias) && !isBoundAlone(level))
      facts.unbound.push(table)
  if (query.kind !== 'SelectQueryNode' && planes.has('measured')) for (const value of level.values) facts.accounts.add(value)
}

/** A column without a table's name belongs to the only table there is. */
function isBoundAlone({ tables, bound }: Level): boolean {
  return tables.size === 1 && bound.has('')
}

function readInsert(query: Node, level: Level, facts: { accounts: Set<unknown> }): void {
  if (![...level.tables.values()].some((table) => placement[table as keyof typeof placement] === 'measured')) return
  const columns = ((query.columns ?? []) as Node[]).map((column) => nameOf(column))
  const at = columns.indexOf('account_id')
  const rows = ((query.values as Node | undefined)?.values ?? []) as Node[]
  for (const row of rows) facts.accounts.add(valueAt((row.values as unknown[])[at]))
}

function valueAt(value: unknown): unknown {
  return typeof value === 'object' && value !== null && (value as Node).kind === 'ValueNode' ? (value as Node).value : value
}

/** Tables and conditions of one query, not of those inside it. */
function readLevel(node: unknown, root: Node, level: Level): void {
  if (Array.isArray(node)) for (const one of node) readLevel(one, root, level)
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return
  const own = node as Node
  if (leaves.has(own.kind) || (own !== root && queries.has(own.kind))) return
  if (own.kind === 'AliasNode' && (own.node as Node).kind === 'TableNode') return void level.tables.set(nameOf(own.alias), nameOf(own.node))
  if (own.kind === 'TableNode') level.tables.set(nameOf(own), nameOf(own))
  if (own.kind === 'ReferenceNode' || own.kind === 'OnConflictNode' || own.kind === 'ReturningNode') return
  if (own.kind === 'BinaryOperationNode') readEquality(own.leftOperand, nameOf(own.operator), own.rightOperand, level)
  if (own.kind === 'RawNode') readRaw(own, level)
  for (const part of Object.values(own)) readLevel(part, root, level)
}

function readEquality(left: unknown, operator: string, right: unknown, level: Level): void {
  const alias = accountOf(left)
  if (alias === undefined || operator !== '=') return
  const other = accountOf(right)
  if (other !== undefined) level.links.push([alias, other])
  else if ((right as Node).kind === 'ValueNode') bind(level, alias, (right as Node).value)
}

/** Reports ask by hand: `account_id = value`. */
function readRaw(node: Node, level: Level): void {
  const [fragments, parts] = [node.sqlFragments as string[], node.parameters as Node[]]
  const alias = accountOf(parts[0])
  if (alias !== undefined && parts.length === 2 && fragments.join('?') === '? = ?') bind(level, alias, valueAt(parts[1]))
}

function bind(level: Level, alias: string, value: unknown): void {
  level.bound.add(alias)
  level.values.push(value)
}

/** The alias in front of an account_id, '' where there is none, undefined for anything else. */
function accountOf(node: unknown): string | undefined {
  const own = unwrapped(node as Node | undefined)
  if (own?.kind !== 'ReferenceNode' || nameOf(own.column) !== 'account_id') return undefined
  return own.table === undefined ? '' : nameOf(own.table)
}

/** What was put into a text written by hand is a text of its own around it. */
function unwrapped(node: Node | undefined): Node | undefined {
  const parts = node?.kind === 'RawNode' ? (node.parameters as Node[]) : []
  return parts.length === 1 ? parts[0] : node
}

/** The name in whichever shell it is wrapped. */
function nameOf(node: unknown): string {
  if (typeof node === 'string') return node
  const own = node as Readonly<Record<string, unknown>> | undefined
  const inner = own?.name ?? own?.identifier ?? own?.operator ?? own?.table ?? own?.column
  return inner === undefined ? '' : nameOf(inner)
}
