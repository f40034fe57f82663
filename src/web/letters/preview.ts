/** The preview of a report in the brand of its account. */

import { html } from '../../lib/html.ts'
import type { App } from '../../model/core/app.ts'
import type { ReportedPeriod } from '../../model/mail/queue-reports.ts'
import { letterHtml, styles } from './letter.ts'
import { letterheadOf } from './letterhead.ts'
import { reportPreview } from './report.ts'

export async function previewOf(app: App, accountId: number, payload: ReportedPeriod): Promise<string> {
  const head = await letterheadOf(app, accountId)
  return (await reportPreview(app, head, payload)) ?? letterHtml({ ...head, logo: null }, nothing, html``)
}

const nothing = html`<h1 style="${styles.title}">Nothing to mail</h1>
<p style="${styles.paragraph}">No site of an active business is in this report, so that no mail goes.</p>`
