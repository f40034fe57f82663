/** What a table of no known tool is probably about, by the words that tools use for the fields of records. It only words a fault: nothing is read by a guess. */

import type { ObservationKind } from '../../../resources/observation.ts'

type Words = Readonly<Record<string, readonly string[]>>

const ofKeywords: Words = {
  phrase: [
    'keyword',
    'keywords',
    'query',
    'queries',
    'search_term',
    'search_query',
    'keyphrase',
    'suchbegriff',
    'mot_cle',
    'palabra_clave',
  ],
  search_engine: ['engine'],
  locale: ['country', 'language', 'region', 'market'],
}
const times = ['date', 'day', 'checked', 'last_checked', 'updated', 'timestamp', 'datum', 'fecha', 'data']

/** By field, the first of each kind is what no other kind has. */
// biome-ignore format: a table reads by its columns
const words: Partial<Record<ObservationKind, Words>> = {
  ranking:          { rank: ['position', 'ranking', 'pos', 'current_position', 'current_rank', 'google_rank', 'platz', 'rang', 'posicion'], ...ofKeywords, ranked_at: times, url: ['landing_page', 'ranking_url', 'ranked_url', 'page'] },
  average_position: { average_position: ['avg_position', 'avg_pos', 'average_rank', 'avg_rank', 'mean_position'], ...ofKeywords, date: times },
  click_count:      { clicks: ['click', 'klicks', 'clics'], impressions: ['impr', 'impression', 'views'], ...ofKeywords, date: times },
  review:           { rating: ['stars', 'star_rating', 'star', 'review_rating', 'sterne', 'bewertung'], user: ['reviewer', 'author', 'reviewer_name', 'customer'], detail: ['review', 'comment', 'review_text', 'text', 'content'], date: ['review_date', 'posted', 'published', ...times], answer: ['reply', 'response', 'owner_response'], source: ['directory', 'platform'] },
  backlink:         { source_url: ['referring_page', 'referring_page_url', 'referring_url', 'source_page', 'backlink', 'link_from', 'linking_page'], anchor_text: ['anchor', 'link_text'], found_on: ['first_seen', 'discovered', ...times], domain_authority: ['da', 'domain_rating', 'authority'] },
}

export interface LikelyKind {
  readonly kind: ObservationKind
  /** What columns with other names are probably: the field by the name of the column. */
  readonly meant: ReadonlyMap<string, string>
}

/** Undefined where no kind is likelier than all others. */
export function likelyKind(names: readonly string[]): LikelyKind | undefined {
  const found = Object.entries(words).map(([kind, fields]) => ({ kind: kind as ObservationKind, ...meaning(fields, names) }))
  const [first, second] = found.filter(({ isSure }) => isSure).toSorted((a, b) => b.score - a.score)
  if (first === undefined || first.score === second?.score) return undefined
  return { kind: first.kind, meant: first.meant }
}

function meaning(fields: Words, names: readonly string[]) {
  const meant = new Map<string, string>()
  let score = 0
  for (const [field, others] of Object.entries(fields)) {
    const name = names.includes(field) ? field : others.find((other) => names.includes(other))
    if (name === undefined) continue
    score++
    if (name !== field) meant.set(name, field)
  }
  const [own = '', others = []] = Object.entries(fields)[0] ?? []
  return { meant, score, isSure: score >= 2 && names.some((name) => name === own || others.includes(name)) }
}
