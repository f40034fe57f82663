/** The same report data as lean rows in PostgreSQL: read raw through `pg` and dropped, or made into XML by the server. */
import pg from 'pg'
import { profilesOf, type Report, rankingRows, sourceCodes } from './plain-rows.ts'

export async function openPlainPostgres(url: string, report: Report) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('create schema plain')
  await client.query('set search_path = plain')
  await client.query('create table account (id integer primary key)')
  await client.query(
    'create table profile (id integer primary key, account_id integer, site_id integer, domain text, download_time double precision, pages_indexed_in_google integer, pages_indexed_in_bing integer, pages_indexed_in_yahoo integer, domain_authority integer, backlink_count integer, domain_count integer, domain_age integer)',
  )
  await client.query('create table source (id smallint primary key, engine text not null, locale text not null)')
  await client.query('create table keyword (id integer primary key, profile_id integer not null, phrase text not null)')
  await client.query(
    'create table ranking (keyword_id integer, ranked_at integer, source_id smallint, rank smallint, primary key (keyword_id, ranked_at, source_id) include (rank))',
  )
  await client.query(
    'create table backlink (profile_id integer, found_on date, id integer, domain text, link_strength integer, source_url text, domain_authority integer, anchor_text text, primary key (profile_id, found_on, id))',
  )
  await fill(client, report)
  await client.query('vacuum analyze')
  return {
    async read(): Promise<number> {
      const keywords = await raw(client, 'keywords', 'select id, profile_id, phrase from keyword order by profile_id, phrase', [])
      const rankings = await raw(
        client,
        'rankings',
        'select keyword_id, ranked_at, source_id, rank from ranking where keyword_id = any($1)',
        [keywords.map(([id]) => id)],
      )
      const backlinks = await raw(client, 'backlinks', 'select * from backlink order by profile_id, found_on, id', [])
      return rankings.length + backlinks.length
    },
    /** On one line. */
    xmlagg: () => client.query(`select xml::text ${serverXml}`),
    /** As ours is laid out, line by line: PostgreSQL can do that from 16 on. */
    xmlaggInLines: () => client.query(`select xmlserialize(document xml as text indent) ${serverXml}`),
    canWriteLines: Number((await client.query('show server_version_num')).rows[0].server_version_num) >= 160_000,
    close: () => client.end(),
  }
}

async function raw(client: pg.Client, name: string, text: string, values: unknown[]): Promise<unknown[][]> {
  return (await client.query({ name, text, values, rowMode: 'array' })).rows as unknown[][]
}

const element = (name: string, type: string | null, value: string) =>
  type === null
    ? `xmlelement(name "${name.replaceAll('_', '-')}", ${value})`
    : `xmlelement(name "${name.replaceAll('_', '-')}", xmlattributes('${type}' as type), ${value})`
const nullable = (name: string, value: string) =>
  `case when ${value} is null then xmlelement(name "${name.replaceAll('_', '-')}", xmlattributes('true' as nil)) else ${element(name, 'integer', value)} end`
const integers = (table: string, ...names: string[]) => names.map((name) => element(name, 'integer', `${table}.${name}`)).join(', ')

