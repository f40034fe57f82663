/** The interface as rules for any server: each says what must hold, and what was found if it does not. */

import {
  type ConformanceLevel,
  citationText,
  conformanceLevels,
  type StatedRuleId,
  statedRules,
} from '../../resources/conformance/stated-rules.ts'
import { accessRules } from './access-rules.ts'
import type { Probe } from './probe.ts'
import { provisioningRules } from './provisioning-rules.ts'
import { reportRules } from './report-rules.ts'
import type { ConformanceRule } from './rule.ts'

export interface RuleVerdict {
  readonly rule: StatedRuleId
  readonly level: ConformanceLevel
  readonly says: string
  readonly by: string
  readonly found: string | null
}

export const conformanceRules: readonly ConformanceRule[] = [...accessRules, ...reportRules, ...provisioningRules]

/** Those of a level and of the levels before it, and of these only the named ones: `seo.types`, or `seo` for all that begin so. */
export function chosenRules(level: ConformanceLevel, only: readonly string[]): ConformanceRule[] {
  const upTo = conformanceLevels.indexOf(level)
  const isNamed = (id: string) => only.length === 0 || only.some((name) => id === name || id.startsWith(`${name}.`))
  return conformanceRules.filter(({ id }) => conformanceLevels.indexOf(statedRules[id].level) <= upTo && isNamed(id))
}

/** Runs one after the other, because rules that write build on each other. A rule that throws is broken. */
export async function* verdicts(probe: Probe, rules: readonly ConformanceRule[]): AsyncGenerator<RuleVerdict, void, undefined> {
  for (const { id, check } of rules) {
    const { level, says, by } = statedRules[id]
    const found = await check(probe).catch((error: unknown) => (error instanceof Error ? error.message : String(error)))
    yield { rule: id, level, says, by: citationText(by), found }
  }
}
