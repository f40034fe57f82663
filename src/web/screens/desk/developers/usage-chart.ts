/** How much the keys of the partner are used, day by day. */

import type { Developers } from '../../../../model/dashboard/desk/developers.ts'
import { placeBetween } from '../../../charts/axes.ts'
import type { Chart } from '../../../charts/frame.ts'
import { drawAmounts } from '../../../charts/line.ts'
import type { Words } from '../../../components/number-format.ts'

export function usageChart(words: Words, { days, usage }: Pick<Developers, 'days' | 'usage'>): Chart {
  const [from, to] = [days[0] ?? '', days.at(-1) ?? '']
  const known = new Map(usage.map((one) => [one.date, one]))
  const none = { requests: 0, refused: 0, rate_limited: 0, records: 0 }
  const rows = days.map((day) => ({ ...none, ...known.get(day), day }))
  const sum = (figure: keyof typeof none) => rows.reduce((all, row) => all + row[figure], 0)
  const series = [
    { label: 'Requests', mark: 'own', points: rows.map(({ day, requests }) => ({ day, value: requests })) },
    { label: 'Refused', mark: 'rival-1', points: rows.map(({ day, refused }) => ({ day, value: refused })) },
  ]
  return {
    id: 'usage',
    title: 'Use of all keys',
    summary: `${words.count(sum('requests'), 'request')} in 31 days, ${words.whole(sum('refused'))} of them refused; ${words.count(sum('records'), 'row')} of data came in.`,
    notes: ['Days are counted in UTC.'],
    keys: series.map(({ label, mark }) => ({ label, mark, shape: 'line' as const })),
    table: {
      caption: 'Use of all keys by day',
      columns: [
        { label: 'Day', kind: 'day' },
        { label: 'Requests', kind: 'whole' },
        { label: 'Refused', kind: 'whole' },
        { label: 'Came too fast', kind: 'whole' },
        { label: 'Rows of data', kind: 'whole' },
      ],
      rows: rows.map((row) => [row.day, row.requests, row.refused, row.rate_limited, row.records]),
      at: rows.map(({ day }) => placeBetween(from, to, day)),
    },
    draw: (size) => drawAmounts(words, { from, to }, series, size, words.whole),
  }
}
