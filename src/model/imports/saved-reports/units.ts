/** The units of the interface's reports, in the order in which an import needs them; also reads JSON reports into units. */

export type Fields = Readonly<Record<string, unknown>>

/** Where a unit belongs: ids and domains as the report names them. */
export interface At {
  readonly account: string
  readonly site: string
  /** The domain of a competitor, in the SEO report. */
  readonly domain?: string
  /** The id of a competitor, in the reputation report. */
  readonly rival?: string
}

export type Unit =
  | { readonly is: 'site' | 'competitor' | 'rival' | 'location'; readonly at: At; readonly fields: Fields }
  | { readonly is: 'figures' | 'backlink' | 'page'; readonly at: At; readonly fields: Fields }
  | { readonly is: 'keyword'; readonly at: At; readonly phrase: string; readonly rankings: readonly Fields[] }

/** Takes a report as `JSON.parse` returns it. Anything that is not where the interface has it is ignored. */
export function* unitsOf(report: unknown): Generator<Unit> {
  const { accounts, account } = object(report)
  for (const entry of array(accounts)) for (const [id, { sites }] of members(entry)) yield* seoSites(id, sites)
  if (account !== undefined) yield* reputationSites(object(account))
}

function* seoSites(account: string, sites: unknown): Generator<Unit> {
  for (const entry of array(sites)) {
    for (const [site, fields] of members(entry)) {
      const at = { account, site }
      yield { is: 'site', at, fields }
      yield* measured(at, fields)
      for (const competitor of array(fields['competitors'])) {
        for (const [domain, its] of members(competitor)) {
          yield { is: 'competitor', at: { ...at, domain }, fields: its }
          yield* measured({ ...at, domain }, its)
        }
      }
    }
  }
}

function* measured(at: At, fields: Fields): Generator<Unit> {
  yield { is: 'figures', at, fields }
  for (const backlink of array(fields['backlinks'])) yield { is: 'backlink', at, fields: object(backlink) }
  for (const keyword of array(fields['keywords'])) {
    for (const [phrase, rankings] of Object.entries(object(keyword)))
      yield { is: 'keyword', at, phrase, rankings: array(rankings).map(object) }
  }
}

function* reputationSites({ id, sites }: Fields): Generator<Unit> {
  for (const entry of array(sites)) {
    const { id: site, location } = object(entry)
    const fields = object(location)
    const at = { account: String(id), site: String(site) }
    yield { is: 'site', at, fields: {} }
    yield { is: 'location', at, fields }
    for (const page of array(fields['pages'])) yield { is: 'page', at, fields: object(page) }
    for (const competitor of array(fields['competitors'])) {
      const its = object(competitor)
      const there = { ...at, rival: String(its['id']) }
      yield { is: 'rival', at: there, fields: its }
      for (const page of array(its['pages'])) yield { is: 'page', at: there, fields: object(page) }
    }
  }
}

function object(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

function array(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function members(value: unknown): [string, Fields][] {
  return Object.entries(object(value)).map(([name, member]) => [name, object(member)])
}
