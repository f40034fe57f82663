/** The same report data as plain rows in SQLite, the way it is usually kept: read raw and dropped, or made into a tree. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'

/** A report in JSON, as the service sent it. */
export interface Report {
  readonly accounts: readonly Record<string, { readonly sites: readonly Record<string, Site>[] }>[]
}

interface Measured {
  readonly backlinks: readonly Record<string, string | number>[]
  readonly keywords: readonly Record<string, readonly Ranking[]>[]
}

interface Site extends Measured {
  readonly competitors: readonly Record<string, Measured>[]
}

interface Ranking {
  readonly locale: string
  readonly search_engine: string
  readonly ranked_at: string
  readonly rank: number | null
}

export interface Row {
  readonly profile: number
  readonly keyword: number
  readonly phrase: string
  readonly ranking: Ranking
}

export const sourceCodes = ['Bing', 'Google', 'Yahoo']

/** Sites and competitors one after the other. */
export function profilesOf(report: Report): readonly Measured[] {
  const sites = report.accounts.flatMap((account) =>
    Object.values(account).flatMap(({ sites: some }) => some.flatMap((site) => Object.values(site))),
  )
  return sites.flatMap((site) => [site, ...site.competitors.flatMap((rival) => Object.values(rival))])
}

export function* rankingRows(report: Report): Generator<Row> {
  let keyword = 0
  for (const [profile, { keywords }] of profilesOf(report).entries()) {
    for (const item of keywords) {
      keyword++
      for (const [phrase, rankings] of Object.entries(item)) for (const ranking of rankings) yield { profile, keyword, phrase, ranking }
    }
  }
}

/** `text`: clustered rows with text columns; `lean`: clustered rows with codes. */
export function openPlainRows(report: Report) {
  const database = new Database(join(mkdtempSync(join(tmpdir(), 'marquee-bench-')), 'plain.db'))
  database.pragma('journal_mode = wal')
  database.exec(`
    create table keyword (id integer primary key, profile_id integer not null, phrase text not null, unique (profile_id, phrase));
    create table text_ranking (keyword_id integer, ranked_at text, engine text, locale text, rank integer, primary key (keyword_id, ranked_at, engine, locale)) without rowid;
    create table lean_ranking (keyword_id integer, ranked_at integer, source_id integer, rank integer, primary key (keyword_id, ranked_at, source_id)) without rowid;
    create table backlink (profile_id integer, found_on text, id integer, domain text, link_strength integer, source_url text, domain_authority integer, anchor_text text, primary key (profile_id, found_on, id)) without rowid;
  `)
  database.transaction(() => fill(database, report))()
  const profiles = profilesOf(report).map((_, profile) => profile)
  const text = database
    .prepare(
      'select k.phrase, r.locale, r.engine, r.ranked_at, r.rank from keyword k join text_ranking r on r.keyword_id = k.id where k.profile_id = ? order by k.phrase, r.ranked_at, r.engine, r.locale',
    )
    .raw()
  const lean = database
    .prepare(
      'select k.phrase, r.ranked_at, r.source_id, r.rank from keyword k join lean_ranking r on r.keyword_id = k.id where k.profile_id = ? order by k.phrase, r.ranked_at, r.source_id',
    )
    .raw()
  const backlinks = database
    .prepare(
      'select domain, found_on, link_strength, source_url, domain_authority, anchor_text from backlink where profile_id = ? order by found_on, id',
    )
    .raw()
  const readAll = (rankings: Database.Statement) =>
    profiles.reduce((sum, profile) => sum + rankings.all(profile).length + backlinks.all(profile).length, 0)
  return {
    readText: () => readAll(text),
    readLean: () => readAll(lean),
    /** The usual way to JSON. */
    stringify: () =>
      Buffer.from(JSON.stringify(profiles.map((profile) => treeOf(text.all(profile) as Cells[], backlinks.all(profile) as Cells[]))))
        .length,
    close: () => void database.close(),
  }
}

type Cells = (string | number | null)[]

function treeOf(rankings: readonly Cells[], backlinks: readonly Cells[]) {
  const keywords = new Map<string, object[]>()
  for (const [phrase, locale, search_engine, ranked_at, rank] of rankings) {
    const entries = keywords.get(phrase as string) ?? []
    if (entries.length === 0) keywords.set(phrase as string, entries)
    entries.push({ locale, search_engine, ranked_at, rank })
  }
  return {
    backlinks: backlinks.map(([domain, found_on, link_strength, source_url, domain_authority, anchor_text]) => ({
      domain,
      found_on,
      link_strength,
      source_url,
      domain_authority,
      anchor_text,
    })),
    keywords: [...keywords].map(([phrase, entries]) => ({ [phrase]: entries })),
  }
}

function fill(database: Database.Database, report: Report): void {
  const keyword = database.prepare('insert or ignore into keyword values (?, ?, ?)')
  const text = database.prepare('insert into text_ranking values (?, ?, ?, ?, ?)')
  const lean = database.prepare('insert into lean_ranking values (?, ?, ?, ?)')
  const backlink = database.prepare('insert into backlink values (?, ?, ?, ?, ?, ?, ?, ?)')
  const inTimeOrder = [...rankingRows(report)].sort((a, b) => (a.ranking.ranked_at < b.ranking.ranked_at ? -1 : 1))
  for (const { profile, keyword: id, phrase, ranking } of inTimeOrder) {
    keyword.run(id, profile, phrase)
    text.run(id, ranking.ranked_at, ranking.search_engine, ranking.locale, ranking.rank)
    lean.run(id, Date.parse(`${ranking.ranked_at.replace(' ', 'T')}Z`) / 1000, sourceCodes.indexOf(ranking.search_engine), ranking.rank)
  }
  for (const [profile, { backlinks }] of profilesOf(report).entries()) {
    for (const [id, link] of backlinks.entries())
      backlink.run(
        profile,
        link['found_on'],
        id,
        link['domain'],
        link['link_strength'],
        link['source_url'],
        link['domain_authority'],
        link['anchor_text'],
      )
  }
}
