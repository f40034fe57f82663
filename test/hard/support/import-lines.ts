/** Lines to import, written while they are read: no file and no memory is needed for millions of them. */

/** Text in pieces of about 256 KiB. */
export function* inPieces(lines: Iterable<object>): Generator<string> {
  let text = ''
  for (const line of lines) {
    text += `${JSON.stringify(line)}\n`
    if (text.length < 1 << 18) continue
    yield text
    text = ''
  }
  if (text !== '') yield text
}

const searchEngines = ['Google', 'Bing', 'Yahoo']
const keywordsPerSite = 20
const rankingsPerSite = 2_500

/** Day by day over all sites, as rankings come in life. */
export function* rankingLines(count: number): Generator<object> {
  const sites = Math.max(10, Math.round(count / rankingsPerSite))
  for (let i = 0; i < count; i++) {
    const keyword = Math.floor(i / searchEngines.length) % keywordsPerSite
    const site = Math.floor(i / searchEngines.length / keywordsPerSite) % sites
    const day = Math.floor(i / searchEngines.length / keywordsPerSite / sites)
    yield {
      type: 'ranking',
      site: `site${site}.example`,
      phrase: `keyword number ${keyword} of many`,
      search_engine: searchEngines[i % searchEngines.length],
      locale: 'en-us',
      ranked_at: `${dayText('2026-01-01', day)} 04:05:06`,
      rank: ((site * 31 + keyword * 7 + day * 3) % 100) + 1,
    }
  }
}

const linesPerSite = 5_000

/**
 * Of every kind, for two accounts. A later round has other figures, and days that are half those of the round before,
 * so that it changes what is known as well as adding to it.
 */
export function* mixedLines(count: number, accounts: readonly number[], round: number): Generator<object> {
  for (let i = 0; i < count; i++) yield mixedLine(i, accounts[Math.floor(i / linesPerSite) % accounts.length] as number, round)
}

function mixedLine(i: number, account: number, round: number): object {
  const where = { account, site: `site${Math.floor(i / linesPerSite)}.example`, ...(i % 7 === 0 && { competitor: 'rival.example' }) }
  const day = dayText('2026-01-01', (Math.floor(i / 50) % 100) + 50 * round)
  const page = { ...where, source: 'google', page_url: `https://maps.example/${i % 3}` }
  const phrase = `phrase ${i % 50}`
  const kind = Math.floor(i / 7) % 20
  if (kind === 0)
    return {
      type: 'backlink',
      ...where,
      found_on: day,
      link_strength: round,
      source_url: `https://b.example/${i % 900}`,
      domain_authority: 3,
    }
  if (kind === 1) return { type: 'review', ...page, ref: `r${i % 700}`, rating: 1 + ((i + round) % 5), date: day, detail: `Words ${round}` }
  if (kind === 2) return { type: 'snapshot', ...where, day, backlink_count: i + round, domain_authority: round }
  if (kind === 3) return { type: 'review_count', ...page, date: day, count: (i + round) % 9, rating_sum: (i + round) % 40 }
  if (kind === 4) return { type: 'click_count', ...where, phrase, search_engine: 'Google', date: day, clicks: round, impressions: i }
  if (kind === 5) return { type: 'keyword', ...where, phrase, search_volume: round, tags: `round ${round}` }
  const url = kind === 6 ? { url: `https://site.example/${round}` } : {}
  return {
    type: 'ranking',
    ...where,
    phrase,
    search_engine: 'Google',
    locale: 'en-us',
    ranked_at: `${day} 04:05:06`,
    rank: 1 + ((i + round) % 99),
    ...url,
  }
}

const dayMilliseconds = 86_400_000

function dayText(first: string, days: number): string {
  return new Date(Date.parse(first) + days * dayMilliseconds).toISOString().slice(0, 10)
}
