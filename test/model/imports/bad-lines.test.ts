/** Bad lines, one by one: each is refused with its line, field and reason, and the good lines beside it stay out too. */

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { readNdjson } from '../../../src/model/imports/formats.ts'
import { importObservations } from '../../../src/model/imports/import.ts'
import { importErrorSentence } from '../../../src/resources/imports/import-fault.ts'
import { importLines, worldAt } from '../../support/data.ts'
import { onEachEngine } from '../../support/engines.ts'

const site = 'example.com'
const page = { site, source: 'google', page_url: 'https://maps.example/1' }

const good: Record<string, Record<string, unknown>> = {
  site: { site, business: 'Bob' },
  competitor: { site, competitor: 'rival.example' },
  location: { site, twitter_page: null },
  keyword: { site, phrase: 'drains' },
  snapshot: { site, day: '2026-11-01', backlink_count: 3 },
  backlink: { site, found_on: '2026-11-01', link_strength: 5, source_url: 'https://blog.example/a', domain_authority: 38, anchor_text: '' },
  ranking: { site, phrase: 'drains', search_engine: 'Google', locale: 'en-us', ranked_at: '2026-11-01 04:05:06', rank: 3 },
  page,
  review: { ...page, rating: 4, date: '2026-11-01', detail: 'Good', user: 'A', total: 3 },
  review_count: { ...page, date: '2026-11-01', count: 3, rating_sum: 12 },
}

const long = (length: number) => 'x'.repeat(length)
const absent = undefined
const huge = 2 ** 31

