/** The search page in print: a summary of two pages, and an appendix with the complete tables. */

import { type Html, html } from '../../lib/html.ts'
import { reasonsOf } from '../../model/dashboard/attention/attention.ts'
import type { KeywordLine } from '../../model/dashboard/own-lines.ts'
import { mostPrinted } from '../components/components.ts'
import { appendixHead, card } from '../components/site-frame.ts'
import type { ReaderPageRequest } from '../page-request.ts'
import { placesGained, rankToSort } from './keyword-rows.ts'
import { rankChange, sourceLabel } from './keywords.ts'
import { attentionCard } from './reasons.ts'
import type { SearchContent } from './search-tables.ts'

const mostMoves = 8
/** Empty reviews, because this page is about positions only. */
const noReviews = { rating: null, ratingBefore: null, badReviews: 0, badReviewsBefore: null }

interface Parts {
  readonly figures: Html | null
  readonly charts: Html
  readonly competitors: Html | null
  readonly more: Html
  readonly tables: Html
}

export function searchOnPaper(request: ReaderPageRequest, content: SearchContent, parts: Parts): Html {
  return html`
    ${parts.figures}
    ${attentionCard(request.words, reasonsOf({ ...content.search, ...noReviews }))}
    ${parts.charts}
    ${changesCard(request, content)}
    ${parts.competitors}
    ${parts.more}
    ${appendixHead(appendixSentence(content))}
    ${parts.tables}
  `
}

function appendixSentence({ search, figures }: SearchContent): string {
  const isWhole = search.standings.now.keywords <= mostPrinted && figures.backlinks.ids.length <= mostPrinted
  return isWhole
    ? 'The keywords and the links found in this period.'
    : 'The first keywords and links of this period; the CSV files hold all.'
}

/** The largest improvements and losses, as sentences. */
function changesCard(request: ReaderPageRequest, { search, period }: SearchContent): Html | null {
  const gained = (line: KeywordLine) => placesGained(line) ?? 0
  const moved = search.keywords.filter((line) => gained(line) !== 0).toSorted((a, b) => gained(b) - gained(a))
  const firstLoss = moved.findIndex((line) => gained(line) < 0)
  const [better, worse] = firstLoss < 0 ? [moved, []] : [moved.slice(0, firstLoss), moved.slice(firstLoss).reverse()]
  if (moved.length === 0 || period.before === null) return null
  const pairs = search.sources.length > 1 ? 'keyword and engine pair' : 'keyword'
  return card(
    html`
      <h2>What changed since ${request.words.day(period.before.to)}</h2>
      <div class="halves">
        ${moves(request, 'Better', better, pairs)}
        ${moves(request, 'Worse', worse, pairs)}
      </div>
    `,
    'w12',
  )
}

function moves({ words }: ReaderPageRequest, title: string, lines: readonly KeywordLine[], pairs: string): Html {
  const shown = lines.slice(0, mostMoves)
  const rest = lines.length - shown.length
  return html`
    <div>
      <h3>${title}: ${words.count(lines.length, pairs)}</h3>
      <ul class="told">
        ${shown.map((line) => html`<li><span dir="auto">${line.phrase}</span> on ${sourceLabel(line.source, true)}: ${placeOf(words, line)}</li>`)}
        ${rest > 0 ? html`<li class="quiet">and ${words.whole(rest)} more, in the appendix</li>` : null}
      </ul>
    </div>
  `
}

function placeOf(words: ReaderPageRequest['words'], line: KeywordLine): string {
  const change = rankChange(words, line)?.words ?? ''
  return rankToSort(line.now) > 100_000 ? change : `${words.whole(line.now ?? 0)}, ${change}`
}
