/** A mailed report as plain text. */

import type { Change } from '../../components/number-format.ts'
import { starsText } from '../inks.ts'
import { type Letterhead, supportText } from '../letter.ts'
import { detailSentence, leftOutSentence, type MailedLine, type MailedReport, type MailedSite } from './mailed-report.ts'
import { mostInFull } from './read-report.ts'

export function reportText(head: Letterhead, report: MailedReport, foot: string): string {
  const { accountName, period, sentence, summary, lines, sites } = report
  const list = [...lines.map(lineText), leftOutSentence(report) ?? ''].filter(Boolean).join('\n')
  const blocks = [
    `${accountName}, ${period}`,
    sentence,
    summary,
    list,
    detailSentence(report, mostInFull.mail) ?? '',
    ...sites.slice(0, mostInFull.mail).map((site) => siteText(head, site)),
    foot,
    supportText(head),
  ]
  return `${blocks.filter(Boolean).join('\n\n')}\n`
}

function lineText({ name, visibility, visibilityChange, rating, ratingChange, newReviews, attention }: MailedLine): string {
  const figures = [
    ...(visibility === null ? [] : [`visibility ${visibility}${moved(visibilityChange)}`]),
    ...(rating === null ? [] : [`rating ${rating}${moved(ratingChange)}`]),
    ...(newReviews === null ? [] : [`new reviews ${newReviews}`]),
  ]
  return `${name}: ${figures.join(', ') || 'not measured'}${attention.length === 0 ? '' : `\n  Needs attention: ${attention.join('; ')}.`}`
}

function siteText(head: Letterhead, { name, sentences, attention, figures, moves, reviews, path }: MailedSite): string {
  return [
    name,
    ...sentences,
    ...(attention.length === 0 ? [] : [`Needs attention: ${attention.join('; ')}.`]),
    ...figures.map(({ label, value, change, note }) => {
      const told = [change?.words ?? '', note].filter(Boolean).join(', ')
      return `${label}: ${value}${told === '' ? '' : ` (${told})`}`
    }),
    ...moves.flatMap(({ title, moves: some }) => [
      `${title}:`,
      ...some.map(
        ({ phrase, source, from, to, change }) => `  ${phrase}${source === '' ? '' : `, ${source}`}: ${from} → ${to}, ${change.words}`,
      ),
    ]),
    ...(reviews === null
      ? []
      : [`${reviews.title}:`, ...reviews.reviews.map(({ stars, text, from }) => `  ${starsText(stars)} ${text} (${from})`)]),
    `${head.home}${path}`,
  ].join('\n')
}

function moved(change: Change | null): string {
  return change === null ? '' : ` (${change.words})`
}
