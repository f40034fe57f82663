/** Days in time zones: each begins where the day before ends, also where clocks change at midnight. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { dayIn, dayNumber, dayText, startOfDay } from '../../../src/lib/time/days.ts'

const iso = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 19)

describe('days in time zones', () => {
  // biome-ignore format: a table reads by its columns
  const beginnings: readonly [zone: string, day: string, begins: string, why: string][] = [
    ['America/Havana',   '2026-03-08', '2026-03-08T05:00:00', 'clocks go forward at midnight: the day begins at one'],
    ['America/Havana',   '2026-03-09', '2026-03-09T04:00:00', 'the day after'],
    ['America/Havana',   '2026-11-01', '2026-11-01T04:00:00', 'clocks go back from one to midnight: it begins with the first midnight'],
    ['America/Havana',   '2026-11-02', '2026-11-02T05:00:00', 'the day after, of 25 hours before it'],
    ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00', 'clocks go forward at midnight: the day begins at one'],
    ['America/Santiago', '2026-09-07', '2026-09-07T03:00:00', 'the day after'],
    ['America/Santiago', '2026-04-05', '2026-04-05T04:00:00', 'clocks go back at midnight to eleven: the day begins an hour later'],
    ['Europe/Berlin',    '2026-03-29', '2026-03-28T23:00:00', 'clocks go forward at two'],
    ['Europe/Berlin',    '2026-03-30', '2026-03-29T22:00:00', 'the day after'],
    ['America/New_York', '2026-11-01', '2026-11-01T04:00:00', 'clocks go back at two'],
    ['Asia/Kathmandu',   '2026-11-14', '2026-11-13T18:15:00', 'never changes'],
  ]

  for (const [zone, day, begins, why] of beginnings)
    test(`${day} in ${zone} begins at ${begins}: ${why}`, () => assert.equal(iso(startOfDay(dayNumber(day), zone)), begins))

  test('every day of three years begins with its first second in zones that change at any hour', () => {
    const zones = [
      'America/Havana',
      'America/Santiago',
      'America/Asuncion',
      'Asia/Beirut',
      'Africa/Cairo',
      'Atlantic/Azores',
      'Europe/Berlin',
    ]
    for (const zone of [...zones, 'Australia/Lord_Howe', 'Pacific/Apia', 'America/New_York'])
      for (let number = dayNumber('2023-01-01'); number < dayNumber('2026-01-01'); number++) {
        const start = startOfDay(number, zone)
        assert.equal(dayIn(zone, `${iso(start)}Z`), dayText(number), zone)
        assert.equal(dayIn(zone, `${iso(start - 1)}Z`), dayText(number - 1), zone)
      }
  })
})
