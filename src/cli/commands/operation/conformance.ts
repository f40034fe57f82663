/** `marquee conformance`: checks any server against the rules of the interface. It only reads unless `--write` is given. */

import { text } from 'node:stream/consumers'
import { type CommandInput, type Output, UsageError } from '../../command.ts'
import { Probe } from '../../conformance/probe.ts'
import { conformanceRules, type RuleVerdict, verdicts } from '../../conformance/rules.ts'
import { typed } from '../provisioning/password.ts'

/** Prints a line for each rule as it is checked; the exit code is 1 if one is broken. */
export async function conformance(given: CommandInput): Promise<Output> {
  const account = given.number('account')
  if (given.has('write') !== (account !== undefined)) throw new UsageError('--write and --account go together.')
  const [key, password] = await credentials()
  const rules = conformanceRules.filter(({ writes }) => given.has('write') || !writes)
  const all: RuleVerdict[] = []
  for await (const verdict of verdicts(new Probe(given.word, key, password, account), rules)) {
    all.push(verdict)
    if (!given.wantsJson) console.log(lineOf(verdict))
  }
  const broken = all.filter(({ found }) => found !== null).length
  const note = broken === 0 ? `All ${all.length} rules hold.` : `${broken} of ${all.length} rules are broken.`
  return { ...(given.wantsJson && { document: { rules: all } }), note, exitCode: broken === 0 ? 0 : 1 }
}

function lineOf({ rule, says, found }: RuleVerdict): string {
  return found === null ? `ok      ${rule}  ${says}` : `broken  ${rule}  ${says}: ${found}`
}

/** Typed without echo, or one line `KEY:PASSWORD` on standard input; neither belongs on a command line, where other users can read it. */
async function credentials(): Promise<[string, string]> {
  if (process.stdin.isTTY) return [await typed('Key: '), await typed('Password: ')]
  const [key = '', ...rest] = (await text(process.stdin)).trim().split(':')
  if (key === '') throw new UsageError('Give KEY:PASSWORD on standard input.')
  return [key, rest.join(':')]
}
