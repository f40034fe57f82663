/** What is measured of the sites of an account, line by line. */
import { dayNumber, dayText } from '../../../src/lib/time/days.ts'

export type Lines = readonly object[]

export const rivals = ['first-rival.example', 'second-rival.example']
export const phrases = ['dentist', 'teeth', 'braces']

const today = dayNumber(new Date().toISOString().slice(0, 10))
/** In a month that retention takes away, and in one that it leaves. */
const [oldDay, day] = [dayText(today - 1_500), dayText(today - 40)]
const days = [oldDay, day]

/** Everything of each site and its rivals; the last site has a location without pages. */
export function linesOf(domains: readonly string[]): Lines {
  const own = domains.flatMap((site) => days.map((date) => ({ type: 'own_figure', site, figure: 'calls', date, value: 7 })))
  const measured = domains.flatMap((site, n) => {
    const subjects = [{ site }, ...rivals.map((competitor) => ({ site, competitor }))]
    const isBare = n === domains.length - 1
    return [{ type: 'location', site }, ...subjects.flatMap((of) => [...searched(of), ...(isBare ? [] : reviewed(of))])]
  })
  return [...measured, ...own]
}

/** A site that did not exist, and other values of records that did. */
export function lateLines(late: string, site: string): Lines {
  const fresh = { site: late, competitor: rivals[0] }
  const changed = searched({ site }).map((line) => ({
    ...line,
    ...('rank' in line && { rank: 40, url: 'https://b.example/' }),
    ...('clicks' in line && { clicks: 41 }),
    ...('average_position' in line && { average_position: 9.9 }),
  }))
  return [
    ownOf(late, 8),
    ownOf(site, 8),
    ...searched({ site: late }),
    ...searched(fresh),
    ...reviewed(fresh),
    ...changed,
    { ...reviewOf({ site }, 0), rating: 1 },
  ]
}

export function searched(of: object): Lines {
  const keywords = phrases.flatMap((phrase) => [
    { type: 'keyword', ...of, phrase },
    ...days.flatMap((date) => [
      {
        type: 'ranking',
        ...of,
        phrase,
        search_engine: 'Google',
        locale: 'en-us',
        ranked_at: `${date} 04:05:06`,
        rank: 4,
        url: 'https://a.example/',
      },
      { type: 'click_count', ...of, phrase, search_engine: 'Google', date, clicks: 3, impressions: 30 },
      { type: 'average_position', ...of, phrase, search_engine: 'Google', date, average_position: 7.4 },
    ]),
    { type: 'period', ...of, phrase, search_engine: 'Google', start_date: oldDay, end_date: day, clicks: 30 },
  ])
  const link = { type: 'backlink', ...of, source_url: 'https://blog.example/', found_on: day, link_strength: 3, domain_authority: 4 }
  return [...keywords, { type: 'snapshot', ...of, day, domain_authority: 30 }, link]
}

export function ownOf(site: string, value: number): object {
  return { type: 'own_figure', site, figure: 'calls', date: day, value }
}

export const reviewers = ['Ann', 'Bob', 'Cy']

function reviewed(of: object): Lines {
  return [
    ...reviewers.map((_, n) => reviewOf(of, n)),
    ...days.map((date) => ({ type: 'review_count', ...pageOf(of), date, count: 2, rating_sum: 7 })),
    ...['bing', 'yelp'].flatMap((source) => [
      { ...reviewOf(of, 0), source },
      { type: 'review_count', ...pageOf(of), source, date: day, count: 2, rating_sum: 7 },
    ]),
  ]
}

export function reviewOf(of: object, n: number): object {
  return { type: 'review', ...pageOf(of), ref: `r${n}`, rating: 4, date: day, user: reviewers[n], detail: 'It was fine.' }
}

function pageOf(of: object): object {
  return { ...of, source: 'google', page_url: 'https://maps.example/place' }
}
