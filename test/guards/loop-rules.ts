/** Statements in loops inside a transaction: with each row a statement of its own, everybody else who writes waits for as many. */
import {
  type ArrowFunctionExpression,
  type Function as FunctionNode,
  type Node,
  type ParamPattern,
  parseSync,
  visitorKeys,
} from 'oxc-parser'
import type { Source } from '../support/sources.ts'

export interface LoopFault {
  /** The file and the function, which stay when lines move. */
  readonly place: string
  readonly says: string
}

type Work = FunctionNode | ArrowFunctionExpression
/** Names that stand for a transaction, or for something that makes a statement of it. */
type Names = ReadonlySet<string>

interface Routine {
  readonly source: Source
  readonly name: string
  readonly work: Work
  readonly transactions: Set<string>
}

const loops: Names = new Set(['ForStatement', 'ForOfStatement', 'ForInStatement', 'WhileStatement', 'DoWhileStatement'])
const iterations: Names = new Set(['map', 'flatMap', 'forEach', 'reduce'])
/** What these give is few by construction: `atMost` throws beyond its bound, `dependentsOf` reads a table of the source, the others make one statement of many rows. */
const bounded: Names = new Set(['atMost', 'batchesOf', 'parts', 'dependentsOf'])

/** A name is followed to where it is declared, in whichever file: exported names mean one thing, and a parameter named `tx` is a transaction. */
export function statementsInLoops(sources: readonly Source[]): LoopFault[] {
  const holders = new Set(
    sources.flatMap(({ text }) =>
      [...text.matchAll(/^(?:export )?interface (\w+)[^}]*\n {2}readonly tx: /gm)].map(([, name = '']) => name),
    ),
  )
  const routines = sources.flatMap((source) => routinesOf(source, holders))
  while (passOn(routines));
  const faults = routines.flatMap(faultsOf)
  return [...new Map(faults.map((fault) => [fault.says, fault])).values()]
}

function routinesOf(source: Source, holders: Names): Routine[] {
  const { program, errors } = parseSync(source.path, source.text)
  if (errors.length > 0) throw new Error(`${source.path} cannot be parsed: ${errors[0]?.message}`)
  const found: Routine[] = []
  const look = (node: Node, name: string) => {
    const own = nameOf(node) ?? name
    if (isWork(node)) {
      const given = node.params.filter((param) => nameOf(param) === 'tx' || holders.has(typeOf(source, param)))
      found.push({ source, name: own, work: node, transactions: new Set(given.map((param) => nameOf(param) ?? '')) })
    }
    for (const child of childrenOf(node)) look(child, own)
  }
  look(program, '')
  return found
}

/** What a function passes on as a transaction is one there as well; returns whether that was news. */
function passOn(routines: readonly Routine[]): boolean {
  const byName = Map.groupBy(routines, ({ name }) => name)
  let isNews = false
  for (const { work, transactions } of routines.filter((routine) => routine.transactions.size > 0))
    for (const node of all(work)) {
      if (node.type !== 'CallExpression') continue
      for (const [place, argument] of node.arguments.entries())
        for (const called of transactions.has(nameOf(argument) ?? '') ? (byName.get(nameOf(node.callee) ?? '') ?? []) : []) {
          const param = called.work.params[place]
          if (param === undefined || called.transactions.has(nameOf(param) ?? '') || !/^(Kysely|Db\b)/.test(typeOf(called.source, param)))
            continue
          called.transactions.add(nameOf(param) ?? '')
          isNews = true
        }
    }
  return isNews
}

function faultsOf({ source, name, work, transactions }: Routine): LoopFault[] {
  const faults: LoopFault[] = []
  const names = new Set(transactions)
  const look = (node: Node, loop: Node | undefined) => {
    if (isWork(node) && node !== work && node.params.some((param) => names.has(nameOf(param) ?? ''))) return
    // A query that is being built, or a function that makes one; what was awaited is rows.
    if (node.type === 'VariableDeclarator' && node.init && mentions(node.init, names)) names.add(nameOf(node.id) ?? '')
    if (loop !== undefined && node.type === 'Identifier' && names.has(node.name)) {
      const line = source.text.slice(0, loop.start).split('\n').length
      faults.push({ place: `${source.path} ${name}`, says: `${source.path}:${line} ${source.text.slice(loop.start).split('\n')[0]}` })
    } else for (const child of childrenOf(node)) look(child, isRepeated(node, child, source) ? node : loop)
  }
  if (names.size > 0) look(work, undefined)
  return faults
}

function mentions(node: Node, names: Names): boolean {
  if (node.type === 'AwaitExpression') return false
  return node.type === 'Identifier' ? names.has(node.name) : childrenOf(node).some((child) => mentions(child, names))
}

/** Whether this part of a statement is done once for each row. */
function isRepeated(node: Node, child: Node, source: Source): boolean {
  if (loops.has(node.type) && !waits(node)) return false
  if (node.type === 'ForOfStatement' || node.type === 'ForInStatement') return child === node.body && !isFew(node.right, source)
  if (node.type === 'CallExpression' && node.callee.type === 'MemberExpression' && iterations.has(nameOf(node.callee.property) ?? ''))
    return child !== node.callee && !isFew(node.callee.object, source)
  return loops.has(node.type)
}

/** A loop that waits for nothing builds a query, or works in memory. */
function waits(node: Node): boolean {
  return (
    node.type === 'AwaitExpression' ||
    (node.type === 'ForOfStatement' && node.await) ||
    childrenOf(node).some((child) => !isWork(child) && waits(child))
  )
}

/** A list that a bounded helper gives, or that stands in the source as a table. */
function isFew(list: Node, source: Source): boolean {
  if (list.type === 'TSAsExpression') return isFew(list.expression, source)
  if (list.type === 'ArrayExpression') return list.elements.every((element) => element?.type !== 'SpreadElement')
  if (list.type === 'CallExpression' && list.callee.type === 'MemberExpression') return isFew(list.callee.object, source)
  if (list.type === 'CallExpression') return bounded.has(nameOf(list.callee) ?? '')
  return (
    list.type === 'Identifier' &&
    new RegExp(`^(?:export )?const ${list.name}\\b|^import \\{[^}]*\\b${list.name}\\b[^}]*\\} from`, 'm').test(source.text)
  )
}

function isWork(node: Node): node is Work {
  return node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression'
}

function nameOf(node: Node): string | undefined {
  if (node.type === 'Identifier' || node.type === 'PrivateIdentifier') return node.name
  if (node.type === 'VariableDeclarator') return nameOf(node.id)
  if (node.type === 'MethodDefinition') return nameOf(node.key)
  return node.type === 'FunctionDeclaration' && node.id !== null ? node.id.name : undefined
}

function typeOf({ text }: Source, param: ParamPattern): string {
  const type = 'typeAnnotation' in param ? param.typeAnnotation : undefined
  return type ? text.slice(type.start, type.end).replace(/^\W+/, '') : ''
}

function* all(node: Node): Generator<Node> {
  yield node
  for (const child of childrenOf(node)) yield* all(child)
}

/** What can be a name of its own: the names of members and of properties are none. */
function childrenOf(node: Node): Node[] {
  if (node.type === 'MemberExpression' && !node.computed) return [node.object]
  if (node.type === 'Property' && !node.computed) return [node.value]
  const keys = (visitorKeys[node.type] ?? []) as (keyof Node)[]
  return keys
    .flatMap((key) => [node[key] as unknown as Node | null | (Node | null)[]].flat())
    .filter((child) => child !== null && child !== undefined)
}
