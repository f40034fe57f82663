/** The period a page shows, from its address: 30, 90 or 180 days to today, or two days of one's own. */

import { dayNumber, daysLater, isDay } from '../../lib/days.ts'
import type { Period } from '../../model/dashboard/positions.ts'
import type { PageRequest } from '../page-request.ts'

export interface ChosenPeriod extends Period {
  readonly days: number
  /** Null: two days of one's own. */
  readonly preset: number | null
  /** Why the wish could not be followed. */
  readonly complaint: string | null
}

export const presets = [30, 90, 180] as const
const fallback = 90
const mostDays = 1_100

export function periodOf({ query, app }: PageRequest): ChosenPeriod {
  const today = app.clock.now().slice(0, 10)
  const [from, to] = [query.get('from') ?? '', query.get('to') ?? '']
  if (from === '' && to === '') return presetPeriod(today, Number(query.get('days')))
  const complaint = complaintOf(from, to)
  return complaint === null ? stretch(from, to, null) : { ...presetPeriod(today, fallback), complaint }
}

/** What in the address carries the period to other pages. */
export function periodQuery({ query }: PageRequest): string {
  const kept = new URLSearchParams([...query].filter(([name]) => name === 'days' || name === 'from' || name === 'to'))
  return kept.size === 0 ? '' : `?${kept}`
}

function presetPeriod(today: string, wanted: number): ChosenPeriod {
  const days = presets.find((preset) => preset === wanted) ?? fallback
  return stretch(daysLater(today, 1 - days), today, days)
}

function stretch(from: string, to: string, preset: number | null): ChosenPeriod {
  const days = dayNumber(to) - dayNumber(from) + 1
  return { from, to, days, preset, complaint: null, before: { from: daysLater(from, -days), to: daysLater(from, -1) } }
}

function complaintOf(from: string, to: string): string | null {
  if (!isDay(from) || !isDay(to)) return 'Both days of a custom period are needed; the last 90 days are shown.'
  if (from > to) return 'The first day came after the last; the last 90 days are shown.'
  return dayNumber(to) - dayNumber(from) >= mostDays || from < '1990-01-01'
    ? 'A period can span three years; the last 90 days are shown.'
    : null
}
