/** `/docs/conformance`: how any server is held to the interface, with every rule and what it cites. */

import type { Block } from '../../../lib/document.ts'
import { citationText, conformanceLevels, type StatedRule, statedRules } from '../../../resources/conformance/stated-rules.ts'

export function conformanceBlocks(): Block[] {
  return [
    { heading: 'Conformance', level: 1 },
    {
      text: 'A program that speaks the interface must work with any server of it. `marquee conformance` asks a server what the interface promises and prints a line for each rule, with the paragraph that a broken rule cites. It only reads, unless `--write` and `--account` allow it to create one user and one business in that account.',
    },
    { code: 'printf \'%s:%s\' "$KEY" "$PASSWORD" | marquee conformance https://marquee.example', language: 'sh' },
    {
      items: [
        '`--level interface` asks for what the interface itself says, `--level recommended` also for what we recommend where it is silent; without it also for what this service adds.',
        '`--only seo.types,error` asks for some rules: by name, or all whose names begin so.',
        '`--start-date 2026-11-01` looks at reports from that day on, `--start-date all` at all of them. By default it is the last seven days, because a history of years takes minutes to read.',
        '`--json` gives one document. The exit code is 1 when a rule is broken.',
      ],
    },
    ...conformanceLevels.flatMap((level) => [
      { heading: titles[level], level: 2 } as const,
      { table: { head: ['Rule', 'What it says', 'By'], rows: rowsOf(level) } },
    ]),
  ]
}

const titles = { interface: 'Rules of the interface', recommended: 'Recommended', marquee: 'Of this service' } as const

function rowsOf(level: StatedRule['level']): string[][] {
  const rules = Object.entries<StatedRule>(statedRules).filter(([, rule]) => rule.level === level)
  return rules.map(([id, { says, by }]) => [`\`${id}\``, says, citationText(by)])
}
