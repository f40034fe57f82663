import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { html } from '../../src/lib/html.ts'
import { dayNumber, dayText } from '../../src/lib/time/days.ts'
import type { DaySpan } from '../../src/model/dashboard/positions.ts'
import { notDue, slotsOf } from '../../src/model/dashboard/slots.ts'
import { bandOf } from '../../src/model/dashboard/week-bands.ts'
import { rankScale, type Size, timeAxis, weekMiddle } from '../../src/web/charts/axes.ts'
import { drawBands } from '../../src/web/charts/bands.ts'
import { drawWeeks, partWeeks } from '../../src/web/charts/bars.ts'
import { chartHtml } from '../../src/web/charts/frame.ts'
import { drawAmounts, drawRanks, drawRatings, gapsOf, type Point, runsOf } from '../../src/web/charts/line.ts'
import { sparkline } from '../../src/web/charts/sparkline.ts'
import { drawStars } from '../../src/web/charts/stars.ts'
import { amountChange, placesChange, positionChange, ratingChange, wordsFor } from '../../src/web/components/number-format.ts'
import { tableCsv } from '../../src/web/components/tables.ts'
import { lineDrawing } from '../../src/web/letters/line-drawing.ts'

const size: Size = { name: 'wide', width: 600, height: 230, left: 36, right: 8, top: 12, bottom: 26, labels: 7 }
const words = wordsFor('en-GB', 'UTC')
const span = { from: '2026-09-01', to: '2026-10-31' }
const points = (...days: string[]) => days.map((day) => ({ day, value: 5 }))

