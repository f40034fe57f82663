/** The mail with a scheduled report: a summary of each site with charts, and the same as a PDF. */

import { type Html, html } from '../../lib/html.ts'
import type { App } from '../../model/core/app.ts'
import type { MailedPeriod } from '../../model/mail/periods.ts'
import type { ReportedPeriod, ReportPayload } from '../../model/mail/queue-reports.ts'
import { readRecipient } from '../../model/mail/recipients.ts'
import { pngOf } from './drawing.ts'
import { type Addressed, envelopeOf, type Letter, type Letterhead, letterHtml, letterPage } from './letter.ts'
import type { MailedReport } from './report/mailed-report.ts'
import { mostInFull, readMailedReport } from './report/read-report.ts'
import { cidOf, reportHtml } from './report/report-html.ts'
import { reportText } from './report/report-text.ts'
import { pdfOf } from './sheet.ts'

/** Fails with not found if the recipient, the schedule or the sites no longer exist; null for a recipient who has unsubscribed since the mail was queued. */
export async function reportLetter(app: App, head: Letterhead, payload: ReportPayload, to: Addressed): Promise<Letter | null> {
  const { state, email } = await readRecipient(app, to.recipientId)
  return state === 'active' ? letterFor(app, head, payload, { ...recipientFoot(head, to.token, payload), email }) : null
}

/** For somebody of the staff, whom nobody can unsubscribe. */
export function sampleLetter(app: App, head: Letterhead, payload: ReportedPeriod): Promise<Letter | null> {
  return letterFor(app, head, payload, sampleFoot)
}

/** The HTML of the mail as its recipients get it, with the pictures in it; null where there is no site to report. */
export async function reportPreview(app: App, head: Letterhead, payload: ReportedPeriod): Promise<string | null> {
  const report = await readMailedReport(app, head, payload)
  if (report.sites.length === 0) return null
  return letterPage(await withPictures(head, report, recipientFoot(head, 'preview', payload)))
}

/** What is below a report, for the reader and for mail programs. */
interface Foot {
  /** Whose way of writing dates is taken; null for that of the account. */
  readonly email: string | null
  readonly html: Html
  readonly text: string
  readonly headers: Readonly<Record<string, string>>
}

function recipientFoot(head: Letterhead, token: string, { schedule_id }: ReportedPeriod): Foot {
  const stop = `${head.home}/reports/unsubscribe/${token}`
  return {
    email: null,
    html: html`You get this because you are a recipient of these reports. <a href="${stop}">Send me no more</a>.`,
    text: `To get no more of these reports: ${stop}`,
    headers: {
      'List-Id': `<reports-${schedule_id}.${new URL(head.home).hostname}>`,
      'List-Unsubscribe': `<${stop}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  }
}

const sampleSentence = 'Sent once to you alone, because you asked for it at the desk.'
const sampleFoot: Foot = { email: null, html: html`${sampleSentence}`, text: sampleSentence, headers: {} }

async function letterFor(app: App, head: Letterhead, payload: ReportedPeriod, foot: Foot): Promise<Letter | null> {
  const report = await readMailedReport(app, head, payload, { email: foot.email, inFull: mostInFull.pdf })
  if (report.sites.length === 0) return null
  const letter = await withPictures(head, report, foot)
  const sheet = { filename: fileName(report, payload), content: await pdfOf(head, report), contentType: 'application/pdf' }
  return { ...letter, attachments: [...letter.attachments, sheet] }
}

async function withPictures(head: Letterhead, report: MailedReport, foot: Foot) {
  const envelope = envelopeOf(head)
  return {
    ...envelope,
    subject: `${report.accountName}: ${report.inShort || report.period}`,
    text: reportText(head, report, foot.text),
    html: letterHtml(head, reportHtml(head, report), foot.html),
    headers: foot.headers,
    attachments: [...envelope.attachments, ...(await pictures(report))],
  }
}

function pictures({ sites }: MailedReport) {
  const made = sites.slice(0, mostInFull.mail).flatMap((site) =>
    site.charts.map(async (chart, index) => {
      const drawing = chart.draw('mail')
      if (drawing === null) return []
      const cid = cidOf(site, index)
      return [
        {
          filename: `${cid}.png`,
          content: await pngOf(drawing),
          cid,
          contentType: 'image/png',
          contentDisposition: 'inline' as const,
        },
      ]
    }),
  )
  return Promise.all(made).then((found) => found.flat())
}

function fileName({ accountName }: MailedReport, { to }: MailedPeriod): string {
  return `${
    accountName
      .normalize('NFKD')
      .replace(/[^A-Za-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '') || 'report'
  }-${to}.pdf`
}
