/** Writing alone: the same report from memory to text, by us and by what others would use. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FlowOf } from '../src/fields/streaming.ts'
import { compileXmlFlow } from '../src/fields/to-xml.ts'
import { BufferPool, ChunkWriter } from '../src/lib/streams/chunks.ts'
import { secondsOfMoment } from '../src/lib/time/moments.ts'
import { type Labels, xmlRankings } from '../src/model/reports/write-rankings.ts'
import { seoReport } from '../src/resources/seo-report.ts'
import { openBench } from './cold-reports.ts'
import { compare, type Line, line, missing, timed } from './measure.ts'
import { type Report, sourceCodes } from './plain-rows.ts'

const rounds = 7
const write = compileXmlFlow('hash', seoReport, { nulls: 'untyped', names: 'encoded' }, xmlRankings)

export async function serialization(): Promise<Line[]> {
  const { desk, report } = await openBench()
  await desk.close()
  const folder = mkdtempSync(join(tmpdir(), 'marquee-bench-'))
  const flow = flowOf(report)
  const ours = () => timed(() => write(flow, toNowhere, () => undefined))
  return [rails(folder, report, await own(ours)), ...(await inJavaScript(folder, report, ours))]
}

async function own(ours: () => Promise<number>): Promise<number> {
  return (await compare({ ours }, rounds)).ours
}

/** Ruby is started once and measures itself, as often and after as much warming up. */
function rails(folder: string, report: Report, ours: number): Line {
  const named = { work: 'serialization', against: 'ActiveSupport Hash#to_xml', goal: '>= 100x' }
  const file = join(folder, 'report.json')
  writeFileSync(file, JSON.stringify(report))
  try {
    const printed = execFileSync('ruby', ['-e', script, file], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    return line({ ...named, unit: 'ms', ours, theirs: Number(printed) })
  } catch {
    return missing(named.work, named.against, 'Ruby or ActiveSupport is not installed', named.goal)
  }
}

const script = `
require 'json'; require 'active_support'; require 'active_support/core_ext'
tree = JSON.parse(File.read(ARGV[0]))
times = 3.times.map { t = Process.clock_gettime(Process::CLOCK_MONOTONIC); tree.to_xml(root: 'hash'); (Process.clock_gettime(Process::CLOCK_MONOTONIC) - t) * 1000 }
puts times.sort[1]`

async function inJavaScript(folder: string, report: Report, ours: () => Promise<number>): Promise<Line[]> {
  const peers = install(folder)
  const named = { work: 'serialization', unit: 'ms' } as const
  if (peers === undefined)
    return [
      missing(named.work, 'xmlbuilder2', 'could not be installed', '>= 10x'),
      missing(named.work, 'fast-xml-parser', 'could not be installed', '>= 4x'),
    ]
  const tree = { hash: report }
  const builder = new peers.fast.XMLBuilder({ format: true })
  const taken = await compare(
    {
      ours,
      xmlbuilder2: () => timed(() => peers.slow.create(nameable(tree)).end({ prettyPrint: true })),
      fast: () => timed(() => builder.build(tree)),
    },
    rounds,
    1,
  )
  return [
    line({ ...named, ours: taken.ours, against: 'xmlbuilder2', theirs: taken.xmlbuilder2, goal: '>= 10x' }),
    line({ ...named, ours: taken.ours, against: "fast-xml-parser's builder", theirs: taken.fast, goal: '>= 4x' }),
  ]
}

interface Peers {
  readonly slow: { create(tree: object): { end(options: object): string } }
  readonly fast: { XMLBuilder: new (options: object) => { build(tree: object): string } }
}

function install(folder: string): Peers | undefined {
  try {
    writeFileSync(join(folder, 'package.json'), '{"private":true}')
    execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund', 'xmlbuilder2@3', 'fast-xml-parser@5'], {
      cwd: folder,
      stdio: 'ignore',
    })
    const require = createRequire(join(folder, 'package.json'))
    return { slow: require('xmlbuilder2'), fast: require('fast-xml-parser') }
  } catch {
    return undefined
  }
}

/** xmlbuilder2 refuses names that are none: ids and phrases get a letter and lose their blanks. */
function nameable(value: unknown): object {
  if (Array.isArray(value)) return value.map((item) => nameable(item))
  if (typeof value !== 'object' || value === null) return value as never
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [/^[a-z]\w*$/.test(name) ? name : `n${name.replace(/\W/g, '_')}`, nameable(item)]),
  )
}

const labels: Labels = sourceCodes.map((search_engine) => ({ locale: 'en-us', search_engine }))

/** The report as the report thread has it in memory: rankings packed, everything else as records. */
function flowOf({ accounts }: Report): FlowOf<typeof seoReport> {
  const items = (list: readonly Record<string, unknown>[], value: (of: never) => unknown) =>
    list.flatMap((item) => Object.entries(item).map(([key, of]) => ({ key, value: value(of as never) })))
  const measured = (of: { backlinks: never[]; keywords: never[]; competitors?: never[] }): unknown => ({
    ...of,
    backlinks: [of.backlinks],
    keywords: [items(of.keywords, packed)],
    ...(of.competitors && { competitors: [items(of.competitors, measured as never)] }),
  })
  return {
    accounts: [items(accounts, ((account: { sites: never[] }) => ({ sites: [items(account.sites, measured as never)] })) as never)],
  } as never
}

function packed(rankings: readonly { search_engine: string; ranked_at: string; rank: number | null }[]) {
  const words = rankings.flatMap(({ search_engine, ranked_at, rank }) => [
    secondsOfMoment(ranked_at) ?? 0,
    (sourceCodes.indexOf(search_engine) << 16) | (rank ?? 0),
  ])
  return rankings.length === 0 ? [] : [{ words: Uint32Array.from(words), labels, from: 0, to: words.length }]
}

const stock = new BufferPool()
/** Text is made bytes, as it is when it is sent. */
const toNowhere = new ChunkWriter((page) => stock.giveBack(page.buffer as ArrayBuffer), stock)
