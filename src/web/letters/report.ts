/** The mail with a scheduled report: a summary of each site with charts, and the same as a PDF. */

import { type Html, html } from '../../lib/html.ts'
import type { App } from '../../model/core/app.ts'
import type { ReportPayload } from '../../model/mail/due-reports.ts'
import { readRecipient } from '../../model/mail/recipients.ts'
import { pngOf } from './drawing.ts'
import { type Addressed, buttonLink, envelopeOf, type Letter, type Letterhead, letterHtml, styles, supportText } from './letter.ts'
import { leftOutSentence, type MailedFigure, type MailedReport, type MailedSite } from './mailed-report.ts'
import { readMailedReport } from './read-report.ts'
import { pdfOf } from './sheet.ts'

/** Fails with not found if the recipient, the schedule or the sites no longer exist; null for a recipient who has unsubscribed since the mail was queued. */
export async function reportLetter(
  app: App,
  head: Letterhead,
  payload: ReportPayload,
  { recipientId, token }: Addressed,
): Promise<Letter | null> {
  const { state } = await readRecipient(app, recipientId)
  if (state !== 'active') return null
  const report = await readMailedReport(app, head, payload)
  if (report.sites.length === 0) return null
  const envelope = envelopeOf(head)
  const stop = `${head.home}/reports/unsubscribe/${token}`
  return {
    ...envelope,
    subject: `${report.accountName}: ${report.period}`,
    text: textOf(head, report, stop),
    html: letterHtml(
      head,
      mainOf(head, report),
      html`You get this because you are a recipient of these reports. <a href="${stop}">Send me no more</a>.`,
    ),
    headers: { 'List-Unsubscribe': `<${stop}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
    attachments: [
      ...envelope.attachments,
      ...(await pictures(report)),
      { filename: fileName(report, payload), content: await pdfOf(head, report), contentType: 'application/pdf' },
    ],
  }
}

function mainOf(head: Letterhead, report: MailedReport): Html {
  const { accountName, period, sites } = report
  const leftOut = leftOutSentence(report)
  return html`<h1 style="${styles.title}">${accountName}</h1>
<p style="${styles.quiet}">${period}</p>
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
${buttonLink(head, `${head.home}/sites/${site.id}/search`, 'Open the pages of this site')}`
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

function textOf(head: Letterhead, report: MailedReport, stop: string): string {
  const { accountName, period, sites } = report
  const blocks = sites.map((site) =>
    [
      site.name,
      ...site.sentences,
      ...(site.attention.length === 0 ? [] : [`Needs attention: ${site.attention.join('; ')}.`]),
      ...site.figures.map(({ label, value, change }) => `${label}: ${value}${change === '' ? '' : ` (${change})`}`),
      `${head.home}/sites/${site.id}/search`,
    ].join('\n'),
  )
  const rest = leftOutSentence(report) ?? []
  return `${[`${accountName}, ${period}`, ...blocks, ...[rest].flat(), `To get no more of these reports: ${stop}`, supportText(head)].join('\n\n').trimEnd()}\n`
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

function fileName({ accountName }: MailedReport, { to }: ReportPayload): string {
  return `${
    accountName
      .normalize('NFKD')
      .replace(/[^A-Za-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '') || 'report'
  }-${to}.pdf`
}
