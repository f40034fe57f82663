/** An operator keeps so many months: older rankings and counts are shown first, then gone for everybody, and reports have a new version. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { undoIntake } from '../../src/model/intakes/undo.ts'
import { marqueeEach } from '../support/command.ts'
import { exported, importLines, type World, worldAt } from '../support/data.ts'
import { onEachEngine } from '../support/engines.ts'

/** The command goes by the real clock, so the days are far from it. */
const [oldDays, kept] = [['2019-12-31', '2020-02-01', '2021-06-15'], '2100-01-01']
const phrases = ['plumber', 'drains'] as const

onEachEngine('retention', (place) => {
  const world = worldAt(place)
  const run = async (...lines: string[]) => {
    const outcomes = await marqueeEach(
      place,
      lines.map((line) => `retention ${line}`),
    )
    return outcomes.map(({ code, stdout, stderr }) => ({ code, stderr, removed: code === 0 ? JSON.parse(stdout).removed : null }))
  }

  test('old months are shown, then gone, and what is younger stays', async () => {
    const { intakeId = 0 } = await importLines(world, linesOf([...oldDays, kept]), { createMissing: true })
    const [before, versions] = [await exported(world), await versionsOf(world)]
    const [zero, tried, done, again] = await run(
      '--keep-months 0',
      '--keep-months 2 --dry-run --json',
      '--keep-months 2 --json',
      '--keep-months 2 --json',
    )
    assert.equal(zero?.code, 2, zero?.stderr)
    const counts = { rankings: 6, ranked_pages: 6, clicks: 6, average_positions: 0, review_counts: 6, own_figures: 3, periods: 2 }
    assert.deepEqual({ ...tried?.removed, before: '' }, { before: '', since: '2019-10-01', accounts: 1, ...counts })
    assert.deepEqual(done?.removed, tried?.removed)
    assert.deepEqual([again?.code, again?.removed.since], [0, null])
    const isOld = (line: string) => [...oldDays, '2020-03-31'].some((day) => line.includes(`"${day}`))
    assert.equal(
      await exported(world),
      before
        .split('\n')
        .filter((line) => !isOld(line))
        .join('\n'),
    )
    const renewed = await versionsOf(world)
    assert.ok(renewed.size > 0 && [...renewed].every(([account, version]) => version !== versions.get(account)))
    const entries = await world.app.store.db
      .selectFrom('audit_entries')
      .select('id')
      .where('action', '=', 'database.remove_months')
      .execute()
    assert.equal(entries.length, 1)
    const { left } = await undoIntake(world.operator, intakeId)
    assert.equal(left, 0, 'what is gone already is not there to be taken back')
  })

  test('a removed month takes data again', async () => {
    const { kinds } = await importLines(world, linesOf(['2020-02-01']), { createMissing: true })
    assert.equal(kinds.ranking?.created, 2)
  })
})

function linesOf(days: readonly string[]) {
  const own = days.map((date) => ({ type: 'own_figure', site: 'example.com', figure: 'calls', date, value: 7.5 }))
  const others = days.flatMap((day) =>
    phrases.flatMap((phrase, index) => [
      { type: 'ranking', ...keyword(phrase), locale: 'en-us', ranked_at: `${day} 04:00:00`, rank: 3, url: 'https://example.com/a' },
      { type: 'click_count', ...keyword(phrase), date: day, clicks: 4, impressions: 90 },
      {
        type: 'review_count',
        site: 'example.com',
        source: 'google',
        page_source: 'google',
        page_url: `https://maps.example/${index}`,
        date: day,
        count: 3,
        rating_sum: 12,
      },
    ]),
  )
  return [...others, ...own, ...periods]
}

/** One that ended long ago, one that began then, and one of today. */
const periods = [
  ['2019-10-01', '2019-12-31'],
  ['2020-01-01', '2020-03-31'],
  ['2021-06-01', '2100-01-15'],
].map(([start_date, end_date]) => ({ type: 'period', ...keyword('plumber'), start_date, end_date, clicks: 7 }))

function keyword(phrase: string) {
  return { site: 'example.com', phrase, search_engine: 'Google' }
}

async function versionsOf({ app, accountId, otherAccountId }: World): Promise<Map<number, number>> {
  const rows = await app.store.db
    .selectFrom('measured_versions')
    .selectAll()
    .where('account_id', 'in', [accountId, otherAccountId])
    .execute()
  return new Map(rows.map(({ account_id, version }) => [account_id, version]))
}