describe('charts', () => {
  test('the rank axis is compressed and fits the data: 1 stands at the top only where it is near', () => {
    const { scale, ticks } = rankScale(1, 80, size)
    assert.deepEqual(ticks, [1, 2, 3, 5, 10, 20, 30, 50, 100])
    assert.equal(Math.round(scale(1)), size.top)
    assert.equal(Math.round(scale(100)), size.height - size.bottom)
    assert.ok(scale(10) - scale(1) > scale(100) - scale(50))
    assert.deepEqual(rankScale(22, 41, size).ticks, [20, 30, 40, 50])
    assert.deepEqual(rankScale(22, 33, size).ticks, [20, 30, 40], 'no third of the chart is empty')
    assert.deepEqual(rankScale(4, 4, size).ticks, [2, 3, 5])
    assert.deepEqual(rankScale(90, 40_000, size).ticks.at(-1), 50_000)
    assert.deepEqual(rankScale(6, 40_000, size).ticks, [5, 10, 100, 1_000, 10_000, 50_000], 'no more than fit')
    for (const rank of [1, 7, 100, 101, 65_535]) {
      const { scale: fitted, ticks: around } = rankScale(rank, rank, size)
      assert.ok(around.length >= 3 && fitted(rank) >= size.top && fitted(rank) <= size.height - size.bottom, String(rank))
    }
  })

  test('a missing day breaks a daily line, and not a weekly one', () => {
    const daily = points('2026-09-01', '2026-09-02', '2026-09-03', '2026-09-06', '2026-09-07')
    assert.equal(runsOf(daily).length, 2)
    assert.deepEqual(
      gapsOf(daily).map(({ from, to }) => [dayText(from), dayText(to)]),
      [['2026-09-04', '2026-09-05']],
    )
    const weekly = points('2026-09-01', '2026-09-08', '2026-09-15', '2026-09-22', '2026-10-13')
    assert.equal(runsOf(weekly).length, 2)
  })

  test('a gap is not drawn: the line begins anew behind it', () => {
    const drawn = String(
      drawRanks(
        words,
        span,
        [{ label: 'own', mark: 'own', points: points('2026-09-01', '2026-09-02', '2026-09-10', '2026-09-11') }],
        [],
        size,
      ),
    )
    const path = /class="line own" d="([^"]*)"/.exec(drawn)?.[1] ?? ''
    assert.equal(path.match(/M/g)?.length, 2)
    assert.equal(path.match(/l/g)?.length, 2)
  })

  test('amounts are ruled in round numbers, whole ones where things are counted, and no bar stands for none', () => {
    const labels = (most: number, say: (tick: number) => string) =>
      [
        ...String(drawAmounts(words, span, [{ label: 'a', mark: 'own', points: [{ day: span.from, value: most }] }], size, say)).matchAll(
          /"end">([^<]*)</g,
        ),
      ].map(([, text]) => text)
    assert.deepEqual(labels(2, words.whole), ['0', '1', '2'])
    assert.deepEqual(
      labels(0.83, (tick) => `${tick} s`),
      ['0 s', '0.2 s', '0.4 s', '0.6 s', '0.8 s', '1 s'],
    )
    assert.deepEqual(labels(4_321, words.whole), ['0', '1,000', '2,000', '3,000', '4,000', '5,000'])
    const stars = String(
      drawStars(
        words,
        [
          { stars: 5, now: 2, before: 0 },
          { stars: 4, now: 0, before: 0 },
        ],
        size,
      ),
    )
    assert.equal(stars.match(/<rect/g)?.length, 1)
  })

  test('a lone day is a dot', () => {
    const drawn = String(
      drawRanks(words, span, [{ label: 'own', mark: 'own', points: points('2026-09-01', '2026-09-02', '2026-09-20') }], [], size),
    )
    assert.match(drawn, /<circle class="dot own"/)
    assert.match(String(sparkline([3, 4, null, null, 5])), /<path d="M\d+ \d+L\d+ \d+"\/><path class="lone" d="M\d+ \d+h0"\/>/)
    assert.match(String(sparkline([3, notDue, 5, notDue, 4])), /<path d="M\d+ \d+L\d+ \d+L\d+ \d+"\/><\/svg>/, 'no row of dots')
    assert.equal(sparkline([null, notDue]), null)
  })

  test('a part of the period without a measurement is a gap only where one was due', () => {
    const slots = (days: readonly number[]) =>
      slotsOf({
        start: 10,
        end: 100,
        valueIn: (from, to) => (days.some((day) => day >= from && day < to) ? 7 : null),
        isMeasured: (day) => days.includes(day),
      })
    const every = (step: number) => Array.from({ length: Math.ceil(90 / step) }, (_, index) => 10 + index * step)
    for (const step of [1, 2, 4, 7, 11]) assert.ok(!slots(every(step)).slice(0, -3).includes(null), `every ${step} days`)
    assert.ok(slots(every(4)).includes(notDue))
    const broken = slots(every(1).filter((day) => day < 50 || day > 60))
    assert.ok(broken.includes(null) && !broken.includes(notDue), 'eleven days missing from a daily line are a gap')
  })

  test('every week has a bar of the same width, also one that began today, and many keep their colour', () => {
    const bars = (span: DaySpan, first: string, count: number) => {
      const weeks = Array.from({ length: count }, (_, index) => ({ week: dayText(dayNumber(first) + index * 7), amount: 3 }))
      const boxes = [...String(drawWeeks(words, span, weeks, size)).matchAll(/<rect x="([\d.]+)"[^>]* width="([\d.]+)"/g)]
      return boxes.map(([, left, width]) => ({ left: Number(left), width: Number(width) }))
    }
    // From a Wednesday to a Monday.
    const quarter = bars({ from: '2026-08-19', to: '2026-11-16' }, '2026-08-17', 14)
    assert.ok(Math.max(...quarter.map(({ width }) => width)) - Math.min(...quarter.map(({ width }) => width)) <= 0.2)
    const last = quarter.at(-1)
    assert.ok(last && last.left + last.width <= size.width - size.right, 'none stands outside')
    const years = bars({ from: '2024-11-17', to: '2026-11-16' }, '2024-11-11', 106)
    const [one, two] = years as [{ left: number; width: number }, { left: number; width: number }]
    assert.ok((two.left - one.left) * 0.7 < one.width, 'the space between them is the smaller part')
    assert.equal(weekMiddle({ from: '2026-08-19', to: '2026-11-16' }, '2026-08-17'), 0.5 / 14)
    assert.deepEqual(
      [
        partWeeks(words, { from: '2026-08-19', to: '2026-11-16' }),
        partWeeks(words, { from: '2026-08-17', to: '2026-11-18' }),
        partWeeks(words, { from: '2026-08-17', to: '2026-11-22' }),
      ],
      [['The first week of the period has 5 days, the last 1 day.'], ['The last week of the period has 3 days.'], []],
    )
  })

  test('the average of all reviews so far has no gap', () => {
    const some = [['2026-09-03', 4.5] as const, ['2026-09-10', 4], ['2026-10-22', 4.2] as const].map(([day, value]) => ({ day, value }))
    const drawn = String(drawRatings(words, span, [{ label: 'own', mark: 'own', points: some as Point[] }], size, html``))
    assert.match(drawn, /class="line own" d="M[^M"]*l[^M"]*l[^M"]*"/)
  })

  test('not found breaks a line without being a gap, and is drawn at the foot', () => {
    const lost = ['2026-09-03', '2026-09-04'].map((day) => ({ day, value: null }))
    const all = [...points('2026-09-01', '2026-09-02'), ...lost, ...points('2026-09-05', '2026-09-06')]
    assert.deepEqual([runsOf(all).length, gapsOf(all).length], [2, 0])
    const missing = lost.map(({ day }) => ({ day, share: 1 }))
    const drawn = String(drawRanks(words, span, [{ label: 'own', mark: 'own', points: all }], missing, size, 'x'))
    assert.match(drawn, /<path class="missing" d="M[^"]+z"\/><path fill="url\(#hatch-x-wide\)"/)
    assert.match(String(sparkline([3, 0, null])), /class="lost" d="M\d+ 20h2"/, 'once, and nothing where it was not measured')
    assert.equal(sparkline([null, null]), null)
    assert.match(
      String(sparkline([68, 68, 0], 'visibility')),
      /<path d="M2 2L42 2L82 20"\/><\/svg>/,
      'a visibility of 0 is a fall, not a mark',
    )
  })

  test('a mailed chart breaks where nothing was measured, draws the time before below it, and one day as a dot', () => {
    const chart = { words, ...span, before: [], color: '#000000' }
    const shapes = (some: readonly Point[], before: readonly Point[] = []) =>
      lineDrawing({ ...chart, points: some, before }, 'mail')?.shapes.filter(({ kind, color }) => kind !== 'text' && color !== '#d9d9d4')
    const days = ['2026-09-01', '2026-09-02', '2026-09-03', '2026-09-10', '2026-09-11']
    assert.deepEqual(
      shapes(points(...days))?.map(({ kind }) => kind),
      ['line', 'line'],
    )
    assert.deepEqual(
      shapes(points('2026-09-01'), points('2026-09-01', '2026-09-02'))?.map(({ kind }) => kind),
      ['line', 'dot'],
    )
    assert.equal(shapes([], points('2026-09-01')), undefined)
    const labels = lineDrawing({ ...chart, points: points(...days) }, 'paper')?.shapes.flatMap((one) =>
      one.kind === 'text' ? one.text : [],
    )
    assert.deepEqual(labels?.slice(-3), ['1 Sept', '31 Oct', '5.0'])
  })

  test('over two years the labels of a narrow chart name months and do not touch', () => {
    const small: Size = { ...size, name: 'narrow', width: 324, left: 40, labels: 4 }
    const drawn = String(timeAxis(words, '2024-11-17', '2026-11-16', small))
    const places = [...drawn.matchAll(/x="([\d.]+)"/g)].map(([, x]) => Number(x))
    assert.ok(places.length >= 2 && places.slice(1).every((x, index) => x - (places[index] ?? 0) > 80), places.join())
  })

  test('not found is a band of its own, hatched', () => {
    assert.deepEqual([0, 1, 2, 3, 4, 10, 11, 20, 21, 50, 51, 100, 400].map(bandOf), [7, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6])
    const drawn = String(drawBands(words, span, [{ week: '2026-09-07', amounts: [1, 0, 0, 0, 0, 0, 0, 1] }], size))
    assert.match(drawn, /class="band-7"[^>]*\/><rect fill="url\(#hatch-bands-wide\)"/)
  })

  test('a chart has a title, a summary, the table behind it, and no style of its own', () => {
    const table = {
      caption: 'Numbers',
      columns: [
        { label: 'Day', kind: 'day' as const },
        { label: 'Position', kind: 'decimal' as const },
      ],
      rows: [['2026-09-01', 4.25]],
      at: [0],
    }
    const shown = String(
      chartHtml(words, {
        id: 'c',
        title: 'A <b>title',
        summary: 'In short.',
        table,
        draw: (given) => html`${drawRanks(words, span, [], [], given)}`,
      }),
    )
    assert.match(shown, /<title id="c-wide-t">A &lt;b&gt;title<\/title><desc id="c-wide-d">In short\.<\/desc>/)
    assert.match(shown, /<details class="behind">[\s\S]*<td class="n" data-v="4\.25">4\.3<\/td>/)
    assert.doesNotMatch(shown, /style=|<style/)
  })
})

