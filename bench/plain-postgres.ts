/** The same report data as lean rows in PostgreSQL: read raw through `pg` and dropped, or made into XML by the server. */
import pg from 'pg'
import { profilesOf, type Report, rankingRows, sourceCodes } from './plain-rows.ts'

export async function openPlainPostgres(url: string, report: Report) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('create schema plain')
  await client.query('set search_path = plain')
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
    async xmlagg(): Promise<number> {
      const { rows } = await client.query(serverXml)
      return rows.reduce((sum, { xml }) => sum + xml.length, 0)
    },
    close: () => client.end(),
  }
}

async function raw(client: pg.Client, name: string, text: string, values: unknown[]): Promise<unknown[][]> {
  return (await client.query({ name, text, values, rowMode: 'array' })).rows as unknown[][]
}

const serverXml = `
  select xmlelement(name keywords, xmlagg(keyword order by phrase))::text as xml from (
    select k.profile_id, k.phrase, xmlelement(name keyword, xmlattributes(k.phrase as name), xmlagg(
      xmlelement(name ranking, xmlelement(name locale, 'en-us'), xmlelement(name "search-engine", (array['Bing','Google','Yahoo'])[r.source_id + 1]),
        xmlelement(name "ranked-at", to_char(to_timestamp(r.ranked_at) at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS')), xmlelement(name rank, r.rank))
      order by r.ranked_at, r.source_id)) as keyword
    from keyword k join ranking r on r.keyword_id = k.id group by k.profile_id, k.phrase) by_keyword
  group by profile_id`

async function fill(client: pg.Client, report: Report): Promise<void> {
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
