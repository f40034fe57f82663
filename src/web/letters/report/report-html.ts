/** A mailed report as HTML: the account in one table, the first sites in full. */

import { type Html, html } from '../../../lib/html.ts'
import type { Change } from '../../components/number-format.ts'
import { inks, signed, starsText, tones } from '../inks.ts'
import { buttonLink, type Letterhead, styles } from '../letter.ts'
import {
  detailSentence,
  leftOutSentence,
  type MailedFigure,
  type MailedLine,
  type MailedMoves,
  type MailedReport,
  type MailedReviews,
  type MailedSite,
} from './mailed-report.ts'
import { mostInFull } from './read-report.ts'

const cell = 'padding:6px 0 6px 8px;border-top:1px solid #e2e2dc;vertical-align:top'
const number = `${cell};text-align:right;white-space:nowrap`

export function reportHtml(head: Letterhead, report: MailedReport): Html {
  const { accountName, period, sentence, summary, sites } = report
  const inFull = detailSentence(report, mostInFull.mail)
  return html`<h1 style="${styles.title}">${accountName}</h1>
<p style="${styles.quiet}">${period}</p>
${sentence === '' ? null : html`<p style="${styles.paragraph}">${sentence.split('\n').map((line, index) => html`${index > 0 ? html`<br>` : null}${line}`)}</p>`}
${summary === '' ? null : html`<p style="${styles.paragraph}">${summary}</p>`}
${linesHtml(head, report)}
${inFull === null ? null : html`<p style="${styles.paragraph}">${inFull}</p>`}
${sites.slice(0, mostInFull.mail).map((site) => siteHtml(head, site))}`
}

function linesHtml(head: Letterhead, report: MailedReport): Html | null {
  const { lines } = report
  if (lines.length === 0) return null
  const leftOut = leftOutSentence(report)
  return html`<table width="100%" cellpadding="5" cellspacing="0" style="border-collapse:collapse;font-size:14px;margin:0 0 12px">
<tr style="color:${inks.quiet}"><th scope="col" align="left" width="100%">Site</th><th scope="col" align="right">Visibility</th><th scope="col" align="right">Rating</th><th scope="col" align="right">New reviews</th></tr>
${lines.map((line) => lineHtml(head, line))}</table>
${leftOut === null ? null : html`<p style="${styles.quiet}">${leftOut}</p>`}`
}

const edge = 'border-top:1px solid #e2e2dc'

/** Short, because a mail of eighty sites has eighty of them. The reason has a row of its own, so that it has room on a phone. */
function lineHtml(head: Letterhead, line: MailedLine): Html {
  const { name, path, visibility, visibilityChange, rating, ratingChange, newReviews, attention } = line
  const why =
    attention.length === 0 ? null : html`<tr><td colspan="4" style="padding-top:0;color:${inks.look}">${attention.join('; ')}</td></tr>`
  return html`<tr valign="top"><td style="${edge};word-break:break-word"><a href="${head.home}${path}" style="color:inherit">${name}</a></td><td align="right" style="${edge}">${visibility ?? '–'}${shortPill(visibilityChange)}</td><td align="right" style="${edge}">${rating ?? '–'}${shortPill(ratingChange)}</td><td align="right" style="${edge}">${newReviews ?? '–'}</td></tr>${why}
`
}

/** Nothing where nothing changed. */
function shortPill(change: Change | null): Html | null {
  if (change === null || change.arrow === 'same') return null
  return html` <span title="${change.words}" style="white-space:nowrap;color:${tones[change.tone].ink}">${signed(change, change.short)}</span>`
}

export function pill(change: Change, text: string): Html {
  const { ink, fill } = tones[change.tone]
  return html`<span style="background:${fill};color:${ink};border-radius:4px;padding:1px 6px;font-size:13px">${signed(change, text)}</span>`
}

function siteHtml(head: Letterhead, site: MailedSite): Html {
  return html`<h2 style="${styles.heading}">${site.name}</h2>
<p style="${styles.quiet}">${site.businessName}</p>
${site.sentences.map((sentence) => html`<p style="${styles.paragraph}">${sentence}</p>`)}
${attentionHtml(site)}
<table role="presentation" width="100%" cellpadding="0" cellspacing="0">${rowsOf(site.figures).map(figureRow)}</table>
${site.charts.map(({ title, alt }, index) => html`<p style="${styles.quiet};margin:12px 0 4px">${title}</p><img src="cid:${cidOf(site, index)}" width="580" alt="${alt}" style="display:block;width:100%;max-width:580px;height:auto">`)}
${site.moves.map(movesHtml)}
${reviewsHtml(site.reviews)}
${buttonLink(head, `${head.home}${site.path}`, 'Open the pages of this site')}`
}

export function cidOf({ id }: MailedSite, index: number): string {
  return `chart-${id}-${index}@report`
}

function attentionHtml({ attention }: MailedSite): Html | null {
  return attention.length === 0
    ? null
    : html`<p style="${styles.paragraph};border-left:4px solid ${inks.look};padding-left:10px"><strong>Needs attention:</strong> ${attention.join('; ')}.</p>`
}

function rowsOf(figures: readonly MailedFigure[]): MailedFigure[][] {
  return Array.from({ length: Math.ceil(figures.length / 2) }, (_, row) => figures.slice(row * 2, row * 2 + 2))
}

function figureRow(row: readonly MailedFigure[]): Html {
  return html`<tr>${row.map(figureCell)}</tr>`
}

function figureCell({ label, value, change, note }: MailedFigure): Html {
  return html`<td width="50%" style="padding:8px 8px 8px 0;vertical-align:top"><div style="color:${inks.quiet};font-size:13px">${label}</div><div style="font-size:20px;font-weight:600">${value}</div><div style="color:${inks.quiet};font-size:13px">${change === null ? null : pill(change, change.words)}${change === null || note === '' ? null : ' '}${note}</div></td>`
}

function movesHtml({ title, moves }: MailedMoves): Html {
  return html`<h3 style="${styles.small}">${title}</h3>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="border-collapse:collapse;font-size:14px">${moves.map(
    ({ phrase, source, from, to, change }) =>
      html`<tr><td style="${cell};padding-left:0;word-break:break-word"><span dir="auto">${phrase}</span>${source === '' ? null : html` <span style="color:${inks.quiet}">${source}</span>`}</td><td style="${number}">${from} → ${to}</td><td style="${number}">${pill(change, change.short)}</td></tr>`,
  )}</table>`
}

function reviewsHtml(reviews: MailedReviews | null): Html | null {
  if (reviews === null) return null
  return html`<h3 style="${styles.small}">${reviews.title}</h3>
${reviews.reviews.map(({ stars, text, from }) => html`<p style="${styles.paragraph};font-size:14px"><span role="img" aria-label="${stars} of 5 stars" style="color:${inks.star}">${starsText(stars)}</span> <span dir="auto">${text}</span> <span style="color:${inks.quiet}">${from}</span></p>`)}`
}
