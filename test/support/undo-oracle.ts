/** What should be stored after deliveries, changes and undos: worked out in plain maps, without the code that undoes. */

export type Fields = Readonly<Record<string, unknown>>
type Line = Fields & { readonly type: string; readonly site: string }

export type Happening =
  | { readonly what: 'delivery'; readonly lines: readonly Line[]; isUndone: boolean }
  | { readonly what: 'tags'; readonly site: string; readonly phrase: string; readonly tags: string }
  /** People or the API made it, although a delivery may have done so before. */
  | { readonly what: 'added'; readonly line: Line }
  | { readonly what: 'deletion'; readonly site: string; readonly phrase?: string }
  /** An undo left a site, because people had set something on it: it stays, whatever becomes of that. */
  | { readonly what: 'kept'; readonly site: string }

// biome-ignore format: a table reads by its columns
/** What makes a record the same record, and what it holds. */
const kinds: Readonly<Record<string, { readonly key: readonly string[]; readonly holds: Fields }>> = {
  site:             { key: [], holds: {} },
  location:         { key: [], holds: { twitter_page: null, facebook_page: null } },
  competitor:       { key: ['competitor'], holds: {} },
  keyword:          { key: ['phrase'], holds: { search_volume: null, tags: null } },
  snapshot:         { key: ['day'], holds: { backlink_count: null, domain_age: null } },
  ranking:          { key: ['phrase', 'search_engine', 'locale', 'ranked_at'], holds: { rank: null, url: null } },
  click_count:      { key: ['phrase', 'search_engine', 'date'], holds: { clicks: 0, impressions: 0 } },
  average_position: { key: ['phrase', 'search_engine', 'date'], holds: { average_position: null } },
  period:           { key: ['phrase', 'search_engine', 'start_date', 'end_date'], holds: { clicks: null, impressions: null } },
  page:             { key: ['source', 'page_url'], holds: { match_confidence: 100 } },
  review:           { key: ['page_url', 'ref'], holds: { rating: null, detail: '', user: '' } },
  review_count:     { key: ['page_url', 'source', 'date'], holds: { count: null, rating_sum: null } },
  own_figure:       { key: ['figure', 'date'], holds: { value: null } },
}

/** The records by their names, from what happened in order; only the sites of `base` were there before. */
export function shouldBeStored(happened: readonly Happening[], base: readonly string[]): string[] {
  const stored = new Map<string, Line>(base.map((site) => [nameOf({ type: 'site', site }), { type: 'site', site }]))
  const put = (line: Line) => stored.set(nameOf(line), { ...stored.get(nameOf(line)), ...line })
  for (const one of happened) {
    if (one.what === 'deletion') for (const [name, line] of stored) if (isDeleted(line, one)) stored.delete(name)
    if (one.what === 'tags') put({ type: 'keyword', site: one.site, phrase: one.phrase, tags: one.tags })
    if (one.what === 'added') for (const each of withOwners(one.line)) put(each)
    if (one.what === 'kept') put({ type: 'site', site: one.site })
    if (one.what === 'delivery' && !one.isUndone) for (const line of one.lines) for (const each of withOwners(line)) put(each)
  }
  // A site stays while there is something on it that people have set.
  for (const { site } of [...stored.values()]) put({ type: 'site', site })
  return [...stored.values()].map(told).sort()
}

/** The sites that only people still say something of. */
export function keptSites(happened: readonly Happening[], base: readonly string[]): string[] {
  const named = happened.flatMap((one) => (one.what === 'delivery' && !one.isUndone ? one.lines.map(({ site }) => site) : []))
  const sites = shouldBeStored(happened, base).flatMap((line) => (line.startsWith('site ') ? [line.split(' ')[1] as string] : []))
  return sites.filter((site) => !named.includes(site) && !base.includes(site))
}

/** The lines of an export, reduced to what the oracle knows. */
export function isStored(exported: string, sites: ReadonlySet<string>): string[] {
  const lines = exported
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
  return lines
    .filter(({ site }) => sites.has(site))
    .map(told)
    .sort()
}

function withOwners(line: Line): Line[] {
  const { site, phrase, page_url, page_source, source } = line
  const owners: Line[] = [{ type: 'site', site }]
  if (phrase !== undefined) owners.push({ type: 'keyword', site, phrase })
  if (page_url !== undefined) owners.push({ type: 'location', site }, { type: 'page', site, page_url, source: page_source ?? source })
  return [...owners, line]
}

function isDeleted(line: Line, { site, phrase }: { site: string; phrase?: string }): boolean {
  return line.site === site && (phrase === undefined || line.phrase === phrase)
}

function nameOf(line: Line): string {
  return JSON.stringify([line.type, line.site, ...(kinds[line.type]?.key ?? []).map((field) => line[field])])
}

function told(line: Line): string {
  const { key = [], holds = {} } = kinds[line.type] ?? {}
  const values = Object.entries(holds).map(([field, otherwise]) => `${field}=${JSON.stringify(line[field] ?? otherwise)}`)
  return [line.type, line.site, ...key.map((field) => line[field]), ...values].join(' ')
}
