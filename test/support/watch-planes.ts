/** Watches every statement that the program builds while tests run: measured data is asked for and written one account at a time. */
import { subscribe } from 'node:diagnostics_channel'
import type { BuiltStatement } from '../../src/store/statements.ts'
import { planeFacts } from '../guards/plane-rules.ts'
import { mayCross, mayWriteSeveral } from './plane-exceptions.ts'

const written = new WeakMap<object, { accounts: Set<unknown>; isExcused: boolean }>()

// The builder of statements alone takes more frames than are usually kept.
Error.stackTraceLimit = 50

subscribe('marquee:statement', (message) => {
  const caller = callerOf(new Error().stack ?? '')
  if (caller !== undefined) watch(message as BuiltStatement, caller)
})

function watch({ node, write }: BuiltStatement, caller: string): void {
  const facts = planeFacts(node)
  if (facts.planes.size > 1 && !mayCross(caller)) fail(caller, 'names tables of the directory and measured tables in one statement')
  if (facts.unbound.length > 0 && !mayCross(caller)) fail(caller, `asks ${facts.unbound.join()} without naming one account`)
  if (write === undefined || facts.written.size === 0) return
  const so = written.get(write) ?? { accounts: new Set(), isExcused: false }
  written.set(write, so)
  so.isExcused ||= mayWriteSeveral(caller)
  if (so.isExcused) return
  for (const account of facts.accounts) so.accounts.add(account)
  if (so.accounts.size > 1) fail(caller, 'writes measured rows of several accounts in one transaction')
}

/** The first file of the program on the way to the statement; undefined when a test asks by itself. */
function callerOf(stack: string): string | undefined {
  const paths = stack.split('\n').map((line) => /\/((?:src|test|bench|scripts)\/[^:)]+)/.exec(line)?.[1] ?? '')
  const first = paths.find((path) => path !== '' && !/^(src\/store\/|test\/support\/watch-planes)/.test(path))
  return first?.startsWith('src/') ? first : undefined
}

function fail(caller: string, what: string): never {
  throw new Error(`A statement of ${caller} ${what}; see src/store/placement.ts.`)
}
