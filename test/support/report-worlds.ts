/** Worlds of any phrases, domains and texts, and whether strict parsers read their reports back to the same values. */
import assert from 'node:assert/strict'
import type { Shape } from '../../src/fields/shape.ts'
import type { FlowOf, FlowWriter } from '../../src/fields/streaming.ts'
import { compileJsonFlow } from '../../src/fields/to-json.ts'
import { compileXmlFlow } from '../../src/fields/to-xml.ts'
import { BufferPool, ChunkWriter } from '../../src/lib/streams/chunks.ts'
import { scrub } from '../../src/lib/xml/xml.ts'
import { jsonRankings, type Labels, type PackedRankings, xmlRankings } from '../../src/model/reports/write-rankings.ts'
import { seoReport } from '../../src/resources/seo-report.ts'
import { fc } from './properties.ts'
import { parse, readReport } from './read-report.ts'
import { xmlFault } from './xml.ts'

const encoded = compileXmlFlow('hash', seoReport, { nulls: 'untyped', names: 'encoded' }, xmlRankings)
const legacy = compileXmlFlow('hash', seoReport, { nulls: 'untyped', names: 'legacy' }, xmlRankings)
const json = compileJsonFlow(null, seoReport, jsonRankings)

const awkward = fc.constantFrom(
  '<b>',
  '&amp;',
  ']]>',
  '_x0020_',
  '_x',
  '\u0000',
  '\u001f',
  '\ufffe',
  '\ud800',
  '💩',
  '\u202eabc',
  'שלום',
  '\r\n',
  '\t',
  ' ',
  '"',
  "'",
  '--',
  '<?x',
  '<!--',
  'é',
  'xml',
  '1',
  ':',
  '/',
)
const words = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(awkward, { maxLength: 6 }).map((parts) => parts.join('')),
)
/** What can be a name: stored phrases are not empty after trimming. */
const phrase = words.filter((text) => text.trim() !== '')
const count = fc.nat(1_000_000)
const day = fc.constantFrom('1970-01-01', '2026-02-28', '2105-12-31')

const labels = fc.array(fc.record({ locale: words, search_engine: words }), { minLength: 1, maxLength: 3 })
const rankings = fc.array(fc.record({ time: fc.nat(2 ** 32 - 1), source: fc.nat(2), rank: fc.nat(65_535) }), { maxLength: 5 })
const keywords = fc.array(fc.record({ phrase, rankings }), { maxLength: 3 })
const backlinks = fc.array(
  fc.record({ domain: words, found_on: day, link_strength: count, source_url: words, domain_authority: count, anchor_text: words }),
  { maxLength: 2 },
)
const rival = fc.record({ domain: phrase, backlink_count: count, backlinks, domain_count: count, domain_age: count, keywords })
const site = fc.record({
  id: fc.integer({ min: 1, max: 2 ** 53 - 1 }),
  download_time: fc.double({ min: 0, max: 1e6, noNaN: true }),
  domain_authority: fc.option(fc.nat(100)),
  figure: count,
  backlinks,
  keywords,
  rivals: fc.array(rival, { maxLength: 2 }),
})
const world = fc.record({ labels, sites: fc.array(site, { maxLength: 2 }) })
type World = typeof world extends fc.Arbitrary<infer T> ? T : never

/** XML in both name styles, and JSON, of so many worlds. */
export async function checkWorlds(numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(world, async (made) => {
      const xml = await textOf(encoded, flowOf(made))
      assert.deepEqual(readReport(xml), treeOf(made))
      assert.equal(xmlFault(xml), null)
      assert.deepEqual(JSON.parse(await textOf(json, flowOf(made))), treeOf(made))
    }),
    { numRuns },
  )
}

export async function checkLegacyWorlds(numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(world, async (made) => {
      const xml = await textOf(legacy, flowOf(made))
      assert.equal(
        countOf(parse(wellNamed(xml)), 'backlink'),
        made.sites.flatMap((one) => [one.backlinks, ...one.rivals.map(({ backlinks: links }) => links)]).flat().length,
      )
    }),
    { numRuns },
  )
}

