/** The page of deprecations: since when, until when, and what to use instead. */

import type { Block } from '../../../lib/document.ts'
import { deprecations } from '../../deprecations.ts'

export function deprecationBlocks(): Block[] {
  const rows = deprecations.map(({ method, path, since, sunset, instead }) => [
    `\`${method} /api/${path}\``,
    since,
    sunset ?? 'stays',
    instead,
  ])
  return [
    { heading: 'Deprecations', level: 1 },
    {
      text: '`/api` is version 1 and only grows. What is old still works and says so: its answers carry `Deprecation` (RFC 9745) with the day, a `Link` to this page, and `Sunset` (RFC 8594) where a day is known on which it ends.',
    },
    { table: { head: ['What is old', 'Since', 'Ends', 'Use instead'], rows } },
  ]
}
