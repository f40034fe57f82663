/** Watches every statement that the program builds while tests run: measured data is asked for and written one account at a time. */
import { subscribe } from 'node:diagnostics_channel'
import type { BuiltStatement } from '../../src/store/statements.ts'
import { type PlaneFacts, planeFacts } from '../guards/plane-rules.ts'
import { mayCross, mayWriteSeveral } from './plane-exceptions.ts'

const written = new WeakMap<object, { accounts: Set<unknown>; isExcused: boolean }>()

subscribe('marquee:statement', (message) => watch(message as BuiltStatement))

/** Who asked is looked up only where it matters, because a stack costs more than most statements. */
export function watch({ node, write }: BuiltStatement): void {
  const facts = planeFacts(node)
  const crosses = facts.planes.size > 1 ? 'names tables of the directory and measured tables in one statement' : ''
  const unbound = facts.unbound.length > 0 ? `asks ${facts.unbound.join()} without naming one account` : ''
  if (crosses || unbound) failUnless(mayCross, crosses || unbound)
  if (write !== undefined) watchWrite(write, facts.accounts)
}

/** The first account is noted with the question whether its writer may write several, and any other one asks it again. */
function watchWrite(write: object, accounts: PlaneFacts['accounts']): void {
  const so = written.get(write) ?? { accounts: new Set(), isExcused: false }
  const fresh = [...accounts].filter((account) => !so.accounts.has(account))
  if (so.isExcused || fresh.length === 0) return
  const caller = callerNow()
  if (caller === undefined) return
  written.set(write, so)
  so.isExcused = mayWriteSeveral(caller)
  for (const account of fresh) so.accounts.add(account)
  if (so.accounts.size > 1) failUnless(mayWriteSeveral, 'writes measured rows of several accounts in one transaction')
}

function failUnless(isAllowed: (caller: string) => boolean, what: string): void {
  const caller = callerNow()
  if (caller === undefined || isAllowed(caller)) return
  throw new Error(`A statement of ${caller} ${what}; see src/store/placement.ts.`)
}

/** The builder of statements alone takes more frames than are usually kept. */
function callerNow(): string | undefined {
  const usual = Error.stackTraceLimit
  Error.stackTraceLimit = 50
  const { stack = '' } = new Error()
  Error.stackTraceLimit = usual
  return callerOf(stack)
}

/** The first file of the program on the way to the statement; undefined when a test asks by itself. */
function callerOf(stack: string): string | undefined {
  const paths = stack.split('\n').map((line) => /\/((?:src|test|bench|scripts)\/[^:)]+)/.exec(line)?.[1] ?? '')
  const first = paths.find((path) => path !== '' && !/^(src\/store\/|test\/support\/watch-planes)/.test(path))
  return first?.startsWith('src/') ? first : undefined
}