/** The document of the report. Names that are made of values cannot be written by `xmlelement`, so fixed ones stand for them. */
const serverXml = `from (
  with rankings as (
    select r.keyword_id, xmlagg(xmlelement(name ranking,
      ${element('locale', null, 's.locale')},
      ${element('search_engine', null, 's.engine')},
      ${element('ranked_at', null, "to_char(to_timestamp(r.ranked_at) at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS')")},
      ${nullable('rank', 'r.rank')}) order by r.ranked_at, s.engine, s.locale) as xml
    from ranking r join source s on s.id = r.source_id group by r.keyword_id
  ), keywords as (
    select k.profile_id, xmlagg(xmlelement(name keyword, xmlelement(name phrase, xmlattributes('array' as type, k.phrase as name), r.xml))
      order by k.phrase collate "C") as xml
    from keyword k left join rankings r on r.keyword_id = k.id group by k.profile_id
  ), backlinks as (
    select b.profile_id, xmlagg(xmlelement(name backlink,
      ${element('domain', null, 'b.domain')},
      ${element('found_on', 'date', 'b.found_on')},
      ${element('link_strength', 'integer', 'b.link_strength')},
      ${element('source_url', null, 'b.source_url')},
      ${element('domain_authority', 'integer', 'b.domain_authority')},
      ${element('anchor_text', null, 'b.anchor_text')}) order by b.found_on, b.id) as xml
    from backlink b group by b.profile_id
  ), competitors as (
    select p.site_id, xmlagg(xmlelement(name competitor, xmlelement(name domain, xmlattributes(p.domain as name),
      ${integers('p', 'backlink_count')},
      ${element('backlinks', 'array', 'b.xml')},
      ${integers('p', 'domain_count', 'domain_age')},
      ${element('keywords', 'array', 'k.xml')})) order by p.id) as xml
    from profile p left join backlinks b on b.profile_id = p.id left join keywords k on k.profile_id = p.id
    where p.domain is not null group by p.site_id
  ), sites as (
    select p.account_id, xmlagg(xmlelement(name site, xmlelement(name id, xmlattributes(p.site_id as name),
      ${element('download_time', 'float', 'p.download_time')},
      ${integers('p', 'pages_indexed_in_google', 'pages_indexed_in_bing', 'pages_indexed_in_yahoo')},
      ${nullable('domain_authority', 'p.domain_authority')},
      ${integers('p', 'backlink_count', 'domain_count', 'domain_age')},
      ${element('backlinks', 'array', 'b.xml')},
      ${element('keywords', 'array', 'k.xml')},
      ${element('competitors', 'array', 'c.xml')})) order by p.site_id) as xml
    from profile p left join backlinks b on b.profile_id = p.id left join keywords k on k.profile_id = p.id
    left join competitors c on c.site_id = p.site_id where p.domain is null group by p.account_id
  )
  select xmlelement(name hash, ${element(
    'accounts',
    'array',
    `xmlagg(xmlelement(name account, xmlelement(name id, xmlattributes(a.id as name), ${element('sites', 'array', 's.xml')})) order by a.id)`,
  )}) as xml
  from account a left join sites s on s.account_id = a.id) document`

async function fill(client: pg.Client, report: Report): Promise<void> {
  await client.query('insert into account select unnest($1::int[])', [report.accounts.flatMap((account) => Object.keys(account))])
  await client.query('insert into profile select * from json_populate_recordset(null::profile, $1)', [
    JSON.stringify(figuresOf(report).map((figures, id) => ({ ...figures, id }))),
  ])
  await client.query("insert into source select code - 1, engine, 'en-us' from unnest($1::text[]) with ordinality as x (engine, code)", [
    sourceCodes,
  ])
  const rows = [...rankingRows(report)]
  const keywords = new Map(rows.map(({ keyword, profile, phrase }) => [keyword, { profile, phrase }]))
  await client.query('insert into keyword select * from unnest($1::int[], $2::int[], $3::text[])', [
    [...keywords.keys()],
    [...keywords.values()].map(({ profile }) => profile),
    [...keywords.values()].map(({ phrase }) => phrase),
  ])
  await client.query('insert into ranking select * from unnest($1::int[], $2::int[], $3::smallint[], $4::smallint[])', [
    rows.map(({ keyword }) => keyword),
    rows.map(({ ranking }) => Date.parse(`${ranking.ranked_at.replace(' ', 'T')}Z`) / 1000),
    rows.map(({ ranking }) => sourceCodes.indexOf(ranking.search_engine)),
    rows.map(({ ranking }) => ranking.rank),
  ])
  for (const [profile, { backlinks }] of profilesOf(report).entries()) {
    await client.query(
      'insert into backlink select $1, f, row_number() over (), d, s, u, a, t from unnest($2::date[], $3::text[], $4::int[], $5::text[], $6::int[], $7::text[]) as x (f, d, s, u, a, t)',
      [
        profile,
        ...['found_on', 'domain', 'link_strength', 'source_url', 'domain_authority', 'anchor_text'].map((name) =>
          backlinks.map((link) => link[name]),
        ),
      ],
    )
  }
}

/** In the order of `profilesOf`; a site itself has no domain. */
function figuresOf(report: Report): object[] {
  return report.accounts.flatMap((account) =>
    Object.entries(account).flatMap(([account_id, { sites }]) =>
      sites.flatMap((site) =>
        Object.entries(site).flatMap(([site_id, own]) =>
          [
            { ...own, domain: null },
            ...own.competitors.flatMap((rival) => Object.entries(rival).map(([domain, its]) => ({ ...its, domain }))),
          ].map(({ domain, ...figures }) => ({
            ...figures,
            backlinks: null,
            keywords: null,
            competitors: null,
            account_id,
            site_id,
            domain,
          })),
        ),
      ),
    ),
  )
}
