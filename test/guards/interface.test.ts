import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Field, isKeyed, type Keyed, type Shape } from '../../src/fields/shape.ts'
import { compileJson } from '../../src/fields/to-json.ts'
import { compileXml } from '../../src/fields/to-xml.ts'
import { ability } from '../../src/resources/ability.ts'
import { business, newBusiness } from '../../src/resources/business.ts'
import { countsPage, detailPage, reputationCounts, reputationDetail, review, reviewCount } from '../../src/resources/reputation.ts'
import { backlink, ranking, seoReport, siteMetrics } from '../../src/resources/seo-report.ts'
import { newUser, user } from '../../src/resources/user.ts'
import { type MarkdownTable, markdownTables } from '../support/markdown.ts'
import { sourcesIn } from '../support/sources.ts'
import { xmlFault } from '../support/xml.ts'

const [page] = sourcesIn('docs/interface.md')
const key = 'plumber'
const fieldTables = markdownTables(page?.text ?? '').filter(({ rows }) => rows.some((row) => 'Type' in row))

// An extension: who creates a user may name them at once.
const { name: _extension, ...askedOfUsers } = newUser

// In the order of the page, with the line that leads to each table.
// biome-ignore format: a table reads by its columns
const counterparts: readonly (readonly [lead: string, shape: Shape])[] = [
  ['### User (XML root element `user`)',         user],
  ['### Ability (JSON object)',                  ability],
  ['### Business (XML root element `business`)', business],
  ['Site metrics:',                              siteMetrics],
  ['`backlink` fields:',                         backlink],
  ['`keyword` holds one child element named after the tracked keyword phrase. That child is an array of ranking entries:', ranking],
  ['`page` fields:',                             detailPage],
  ['`review` fields:',                           review],
  ['`page` fields:',                             countsPage],
  ['`review-count` fields:',                     reviewCount],
  ['- Form parameters:',                         askedOfUsers],
  ['- Form parameters:',                         newBusiness],
]

const figures = outline(siteMetrics).slice(0, 8)

// The shapes that the page states in prose; a question mark says that null may stand there.
// biome-ignore format: nesting reads by its indentation
const proseShapes = {
  hash: [
    'accounts: list of account', [
      'named by account_id', [
        'sites: list of site', [
          'named by site_id', [
            ...figures,
            'backlinks: list of backlink',  outline(backlink),
            'keywords: list of keyword',    ['named by phrase, list of ranking', outline(ranking)],
            'competitors: list of competitor', [
              'named by domain', [
                'backlink_count',
                'backlinks: list of backlink', outline(backlink),
                'domain_count',
                'domain_age',
                'keywords: list of keyword',   ['named by phrase, list of ranking', outline(ranking)],
              ],
            ],
          ],
        ],
      ],
    ],
  ],
  detail: [
    'id',
    'sites: list of site', [
      'id',
      'location', [
        'id', 'created_at', 'twitter_page?', 'facebook_page?',
        'pages: list of page', [...outline(detailPage).slice(0, -2), 'reviews: list of review', outline(review)],
      ],
    ],
  ],
  counts: [
    'id',
    'sites: list of site', [
      'id',
      'location', [
        'id', 'created_at',
        'competitors: list of competitor', [
          'id', 'created_at',
          'pages: list of page', [...outline(countsPage).slice(0, -2), 'review_counts: list of review_count', outline(reviewCount)],
        ],
        'pages: list of page', [...outline(countsPage).slice(0, -2), 'review_counts: list of review_count', outline(reviewCount)],
      ],
    ],
  ],
}

describe('the interface and our tables', () => {
  test('every table of fields on the page has its counterpart, in order', () => {
    assert.deepEqual(
      fieldTables.slice(0, -1).map(({ lead }) => lead),
      counterparts.map(([lead]) => lead),
    )
    assert.equal(fieldTables.at(-1)?.lead, '- Optional URL parameters:')
  })

  for (const [index, [lead, shape]] of counterparts.entries()) {
    test(`${index + 1}. ${lead}`, () => assert.deepEqual(linesOf(shape), stated(fieldTables[index])))
  }

  test('a field that is missing, moved, retyped or made nullable is seen', () => {
    const { id, ...rest } = business
    const says = stated(fieldTables[2])
    for (const broken of [
      rest,
      { ...rest, id },
      { ...business, id: business.name },
      { ...business, name: { ...business.name, nullable: true } },
    ]) {
      assert.notDeepEqual(linesOf(broken as Shape), says)
    }
  })

  test('words, first values and lengths stated on the page are ours', () => {
    const rowOf = (index: number, name: string) => fieldTables[index]?.rows.find((row) => row.Field === name || row.Name === name) ?? {}
    assert.deepEqual(ability.key.oneOf, wordsIn(rowOf(1, 'key')['Allowed values']))
    assert.deepEqual(ability.scope_type.oneOf, wordsIn(rowOf(1, 'scope_type')['Allowed values']))
    assert.deepEqual(business.aasm_state.oneOf, wordsIn(rowOf(2, 'aasm-state').Notes))
    assert.deepEqual(initialsOf(user), initialsStated(fieldTables[0]))
    for (const name of ['password', 'login'] as const)
      assert.match(rowOf(10, name).Rule ?? '', new RegExp(`^at least ${newUser[name].min} char`))
  })
})

describe('the shapes that the interface states in prose', () => {
  test('the SEO report nests as stated', () => assert.deepEqual(outline(seoReport), proseShapes.hash))
  test('the detail variant nests as stated', () => assert.deepEqual(outline(reputationDetail), proseShapes.detail))
  test('the counts variant nests as stated', () => assert.deepEqual(outline(reputationCounts), proseShapes.counts))
})

