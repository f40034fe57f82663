/** Reads the period of a page and its comparison from the query. */

import { dayIn } from '../../lib/time/days.ts'
import { type AskedPeriod, type ChosenPeriod, choosePeriod } from '../../model/dashboard/periods/chosen-period.ts'
import type { PageRequest } from '../page-request.ts'

const carried = ['days', 'period', 'from', 'to', 'compare'] as const

export function periodOf({ query, app }: PageRequest, zone: string): ChosenPeriod {
  const asked: AskedPeriod = Object.fromEntries(carried.map((name) => [name, query.get(name)]))
  return choosePeriod(asked, zone, dayIn(zone, app.clock.now()))
}

/** The part of the query that carries the period to other pages. */
export function periodQuery({ query }: PageRequest): string {
  const kept = new URLSearchParams([...query].filter(([name]) => carried.some((one) => one === name)))
  return kept.size === 0 ? '' : `?${kept}`
}

export function isOfPeriod(name: string): boolean {
  return carried.some((one) => one === name)
}
