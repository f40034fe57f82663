/** Periods as an address asks for them: days, months, quarters and years, and what they are compared with, in the account's time zone. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wordsFor } from '../../src/web/components/number-format.ts'
import { periodOf } from '../../src/web/components/period.ts'
import { describe as described } from '../../src/web/components/period-picker.ts'
import type { PageRequest } from '../../src/web/page-request.ts'

const words = wordsFor('en-GB', 'UTC')

function period(query: string, now = '2026-05-31T12:00:00Z', zone = 'UTC') {
  const request = { query: new URLSearchParams(query), app: { clock: { now: () => now } }, words } as unknown as PageRequest
  return { ...periodOf(request, zone), said: described(request, periodOf(request, zone)) }
}

const ends = (query: string, now?: string) => {
  const { from, to, before } = period(query, now)
  return [from, to, before?.from ?? null, before?.to ?? null]
}

test('so many days up to today, and as many before', () => {
  for (const days of [7, 30, 90, 180, 365]) assert.equal(period(`days=${days}`).days, days)
  assert.deepEqual(ends('days=7'), ['2026-05-25', '2026-05-31', '2026-05-18', '2026-05-24'])
  assert.equal(period('days=11').days, 90, 'any other number is the usual one')
})

test('this and last month, quarter and year, compared with the one before up to the same day', () => {
  assert.deepEqual(ends('period=this-month'), ['2026-05-01', '2026-05-31', '2026-04-01', '2026-04-30'])
  assert.deepEqual(ends('period=last-month', '2024-03-31T12:00:00Z'), ['2024-02-01', '2024-02-29', '2024-01-01', '2024-01-31'])
  assert.deepEqual(ends('period=this-quarter'), ['2026-04-01', '2026-05-31', '2026-01-01', '2026-02-28'])
  assert.deepEqual(ends('period=last-quarter', '2026-01-02T00:00:00Z'), ['2025-10-01', '2025-12-31', '2025-07-01', '2025-09-30'])
  assert.deepEqual(ends('period=this-year'), ['2026-01-01', '2026-05-31', '2025-01-01', '2025-05-31'])
  assert.deepEqual(ends('period=last-year'), ['2025-01-01', '2025-12-31', '2024-01-01', '2024-12-31'])
})

test('compared with the year before, with nothing, and two days of one’s own', () => {
  assert.deepEqual(ends('days=7&compare=year'), ['2026-05-25', '2026-05-31', '2025-05-25', '2025-05-31'])
  assert.deepEqual(ends('from=2024-02-29&to=2024-02-29&compare=year'), ['2024-02-29', '2024-02-29', '2023-02-28', '2023-02-28'])
  assert.deepEqual(ends('period=last-month&compare=none'), ['2026-04-01', '2026-04-30', null, null])
  assert.match(period('from=2026-02-02&to=2026-01-01').complaint ?? '', /first day came after the last/)
})

test('today is the day of the account’s time zone, and the page says which', () => {
  const auckland = period('days=7', '2026-05-31T13:00:00Z', 'Pacific/Auckland')
  assert.equal(auckland.to, '2026-06-01')
  assert.match(auckland.said, /Days in Pacific\/Auckland\.$/)
  assert.equal(period('days=7', '2026-05-31T03:00:00Z', 'America/New_York').to, '2026-05-30')
  assert.match(period('days=7', undefined, 'America/New_York').said, /Days in America\/New York\.$/)
})
