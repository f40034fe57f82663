/** The interface as rules for any server: each says what must hold, and what was found if it does not. */

import { accessRules } from './access-rules.ts'
import type { Probe } from './probe.ts'
import { provisioningRules } from './provisioning-rules.ts'
import { reportRules } from './report-rules.ts'
import type { ConformanceRule } from './rule.ts'

export interface RuleVerdict {
  readonly rule: string
  readonly says: string
  readonly found: string | null
}

export const conformanceRules: readonly ConformanceRule[] = [...accessRules, ...reportRules, ...provisioningRules]

/** Runs one after the other, because rules that write build on each other. A rule that throws is broken. */
export async function* verdicts(probe: Probe, rules: readonly ConformanceRule[]): AsyncGenerator<RuleVerdict, void, undefined> {
  for (const { id, says, check } of rules) {
    const found = await check(probe).catch((error: unknown) => (error instanceof Error ? error.message : String(error)))
    yield { rule: id, says, found }
  }
}