async function textOf<S extends Shape>(write: FlowWriter<S>, record: FlowOf<S>): Promise<string> {
  const written: Buffer[] = []
  const pages = new ChunkWriter((page) => written.push(Buffer.from(page)), new BufferPool())
  await write(record, pages, () => undefined)
  pages.flush()
  return Buffer.concat(written).toString()
}

/** Names as of old may hold what no name of today may, but never what ends a tag: another spelling of the names is all a parser needs. */
function wellNamed(xml: string): string {
  const nameable = (name: string) =>
    `n${[...name].map((character) => (/[A-Za-z0-9.-]/.test(character) ? character : `u${character.codePointAt(0)?.toString(16)}`)).join('')}`
  return xml.replace(
    /(\n *<\/?)([^\s>/]+)/g,
    (_, open: string, name: string) => open + (/^[a-z][a-z-]*$/.test(name) ? name : nameable(name)),
  )
}

function countOf(element: ReturnType<typeof parse>, name: string): number {
  return element.children.reduce((sum, child) => sum + countOf(child, name), element.name === name ? 1 : 0)
}

type Keywords = World['sites'][number]['keywords']

function flowOf({ labels: names, sites }: World): FlowOf<typeof seoReport> {
  const flowing = (list: Keywords) => list.map(({ phrase: key, rankings: some }) => ({ key, value: spansOf(some, names) }))
  const values = sites.map((made) => ({
    key: made.id,
    value: {
      ...figuresOf(made),
      backlinks: [made.backlinks],
      keywords: [flowing(made.keywords)],
      competitors: [
        made.rivals.map(({ domain, ...rest }) => ({
          key: domain,
          value: { ...rest, backlinks: [rest.backlinks], keywords: [flowing(rest.keywords)] },
        })),
      ],
    },
  }))
  return { accounts: [[{ key: 1, value: { sites: [values] } }]] }
}

function spansOf(some: Keywords[number]['rankings'], names: Labels): PackedRankings[] {
  if (some.length === 0) return []
  const entries = some.flatMap(({ time, source, rank }) => [time, ((source % names.length) << 16) | rank])
  return [{ words: Uint32Array.from(entries), labels: names, from: 0, to: entries.length }]
}

function treeOf({ labels: names, sites }: World): unknown {
  const written = (list: Keywords) =>
    list.map(({ phrase: key, rankings: some }) => ({ [scrub(key)]: some.map((one) => rankingOf(one, names)) }))
  const values = sites.map((made) => ({
    [made.id]: {
      ...figuresOf(made),
      backlinks: made.backlinks.map(scrubbed),
      keywords: written(made.keywords),
      competitors: made.rivals.map(({ domain, ...rest }) => ({
        [scrub(domain)]: { ...rest, backlinks: rest.backlinks.map(scrubbed), keywords: written(rest.keywords) },
      })),
    },
  }))
  return { accounts: [{ 1: { sites: values } }] }
}

function rankingOf({ time, source, rank }: Keywords[number]['rankings'][number], names: Labels) {
  const ranked_at = new Date(time * 1000).toISOString().slice(0, 19).replace('T', ' ')
  const { locale = '', search_engine = '' } = names[source % names.length] ?? {}
  return { locale: scrub(locale), search_engine: scrub(search_engine), ranked_at, rank: rank === 0 ? null : rank }
}

function figuresOf({ download_time, domain_authority, figure }: World['sites'][number]) {
  const pages = { pages_indexed_in_google: figure, pages_indexed_in_bing: figure, pages_indexed_in_yahoo: figure }
  return { download_time, ...pages, domain_authority, backlink_count: figure, domain_count: figure, domain_age: figure }
}

function scrubbed<T extends object>(record: T): T {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, typeof value === 'string' ? scrub(value) : value])) as T
}
