/** The type of a rule of the interface, and how it words its result. */

import type { StatedRuleId } from '../../resources/conformance/stated-rules.ts'
import type { Probe } from './probe.ts'

export interface ConformanceRule {
  /** What it says and by what right stands in the table of stated rules. */
  readonly id: StatedRuleId
  /** It creates records, so it is skipped unless the operator allows writing. */
  readonly writes?: true
  /** Null if the rule holds, else what was found. */
  readonly check: (probe: Probe) => Promise<string | null>
}

/** Null if they are the same. */
export function expected(what: string, found: unknown, wanted: unknown): string | null {
  const [a, b] = [JSON.stringify(found), JSON.stringify(wanted)]
  return a === b ? null : `${what} is ${a?.slice(0, 300) ?? 'absent'}, not ${b?.slice(0, 300)}`
}

export function matching(what: string, found: string | null, wanted: RegExp): string | null {
  return wanted.test(found ?? '') ? null : `${what} is ${JSON.stringify(found?.slice(0, 120) ?? null)}`
}
