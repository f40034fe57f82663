/** The conditions of statements that write, and of reads whose row is then written: each a mutant of the source that lacks it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CallExpression, type Expression, type Node, parseSync, Visitor } from 'oxc-parser'
import type { Change } from './tree.ts'

export interface WhereMutant extends Change {
  readonly line: number
  /** Where the condition begins in the text. */
  readonly at: number
  readonly of: 'write' | 'read'
  /** The condition that is taken away. */
  readonly says: string
}

const writing: ReadonlySet<string> = new Set(['updateTable', 'deleteFrom'])

export function wheresIn(tree: string, file: string): WhereMutant[] {
  const text = readFileSync(join(tree, file), 'utf8')
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`)
  return program.body.flatMap(functionsOf).flatMap((part) => {
    const calls = callsIn(part)
    const writesAtAll = calls.some((call) => writing.has(methodOf(call) ?? '') || /^(write|change)$/.test(calleeName(call)))
    const variables = variablesIn(part)
    return calls.flatMap((call): WhereMutant[] => {
      if (methodOf(call) !== 'where' || call.callee.type !== 'MemberExpression') return []
      const isWrite = methodsBelow(call, variables).some((name) => writing.has(name))
      if (!isWrite && !writesAtAll) return []
      const { end } = call.callee.object
      const line = text.slice(0, text.indexOf('where', end)).split('\n').length
      const says = text.slice(end, call.end).replace(/\s+/g, ' ').trim()
      return [{ file, line, at: end, of: isWrite ? 'write' : 'read', says, from: text, to: text.slice(0, end) + text.slice(call.end) }]
    })
  })
}

/** The methods of a class are functions of their own. */
function functionsOf(statement: Node): readonly Node[] {
  const declared = statement.type === 'ExportNamedDeclaration' ? (statement.declaration ?? statement) : statement
  return declared.type === 'ClassDeclaration' ? declared.body.body : [declared]
}

function callsIn(node: Node): CallExpression[] {
  const calls: CallExpression[] = []
  visit(node, { CallExpression: (call) => void calls.push(call) })
  return calls
}

/** What each variable of a function begins with, so that a chain that goes on with it is known. */
function variablesIn(node: Node): ReadonlyMap<string, Expression> {
  const found = new Map<string, Expression>()
  visit(node, {
    VariableDeclarator({ id, init }) {
      if (id.type === 'Identifier' && init !== null) found.set(id.name, init)
    },
  })
  return found
}

function visit(node: Node, visitors: ConstructorParameters<typeof Visitor>[0]): void {
  new Visitor(visitors).visit({ type: 'Program', body: [node], sourceType: 'module', hashbang: null, start: 0, end: 0 } as never)
}

/** The methods of a chain from its end to its beginning. */
function methodsBelow(node: Expression, variables: ReadonlyMap<string, Expression>, depth = 0): string[] {
  if (node.type === 'CallExpression') {
    const method = methodOf(node)
    if (node.callee.type !== 'MemberExpression' || method === undefined) return []
    return [method, ...methodsBelow(node.callee.object as Expression, variables, depth)]
  }
  const begun = node.type === 'Identifier' ? variables.get(node.name) : undefined
  return begun === undefined || depth > 5 ? [] : methodsBelow(begun, variables, depth + 1)
}

function methodOf({ callee }: CallExpression): string | undefined {
  return callee.type === 'MemberExpression' && callee.property.type === 'Identifier' ? callee.property.name : undefined
}

function calleeName(call: CallExpression): string {
  return call.callee.type === 'Identifier' ? call.callee.name : (methodOf(call) ?? '')
}