/** Kind, field, what stands there, why it is refused. */
// biome-ignore format: a table reads by its columns
const badValues: readonly (readonly [string, string, unknown, string])[] = [
  ['site',       'site',             absent,                           'blank'],
  ['site',       'site',             null,                             'null'],
  ['site',       'site',             7,                                'not_a_domain'],
  ['site',       'site',             '',                               'not_a_domain'],
  ['site',       'site',             'example',                        'not_a_domain'],
  ['site',       'site',             'https://example.com',            'not_a_domain'],
  ['site',       'site',             'exa mple.com',                   'not_a_domain'],
  ['site',       'site',             'example..com',                   'not_a_domain'],
  ['site',       'site',             '-example.com',                   'not_a_domain'],
  ['site',       'site',             '192.0.2.1',                      'not_a_domain'],
  ['site',       'site',             `${long(64)}.com`,                'not_a_domain'],
  ['site',       'site',             'example.com/path',               'not_a_domain'],
  ['site',       'site',             'example.com:80',                 'not_a_domain'],
  ['site',       'site',             'nobody.example',                 'unknown'],
  ['site',       'business',         '',                               'blank'],
  ['site',       'business',         '   ',                            'blank'],
  ['site',       'business',         long(256),                        'too_long'],
  ['site',       'business',         null,                             'null'],
  ['site',       'business',         ['Bob'],                          'not_text'],
  ['site',       'account',          '7',                              'not_an_integer'],
  ['site',       'account',          0,                                'out_of_range'],
  ['site',       'account',          1.5,                              'not_an_integer'],
  ['site',       'owner',            'x',                              'unknown_field'],
  ['competitor', 'competitor',       absent,                           'blank'],
  ['competitor', 'competitor',       null,                             'null'],
  ['competitor', 'competitor',       'rival',                          'not_a_domain'],
  ['competitor', 'created_at',       '2026-11-01',                     'not_a_time'],
  ['competitor', 'created_at',       'yesterday',                      'not_a_time'],
  ['competitor', 'created_at',       1_700_000_000,                    'not_a_time'],
  ['competitor', 'name',             'Rival',                          'unknown_field'],
  ['location',   'twitter_page',     7,                                'not_text'],
  ['location',   'twitter_page',     long(2049),                       'too_long'],
  ['location',   'facebook_page',    'a\u0000b',                       'control_character'],
  ['location',   'facebook_page',    {},                               'not_text'],
  ['location',   'created_at',       null,                             'null'],
  ['location',   'created_at',       '2026-11-01 24:00:00',            'not_a_time'],
  ['location',   'address',          'Main St',                        'unknown_field'],
  ['keyword',    'phrase',           absent,                           'blank'],
  ['keyword',    'phrase',           null,                             'null'],
  ['keyword',    'phrase',           '',                               'blank'],
  ['keyword',    'phrase',           ' \t ',                           'blank'],
  ['keyword',    'phrase',           long(201),                        'too_long'],
  ['keyword',    'phrase',           7,                                'not_text'],
  ['keyword',    'phrase',           'a\u0007b',                       'control_character'],
  ['keyword',    'phrase',           'a\ud800b',                       'control_character'],
  ['keyword',    'phrase',           'a\uffffb',                       'control_character'],
  ['keyword',    'competitor',       'unknown.example',                'unknown'],
  ['keyword',    'competitor',       null,                             'null'],
  ['keyword',    'rank',             1,                                'unknown_field'],
  ['snapshot',   'day',              absent,                           'blank'],
  ['snapshot',   'day',              null,                             'null'],
  ['snapshot',   'day',              '2026-02-29',                     'not_a_date'],
  ['snapshot',   'day',              '2026-13-01',                     'not_a_date'],
  ['snapshot',   'day',              '2026-00-10',                     'not_a_date'],
  ['snapshot',   'day',              '2026-4-1',                       'not_a_date'],
  ['snapshot',   'day',              '01.04.2026',                     'not_a_date'],
  ['snapshot',   'day',              '2026-04-01T00:00:00Z',           'not_a_date'],
  ['snapshot',   'day',              '1969-12-31',                     'not_a_date'],
  ['snapshot',   'day',              '2106-01-01',                     'not_a_date'],
  ['snapshot',   'day',              '',                               'not_a_date'],
  ['snapshot',   'day',              20260401,                         'not_a_date'],
  ['snapshot',   'download_time',    '0.35',                           'not_a_number'],
  ['snapshot',   'download_time',    -0.01,                            'out_of_range'],
  ['snapshot',   'download_time',    1_000_001,                        'out_of_range'],
  ['snapshot',   'download_time',    null,                             'null'],
  ['snapshot',   'download_time',    true,                             'not_a_number'],
  ['snapshot',   'pages_indexed_in_google', -1,                        'out_of_range'],
  ['snapshot',   'pages_indexed_in_google', 1.5,                       'not_an_integer'],
  ['snapshot',   'pages_indexed_in_google', null,                      'null'],
  ['snapshot',   'pages_indexed_in_bing',   '12',                      'not_an_integer'],
  ['snapshot',   'pages_indexed_in_bing',   huge,                      'out_of_range'],
  ['snapshot',   'pages_indexed_in_yahoo',  false,                     'not_an_integer'],
  ['snapshot',   'pages_indexed_in_yahoo',  null,                      'null'],
  ['snapshot',   'domain_authority', 101,                              'out_of_range'],
  ['snapshot',   'domain_authority', -1,                               'out_of_range'],
  ['snapshot',   'domain_authority', '40',                             'not_an_integer'],
  ['snapshot',   'backlink_count',   null,                             'null'],
  ['snapshot',   'backlink_count',   [3],                              'not_an_integer'],
  ['snapshot',   'domain_count',     huge,                             'out_of_range'],
  ['snapshot',   'domain_count',     null,                             'null'],
  ['snapshot',   'domain_age',       -5,                               'out_of_range'],
  ['snapshot',   'domain_age',       null,                             'null'],
  ['snapshot',   'domain-age',       5,                                'unknown_field'],
  ['snapshot',   'date',             '2026-11-01',                     'unknown_field'],
  ['snapshot',   'competitor',       'unknown.example',                'unknown'],
  ['backlink',   'found_on',         absent,                           'blank'],
  ['backlink',   'found_on',         null,                             'null'],
  ['backlink',   'found_on',         '2026-11-31',                     'not_a_date'],
  ['backlink',   'found_on',         'today',                          'not_a_date'],
  ['backlink',   'link_strength',    absent,                           'blank'],
  ['backlink',   'link_strength',    null,                             'null'],
  ['backlink',   'link_strength',    -1,                               'out_of_range'],
  ['backlink',   'link_strength',    '5',                              'not_an_integer'],
  ['backlink',   'source_url',       absent,                           'blank'],
  ['backlink',   'source_url',       null,                             'null'],
  ['backlink',   'source_url',       '',                               'not_a_url'],
  ['backlink',   'source_url',       'blog.example/a',                 'not_a_url'],
  ['backlink',   'source_url',       'ftp://blog.example/a',           'not_a_url'],
  ['backlink',   'source_url',       'javascript:alert(1)',            'not_a_url'],
  ['backlink',   'source_url',       'https://',                       'not_a_url'],
  ['backlink',   'source_url',       'https:///a',                     'not_a_url'],
  ['backlink',   'source_url',       'https://blog example/a',         'not_a_url'],
  ['backlink',   'source_url',       'https://blog.example/a b',       'not_a_url'],
  ['backlink',   'source_url',       'https://blog.example/\n',        'not_a_url'],
  ['backlink',   'source_url',       `https://b.example/${long(2048)}`, 'too_long'],
  ['backlink',   'source_url',       'https://blog.example/\u0001',    'control_character'],
  ['backlink',   'source_url',       7,                                'not_text'],
  ['backlink',   'domain_authority', absent,                           'blank'],
  ['backlink',   'domain_authority', null,                             'null'],
  ['backlink',   'domain_authority', 101,                              'out_of_range'],
  ['backlink',   'domain',           'not a domain',                   'not_a_domain'],
  ['backlink',   'domain',           null,                             'null'],
  ['backlink',   'anchor_text',      null,                             'null'],
  ['backlink',   'anchor_text',      5,                                'not_text'],
  ['backlink',   'anchor_text',      'a\u000bb',                       'control_character'],
  ['backlink',   'anchor_text',      long(10_001),                     'too_long'],
  ['backlink',   'url',              'https://x.example',              'unknown_field'],
  ['ranking',    'site',             absent,                           'blank'],
  ['ranking',    'site',             'nobody.example',                 'unknown'],
  ['ranking',    'site',             'shared.example',                 'ambiguous'],
  ['ranking',    'phrase',           absent,                           'blank'],
  ['ranking',    'phrase',           null,                             'null'],
  ['ranking',    'phrase',           ' ',                              'blank'],
  ['ranking',    'phrase',           'nobody asked for this',          'unknown'],
  ['ranking',    'phrase',           'Drains',                         'unknown'],
  ['ranking',    'phrase',           long(201),                        'too_long'],
  ['ranking',    'competitor',       'unknown.example',                'unknown'],
  ['ranking',    'competitor',       'nonsense',                       'not_a_domain'],
  ['ranking',    'search_engine',    absent,                           'blank'],
  ['ranking',    'search_engine',    null,                             'null'],
  ['ranking',    'search_engine',    '',                               'blank'],
  ['ranking',    'search_engine',    long(51),                         'too_long'],
  ['ranking',    'search_engine',    1,                                'not_text'],
  ['ranking',    'engine',           'Google',                         'unknown_field'],
  ['ranking',    'locale',           absent,                           'blank'],
  ['ranking',    'locale',           null,                             'null'],
  ['ranking',    'locale',           '  ',                             'blank'],
  ['ranking',    'locale',           long(51),                         'too_long'],
  ['ranking',    'locale',           'en\u0000us',                     'control_character'],
  ['ranking',    'ranked_at',        absent,                           'blank'],
  ['ranking',    'ranked_at',        null,                             'null'],
  ['ranking',    'ranked_at',        '2026-11-01',                     'not_a_time'],
  ['ranking',    'ranked_at',        '2026-11-01 4:05:06',             'not_a_time'],
  ['ranking',    'ranked_at',        '2026-11-31 04:05:06',            'not_a_time'],
  ['ranking',    'ranked_at',        '2026-11-01 24:00:00',            'not_a_time'],
  ['ranking',    'ranked_at',        '2026-11-01 04:60:00',            'not_a_time'],
  ['ranking',    'ranked_at',        '2026-11-01 04:05:60',            'not_a_time'],
  ['ranking',    'ranked_at',        '2026-11-01 04:05:06 PST',        'not_a_time'],
  ['ranking',    'ranked_at',        '2026-11-01T04:05:06+25:00',      'not_a_time'],
  ['ranking',    'ranked_at',        '1969-12-31 23:59:59',            'not_a_time'],
  ['ranking',    'ranked_at',        '2106-02-08 00:00:00',            'not_a_time'],
  ['ranking',    'ranked_at',        '1970-01-01T00:00:00+01:00',      'not_a_time'],
  ['ranking',    'ranked_at',        1_793_505_906,                    'not_a_time'],
  ['ranking',    'rank',             absent,                           'blank'],
  ['ranking',    'rank',             0,                                'out_of_range'],
  ['ranking',    'rank',             -1,                               'out_of_range'],
  ['ranking',    'rank',             65_536,                           'out_of_range'],
  ['ranking',    'rank',             1.5,                              'not_an_integer'],
  ['ranking',    'rank',             '1',                              'not_an_integer'],
  ['ranking',    'rank',             true,                             'not_an_integer'],
  ['ranking',    'rank',             {},                               'not_an_integer'],
  ['ranking',    'constructor',      1,                                'unknown_field'],
  ['page',       'source',           absent,                           'blank'],
  ['page',       'source',           null,                             'null'],
  ['page',       'source',           '',                               'blank'],
  ['page',       'source',           long(51),                         'too_long'],
  ['page',       'page_url',         absent,                           'blank'],
  ['page',       'page_url',         null,                             'null'],
  ['page',       'page_url',         'maps.example',                   'not_a_url'],
  ['page',       'match_confidence', 101,                              'out_of_range'],
  ['page',       'match_confidence', null,                             'null'],
  ['page',       'last_updated',     '2026-02-30',                     'not_a_date'],
  ['page',       'last_updated',     null,                             'null'],
  ['page',       'reviews',          [],                               'unknown_field'],
  ['review',     'page_url',         absent,                           'blank'],
  ['review',     'page_url',         'https://maps.example/unknown',   'unknown'],
  ['review',     'source',           absent,                           'blank'],
  ['review',     'rating',           absent,                           'blank'],
  ['review',     'rating',           null,                             'null'],
  ['review',     'rating',           0,                                'out_of_range'],
  ['review',     'rating',           6,                                'out_of_range'],
  ['review',     'rating',           4.5,                              'not_an_integer'],
  ['review',     'rating',           '5',                              'not_an_integer'],
  ['review',     'date',             absent,                           'blank'],
  ['review',     'date',             '2026-11-01 00:00:00',            'not_a_date'],
  ['review',     'date',             null,                             'null'],
  ['review',     'sentiment_score',  -101,                             'out_of_range'],
  ['review',     'sentiment_score',  101,                              'out_of_range'],
  ['review',     'sentiment_score',  null,                             'null'],
  ['review',     'url',              'nowhere',                        'not_a_url'],
  ['review',     'url',              null,                             'null'],
  ['review',     'total',            -1,                               'out_of_range'],
  ['review',     'total',            null,                             'null'],
  ['review',     'header',           null,                             'null'],
  ['review',     'header',           'a\u001bb',                       'control_character'],
  ['review',     'detail',           null,                             'null'],
  ['review',     'detail',           12,                               'not_text'],
  ['review',     'detail',           long(100_001),                    'too_long'],
  ['review',     'user',             long(256),                        'too_long'],
  ['review',     'user',             null,                             'null'],
  ['review',     'business_name',    long(256),                        'too_long'],
  ['review',     'ref',              '',                               'blank'],
  ['review',     'ref',              7,                                'not_text'],
  ['review',     'id',               7,                                'unknown_field'],
  ['review_count', 'date',           absent,                           'blank'],
  ['review_count', 'date',           '2026-11-1',                      'not_a_date'],
  ['review_count', 'count',          absent,                           'blank'],
  ['review_count', 'count',          null,                             'null'],
  ['review_count', 'count',          -1,                               'out_of_range'],
  ['review_count', 'count',          '3',                              'not_an_integer'],
  ['review_count', 'rating_sum',     absent,                           'blank'],
  ['review_count', 'rating_sum',     huge,                             'out_of_range'],
  ['review_count', 'page_url',       'https://maps.example/unknown',   'unknown'],
  ['review_count', 'created_at',     '2026-11-01',                     'not_a_time'],
  ['review_count', 'rating',         3,                                'unknown_field'],
]