describe('words', () => {
  test('numbers and days follow the reader, the words stay English', () => {
    assert.deepEqual([words.whole(12_345), words.decimal(8.44), words.day('2026-10-03')], ['12,345', '8.4', '3 Oct 2026'])
    const german = wordsFor('de', 'UTC')
    assert.deepEqual([german.whole(12_345), german.decimal(8.44)], ['12.345', '8,4'])
    assert.match(wordsFor('en-US', 'UTC').day('2026-10-03'), /Oct 3, 2026/)
    assert.equal(wordsFor('<script>', 'UTC').locale, 'en-GB')
  })

  test('a change is said with its direction', () => {
    assert.deepEqual(positionChange(words, 8.4, 9.6), { arrow: 'up', tone: 'better', short: '1.2', words: '1.2 places up' })
    assert.deepEqual(placesChange(words, 9, 5), { arrow: 'down', tone: 'worse', short: '4', words: 'down 4 places' })
    assert.equal(placesChange(words, 4, 5)?.words, 'up 1 place')
    assert.deepEqual(amountChange(words, 4, 5), { arrow: 'down', tone: 'worse', short: '1', words: '1 fewer' })
    assert.deepEqual(amountChange(words, 4, 5, 'worse'), { arrow: 'down', tone: 'better', short: '1', words: '1 fewer' })
    // Both read 4.0, but the difference is of the true figures.
    assert.equal(ratingChange(words, 4.04, 3.96)?.words, 'up 0.1')
    assert.equal(ratingChange(words, 3.9, 3.93)?.words, 'unchanged')
    assert.equal(positionChange(words, 8.41, 8.4)?.words, 'unchanged')
    assert.equal(positionChange(words, null, 8), null)
  })
})

describe('CSV', () => {
  test('no cell is run as a formula, quotes and line ends are kept, nothing measured is empty', () => {
    const columns = [
      { label: 'Word', kind: 'text' as const },
      { label: 'Amount', kind: 'decimal' as const },
    ]
    const rows = [
      ['=HYPERLINK("x")', -1.5],
      ['+1', null],
      ['a,"b"\nc', 2],
      ['-x', 1],
      ['@x', 1],
      ['\tx', 1],
    ]
    const expected = ['Word,Amount', '"\'=HYPERLINK(""x"")",-1.5', "'+1,", '"a,""b""\nc",2', "'-x,1", "'@x,1", "'\tx,1"].join('\r\n')
    assert.equal(tableCsv({ caption: '', columns, rows }), `\uFEFF${expected}\r\n`)
  })
})

test('days and numbers are the same thing', () => {
  assert.equal(dayText(dayNumber('2024-02-29') + 1), '2024-03-01')
})
