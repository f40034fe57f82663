/** `marquee conformance`: checks any server against the rules of the interface. It only reads unless `--write` is given. */

import { text } from 'node:stream/consumers'
import { type ConformanceLevel, conformanceLevels } from '../../../resources/conformance/stated-rules.ts'
import { type CommandInput, type Output, UsageError } from '../../command.ts'
import { Probe } from '../../conformance/probe.ts'
import type { ConformanceRule } from '../../conformance/rule.ts'
import { chosenRules, conformanceRules, type RuleVerdict, verdicts } from '../../conformance/rules.ts'
import { typed } from '../provisioning/password.ts'

/** Prints a line for each rule as it is checked; the exit code is 1 if one is broken. */
export async function conformance(given: CommandInput): Promise<Output> {
  const account = given.number('account')
  if (given.has('write') !== (account !== undefined)) throw new UsageError('--write and --account go together.')
  const [key, password] = await credentials()
  const rules = rulesOf(given).filter(({ writes }) => given.has('write') || !writes)
  const all: RuleVerdict[] = []
  for await (const verdict of verdicts(
    new Probe(given.word, key, password, { accountId: account, startDate: startDateOf(given) }),
    rules,
  )) {
    all.push(verdict)
    if (!given.wantsJson) console.log(lineOf(verdict))
  }
  const broken = all.filter(({ found }) => found !== null).length
  const note = broken === 0 ? `All ${all.length} rules hold.` : `${broken} of ${all.length} rules are broken.`
  return { ...(given.wantsJson && { document: { rules: all } }), note, exitCode: broken === 0 ? 0 : 1 }
}

function rulesOf(given: CommandInput): ConformanceRule[] {
  const level = given.text('level') ?? 'marquee'
  if (!isLevel(level)) throw new UsageError(`--level is one of ${conformanceLevels.join(', ')}.`)
  const only = (given.text('only') ?? '').split(',').filter((name) => name !== '')
  const unknown = only.find((name) => !conformanceRules.some(({ id }) => id === name || id.startsWith(`${name}.`)))
  if (unknown !== undefined) throw new UsageError(`There is no rule ${unknown}; /docs/conformance of a service lists them.`)
  return chosenRules(level, only)
}

function isLevel(word: string): word is ConformanceLevel {
  return (conformanceLevels as readonly string[]).includes(word)
}

/** The whole history of a large partner takes minutes to read, and shows no more than a week of it. */
function startDateOf(given: CommandInput): string | null {
  const day = given.text('start-date') ?? new Date(Date.now() - defaultDays * 86_400_000).toISOString().slice(0, 10)
  if (day === 'all') return null
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) throw new UsageError('--start-date is a day such as 2026-11-14, or all.')
  return day
}

const defaultDays = 7

function lineOf({ rule, level, says, by, found }: RuleVerdict): string {
  return found === null ? `ok      ${rule}  ${says}` : `broken  ${rule}  ${says}: ${found} (${level}: ${by})`
}

/** Typed without echo, or one line `KEY:PASSWORD` on standard input; neither belongs on a command line, where other users can read it. */
async function credentials(): Promise<[string, string]> {
  if (process.stdin.isTTY) return [await typed('Key: '), await typed('Password: ')]
  const [key = '', ...rest] = (await text(process.stdin)).trim().split(':')
  if (key === '') throw new UsageError('Give KEY:PASSWORD on standard input.')
  return [key, rest.join(':')]
}
