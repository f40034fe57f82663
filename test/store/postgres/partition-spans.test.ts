/** Partitions cover all time without overlap, and whoever sends a line of every day makes few of them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partitionName, spanAround, spanOf } from '../../../src/store/postgres/partition-spans.ts'

const day = 86_400
const november = Date.UTC(2026, 10, 16) / 1000

test('a name tells its span, and the spans of all days lie side by side', () => {
  const spans = new Map<string, { from: number; to: number }>()
  for (let time = 0; time < 2 ** 32; time += day) {
    const span = spanAround(time, november)
    assert.ok(span.from <= time && time < span.to)
    spans.set(partitionName('ranking_months', span), span)
  }
  const all = [...spans]
  for (const [name, span] of all) assert.deepEqual(spanOf(name), span)
  for (const [index, [, { from }]] of all.entries()) assert.equal(from, index === 0 ? 0 : all[index - 1]?.[1].to)
  assert.equal(all.length, 1 + 13 * 12 + 79, 'before 2015, the months of 2015 to 2027, the years from 2028 to 2106')
})

test('a year far ahead is made whole, and in months once it is near', () => {
  const may = Date.UTC(2028, 4, 1) / 1000
  const then = spanAround(may, november)
  assert.equal(partitionName('ranking_months', then), 'ranking_months_2028')
  assert.equal(partitionName('ranking_months', spanAround(may, Date.UTC(2027, 0, 1) / 1000)), 'ranking_months_2028_05')
})