/** Lines that are no record at all. */
const badLines: readonly (readonly [string, string, string])[] = [
  ['{"type":"ranking"', '', 'not_json'],
  ['nonsense', '', 'not_json'],
  ['[]', '', 'not_json'],
  ['null', '', 'not_json'],
  ['"ranking"', '', 'not_json'],
  ['7', '', 'not_json'],
  ['{}', 'type', 'blank'],
  ['{"type":"rank"}', 'type', 'unknown_type'],
  ['{"type":"constructor"}', 'type', 'unknown_type'],
  ['{"type":7}', 'type', 'unknown_type'],
  ['{"type":null}', 'type', 'unknown_type'],
]

onEachEngine('bad lines', (place) => {
  const world = worldAt(place)
  before(async () => {
    const known = ['competitor', 'keyword', 'page'].map((kind) => ({ type: kind, ...good[kind] }))
    assert.equal((await importLines(world, known)).refused, 0)
  })

  test('there are 200 of them, and the good lines are good', async () => {
    assert.ok(badValues.length + badLines.length >= 200)
    const lines = Object.entries(good).map(([kind, values]) => ({ type: kind, ...values }))
    assert.deepEqual((await importLines(world, lines, { isDryRun: true })).faults, [])
  })

  test('each is refused with its line, its field and its reason, and the good lines beside it are not stored', async () => {
    const before = await content()
    for (const [kind, field, value, code] of badValues) {
      const record = { type: kind, ...good[kind], [field]: value }
      const what = `${kind}.${field} ${JSON.stringify(value)?.slice(0, 40)}`
      await refused([JSON.stringify({ type: 'keyword', site, phrase: 'new' }), JSON.stringify(record)], field, code, what)
    }
    for (const [line, field, code] of badLines)
      await refused([JSON.stringify({ type: 'keyword', site, phrase: 'new' }), line], field, code, line)
    assert.deepEqual(await content(), before)
  })

  test('a line that is not UTF-8, or too long, is refused as such, and those after it are still checked', async () => {
    const bad = Buffer.concat([
      Buffer.from('{"type":"keyword","site":"example.com","phrase":"'),
      Buffer.from([0xff]),
      Buffer.from('"}\n{}'),
    ])
    const { faults } = await importBytes([bad])
    assert.deepEqual(
      faults.map(({ line, code }) => [line, code]),
      [
        [1, 'not_utf8'],
        [2, 'blank'],
      ],
    )
    const tooLong = await importBytes([Buffer.from(`{"type":"${long(3 << 20)}"}\n{}`)])
    assert.deepEqual(
      tooLong.faults.map(({ line, code }) => [line, code]),
      [
        [1, 'line_too_long'],
        [2, 'blank'],
      ],
    )
  })

  test('the first hundred faults are told and all are counted', async () => {
    const { faults, refused: count } = await importLines(world, Array(250).fill('{}'))
    assert.deepEqual([faults.length, count], [100, 250])
  })

  test('a file of which no line is good is read no further than some of them', async () => {
    const early = await importLines(world, Array(4_000).fill('{}'))
    assert.ok(early.refused >= 1_000 && early.refused < 2_500 && !early.isApplied, `${early.refused} lines were read`)
    assert.deepEqual(
      early.faults.slice(99).map(({ line, field, code, max }) => ({ line, field, code, max })),
      [
        { line: 100, field: 'type', code: 'blank', max: undefined },
        { line: early.refused + 1, field: '', code: 'none_good', max: 1_000 },
      ],
    )
  })

  test('a good line lets a file be read on, until too many lines have a fault', async () => {
    const some = await importLines(world, [JSON.stringify({ type: 'keyword', ...good.keyword }), ...Array(4_000).fill('{}')])
    assert.deepEqual([some.refused, some.faults.length], [4_000, 100])
    const many = await importLines(world, [JSON.stringify({ type: 'keyword', ...good.keyword }), ...Array(110_000).fill('{}')])
    assert.ok(many.refused >= 100_000 && many.refused < 105_000 && !many.isApplied, `${many.refused} lines were refused`)
    assert.partialDeepStrictEqual(many.faults.at(-1), { line: many.lines + 1, code: 'too_many_faults', max: 100_000 })
    const part = await importLines(world, [JSON.stringify({ type: 'keyword', ...good.keyword }), ...Array(101_000).fill('{}')], {
      takeGood: true,
    })
    assert.deepEqual([part.refused, part.isApplied], [101_000, true])
  })

  async function refused(lines: readonly string[], field: string, code: string, what: string): Promise<void> {
    const { faults, isApplied } = await importLines(world, lines)
    assert.deepEqual([faults.map((fault) => [fault.line, fault.field, fault.code]), isApplied], [[[2, field, code]], false], what)
    for (const fault of faults) assert.doesNotMatch(importErrorSentence(fault), /[{}]|undefined/, what)
  }

  async function importBytes(bytes: readonly Buffer[]) {
    return importObservations(world.operator, world.target, readNdjson(bytes))
  }

  async function content() {
    const { db } = world.app.store
    const counts = await Promise.all([
      db.selectFrom('keywords').selectAll().execute(),
      db.selectFrom('pages').selectAll().execute(),
      db.selectFrom('accounts').selectAll().execute(),
    ])
    return JSON.stringify(counts)
  }
})
