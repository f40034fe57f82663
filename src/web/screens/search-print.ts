/** The search page in print: a summary of two pages, and an appendix with the complete tables. */

import { type Html, html } from '../../lib/html.ts'
import { reasonsOf } from '../../model/dashboard/attention/attention.ts'
import { mostPrinted } from '../components/components.ts'
import { appendixHead } from '../components/site-frame.ts'
import type { ReaderPageRequest } from '../page-request.ts'
import { attentionCard } from './reasons.ts'
import type { SearchContent } from './search/content.ts'

/** Empty reviews, because this page is about positions only. */
const noReviews = { rating: null, ratingBefore: null, badReviews: 0, badReviewsBefore: null }

interface Parts {
  readonly figures: Html | null
  readonly charts: Html
  readonly changes: Html
  readonly competitors: Html | null
  readonly more: Html
  readonly tables: Html
}

export function searchOnPaper(request: ReaderPageRequest, content: SearchContent, parts: Parts): Html {
  return html`
    ${parts.figures}
    ${attentionCard(request.words, reasonsOf({ ...content.search, ...noReviews }))}
    ${parts.charts}
    ${parts.changes}
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
