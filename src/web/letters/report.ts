/** The mail with a scheduled report: a summary of each site with charts, and the same as a PDF. */

import { type Html, html } from '../../lib/html.ts'
import type { App } from '../../model/core/app.ts'
import type { MailedPeriod } from '../../model/mail/periods.ts'
import type { ReportedPeriod, ReportPayload } from '../../model/mail/queue-reports.ts'
import { readRecipient } from '../../model/mail/recipients.ts'
import { pngOf } from './drawing.ts'
import {
  type Addressed,
  buttonLink,
  envelopeOf,
  type Letter,
  type Letterhead,
  letterHtml,
  letterPage,
  styles,
  supportText,
} from './letter.ts'
import { leftOutSentence, type MailedFigure, type MailedReport, type MailedSite } from './mailed-report.ts'
import { readMailedReport } from './read-report.ts'
import { pdfOf } from './sheet.ts'

/** Fails with not found if the recipient, the schedule or the sites no longer exist; null for a recipient who has unsubscribed since the mail was queued. */
export async function reportLetter(app: App, head: Letterhead, payload: ReportPayload, to: Addressed): Promise<Letter | null> {
  const { state, email } = await readRecipient(app, to.recipientId)
  return state === 'active' ? letterFor(app, head, payload, { ...recipientFoot(head, to.token), email }) : null
}

/** For somebody of the staff, whom nobody can unsubscribe. */
export function sampleLetter(app: App, head: Letterhead, payload: ReportedPeriod): Promise<Letter | null> {
  return letterFor(app, head, payload, sampleFoot)
}

/** The HTML of the mail as its recipients get it, with the pictures in it; null where there is no site to report. */
export async function reportPreview(app: App, head: Letterhead, payload: ReportedPeriod): Promise<string | null> {
  const report = await readMailedReport(app, head, payload)
  if (report.sites.length === 0) return null
  return letterPage(await withPictures(head, report, recipientFoot(head, 'preview')))
}

/** What is below a report, for the reader and for mail programs. */
interface Foot {
  /** Whose way of writing dates is taken; null for that of the account. */
  readonly email: string | null
  readonly html: Html
  readonly text: string
  readonly headers: Readonly<Record<string, string>>
}

function recipientFoot(head: Letterhead, token: string): Foot {
  const stop = `${head.home}/reports/unsubscribe/${token}`
  return {
    email: null,
    html: html`You get this because you are a recipient of these reports. <a href="${stop}">Send me no more</a>.`,
    text: `To get no more of these reports: ${stop}`,
    headers: { 'List-Unsubscribe': `<${stop}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  }
}

const sampleSentence = 'Sent once to you alone, because you asked for it at the desk.'
const sampleFoot: Foot = { email: null, html: html`${sampleSentence}`, text: sampleSentence, headers: {} }

async function letterFor(app: App, head: Letterhead, payload: ReportedPeriod, foot: Foot): Promise<Letter | null> {
  const report = await readMailedReport(app, head, payload, foot.email)
  if (report.sites.length === 0) return null
  const letter = await withPictures(head, report, foot)
  const sheet = { filename: fileName(report, payload), content: await pdfOf(head, report), contentType: 'application/pdf' }
  return { ...letter, attachments: [...letter.attachments, sheet] }
}

async function withPictures(head: Letterhead, report: MailedReport, foot: Foot) {
  const envelope = envelopeOf(head)
  return {
    ...envelope,
    subject: `${report.accountName}: ${report.period}`,
    text: textOf(head, report, foot.text),
    html: letterHtml(head, mainOf(head, report), foot.html),
    headers: foot.headers,
    attachments: [...envelope.attachments, ...(await pictures(report))],
  }
}

function mainOf(head: Letterhead, report: MailedReport): Html {
  const { accountName, period, sentence, sites } = report
  const leftOut = leftOutSentence(report)
  return html`<h1 style="${styles.title}">${accountName}</h1>
<p style="${styles.quiet}">${period}</p>
${sentence === '' ? null : html`<p style="${styles.paragraph}">${sentence.split('\n').map((line, index) => html`${index > 0 ? html`<br>` : null}${line}`)}</p>`}
${sites.map((site) => siteHtml(head, site))}
${leftOut === null ? null : html`<p style="${styles.quiet}">${leftOut}</p>`}`
}

function siteHtml(head: Letterhead, site: MailedSite): Html {
  return html`<h2 style="${styles.heading}">${site.name}</h2>
<p style="${styles.quiet}">${site.businessName}</p>
${site.sentences.map((sentence) => html`<p style="${styles.paragraph}">${sentence}</p>`)}
${attentionHtml(site)}
<table role="presentation" width="100%" cellpadding="0" cellspacing="0">${rowsOf(site.figures).map(figureRow)}</table>
${site.charts.map(({ title }, index) => html`<p style="${styles.quiet}">${title}</p><img src="cid:${cidOf(site, index)}" width="580" alt="${title}" style="width:100%;max-width:580px;height:auto">`)}
${buttonLink(head, `${head.home}${site.path}`, 'Open the pages of this site')}`
}

function attentionHtml({ attention }: MailedSite): Html | null {
  return attention.length === 0 ? null : html`<p style="${styles.paragraph}"><strong>Needs attention:</strong> ${attention.join('; ')}.</p>`
}

function rowsOf(figures: readonly MailedFigure[]): MailedFigure[][] {
  return Array.from({ length: Math.ceil(figures.length / 2) }, (_, row) => figures.slice(row * 2, row * 2 + 2))
}

function figureRow(row: readonly MailedFigure[]): Html {
  return html`<tr>${row.map(figureCell)}</tr>`
}

function figureCell({ label, value, change }: MailedFigure): Html {
  return html`<td width="50%" style="padding:8px 8px 8px 0;vertical-align:top"><div style="color:#5a5d66;font-size:13px">${label}</div><div style="font-size:20px;font-weight:600">${value}</div><div style="color:#5a5d66;font-size:13px">${change}</div></td>`
}

function textOf(head: Letterhead, report: MailedReport, foot: string): string {
  const { accountName, period, sentence, sites } = report
  const blocks = sites.map((site) =>
    [
      site.name,
      ...site.sentences,
      ...(site.attention.length === 0 ? [] : [`Needs attention: ${site.attention.join('; ')}.`]),
      ...site.figures.map(({ label, value, change }) => `${label}: ${value}${change === '' ? '' : ` (${change})`}`),
      `${head.home}${site.path}`,
    ].join('\n'),
  )
  const rest = leftOutSentence(report) ?? []
  return `${[`${accountName}, ${period}`, ...(sentence === '' ? [] : [sentence]), ...blocks, ...[rest].flat(), foot, supportText(head)].join('\n\n').trimEnd()}\n`
}

function pictures({ sites }: MailedReport) {
  const made = sites.flatMap((site) =>
    site.charts.map(async ({ drawing }, index) => ({
      filename: `${cidOf(site, index)}.png`,
      content: await pngOf(drawing),
      cid: cidOf(site, index),
      contentType: 'image/png',
      contentDisposition: 'inline' as const,
    })),
  )
  return Promise.all(made)
}

function cidOf({ id }: MailedSite, index: number): string {
  return `chart-${id}-${index}@report`
}

function fileName({ accountName }: MailedReport, { to }: MailedPeriod): string {
  return `${
    accountName
      .normalize('NFKD')
      .replace(/[^A-Za-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '') || 'report'
  }-${to}.pdf`
}
