/** A PDF as a brand makes it, of figures that nobody has measured. */

import type { App } from '../../model/core/app.ts'
import type { Brand } from '../../model/partners/brands.ts'
import { letterheadIn } from './letterhead.ts'
import type { MailedReport } from './report/mailed-report.ts'

const report: MailedReport = {
  accountName: 'Harbor Dental',
  period: 'A sample of your monthly report',
  inShort: '',
  sentence: '',
  summary: '',
  lines: [],
  sites: [
    {
      id: 0,
      path: '',
      name: 'harbor.example',
      businessName: 'Harbor Dental',
      sentences: ['Visibility rose by 4 points, and 12 keywords are in the top 10.'],
      figures: [
        { label: 'Visibility', value: '62', change: { arrow: 'up', tone: 'better', short: '4', words: 'up 4 points' }, note: '' },
        { label: 'Top 10', value: '12', change: { arrow: 'up', tone: 'better', short: '3', words: '3 more' }, note: '' },
        { label: 'Rating', value: '4.6', change: { arrow: 'up', tone: 'better', short: '0.1', words: 'up 0.1' }, note: '' },
      ],
      charts: [],
      attention: [],
      moves: [],
      reviews: null,
    },
  ],
  leftOut: { sites: 0, needing: 0 },
}

export async function pdfPreview(app: App, brand: Brand): Promise<Buffer> {
  // The code that draws takes 16 MB, and most threads never show a PDF.
  const { pdfOf } = await import('./sheet.ts')
  return pdfOf(await letterheadIn(app, brand), report)
}