describe('the writers', () => {
  const reports = { hash: seoReport, detail: reputationDetail, counts: reputationCounts }
  for (const [name, shape] of Object.entries<Shape>(reports)) {
    const root = name === 'hash' ? 'hash' : 'account'
    const sample = sampleOf(shape)

    test(`${name}: XML has the elements of the tables, in their order`, () => {
      const xml = compileXml(root, shape, { nulls: 'untyped' })(sample as never)
      assert.equal(xmlFault(xml), null)
      const elements = [...xml.matchAll(/<([\w.-]+)/g)].map(([, element]) => element).slice(1)
      assert.deepEqual(elements, elementsOf(shape))
    })

    test(`${name}: JSON has the same tree`, () => {
      const json = JSON.parse(compileJson(root === 'hash' ? null : root, shape)(sample as never))
      assert.deepEqual(keysOf(root === 'hash' ? json : json[root]), elementsOf(shape, 'json'))
    })
  }
})

/** `name kind`, with `or null` where null may stand; what is only there where it is asked for does not belong to the interface. */
function linesOf(shape: Shape): string[] {
  const promised = Object.entries(shape).filter(([, field]) => field.is !== 'scalar' || field.sometimes !== true)
  return promised.map(([name, field]) => `${name} ${kindOf(field)}`)
}

function kindOf(field: Field): string {
  if (field.is === 'list') return `list of ${field.item}`
  if (field.is === 'one') return 'record'
  return field.nullable ? `${field.kind} or null` : field.kind
}

function stated(table: MarkdownTable | undefined): string[] {
  return (table?.rows ?? []).map((row) => {
    const isNullable = row.Nullable === 'yes' || row.Notes === 'nullable'
    return `${underscored(row.Field ?? row.Name ?? '')} ${statedKind(row)}${isNullable ? ' or null' : ''}`
  })
}

function statedKind({ Type = '', Notes = '' }: Record<string, string>): string {
  const item = /^array of `([\w-]+)`$/.exec(Type)?.[1]
  if (item) return `list of ${underscored(item)}`
  if (Type === 'string, UTC timestamp') return 'timestamp'
  if (Notes === 'format `YYYY-MM-DD HH:MM:SS`') return 'moment'
  return /^\w+/.exec(Type)?.[0] ?? ''
}

function underscored(name: string): string {
  return name.replaceAll('-', '_')
}

function wordsIn(text = ''): string[] {
  return [...text.matchAll(/`(\w+)`/g)].map(([, word = '']) => word)
}

function initialsOf(shape: Shape): Record<string, unknown> {
  const fields = Object.entries(shape).flatMap(([name, field]) =>
    field.is === 'scalar' && field.initial !== undefined ? [[name, field.initial]] : [],
  )
  return Object.fromEntries(fields)
}

function initialsStated(table: MarkdownTable | undefined): Record<string, unknown> {
  const words: Record<string, unknown> = { 'empty on creation': '', 'false right after creation': 0 }
  const entries = (table?.rows ?? []).flatMap(({ Field: name = '', Notes = '' }) => {
    const first = /^`?(\w+)`? right after creation$/.exec(Notes)?.[1]
    const value = words[Notes] ?? (first && /^\d+$/.test(first) ? Number(first) : first)
    return value === undefined || value === 'null' ? [] : [[underscored(name), value]]
  })
  return Object.fromEntries(entries)
}

type Outline = (string | Outline)[]

function outline(shape: Shape): Outline {
  return Object.entries(shape).flatMap(([name, field]): Outline => {
    if (field.is === 'scalar') return [field.nullable ? `${name}?` : name]
    if (field.is === 'one') return [name, outline(field.of)]
    return [`${name}: list of ${field.item}`, isKeyed(field.of) ? keyedOutline(field.of) : outline(field.of)]
  })
}

function keyedOutline({ by, of }: Keyed): Outline {
  return of.is === 'one' ? [`named by ${by}`, outline(of.of)] : [`named by ${by}, list of ${of.item}`, outline(of.of)]
}

function sampleOf(shape: Shape): Record<string, unknown> {
  return Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, sampleValue(field)]))
}

function sampleValue(field: Field): unknown {
  if (field.is === 'one') return sampleOf(field.of)
  if (field.is === 'list') return [isKeyed(field.of) ? { key, value: sampleValue(field.of.of) } : sampleOf(field.of)]
  return ['integer', 'float', 'boolean'].includes(field.kind) ? 1 : '2026-11-14T23:52:01Z'
}

function elementsOf(shape: Shape, as: 'xml' | 'json' = 'xml'): string[] {
  return Object.entries(shape).flatMap(([name, field]) => {
    const element = as === 'xml' ? name.replaceAll('_', '-') : name
    if (field.is === 'scalar') return [element]
    if (field.is === 'one') return [element, ...elementsOf(field.of, as)]
    const item = as === 'xml' ? [field.item.replaceAll('_', '-')] : []
    return [element, ...item, ...(isKeyed(field.of) ? [key, ...elementsBelow(field.of, as)] : elementsOf(field.of, as))]
  })
}

function elementsBelow({ of }: Keyed, as: 'xml' | 'json'): string[] {
  return of.is === 'list' && as === 'xml' ? [of.item, ...elementsOf(of.of, as)] : elementsOf(of.of as Shape, as)
}

function keysOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysOf)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, below]) => [name, ...keysOf(below)])
}
