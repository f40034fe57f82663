/** The reader threads: the kinds of work they do, and the code that does each. */

import { figuresWork } from './model/dashboard/desk/site-figures.ts'
import { rankingsWork } from './model/dashboard/rankings/rankings-work.ts'
import { siteLinesWork, summaryWork } from './model/dashboard/summary/summary-work.ts'
import { sortingWork } from './model/intakes/deliveries/sorting.ts'
import { guessWork } from './model/intakes/guess.ts'
import { reportWork } from './model/reports/open-report.ts'
import { listWork } from './model/transfers/list-work.ts'
import { exportWork } from './model/transfers/open-export.ts'
import { makes, serveReaders } from './readers/serve.ts'
import { letterWork } from './web/letters/letter-work.ts'
import { pageWork } from './web/page-work.ts'

serveReaders([
  makes(reportWork, async () => (await import('./model/reports/make-report.ts')).makeReport),
  makes(exportWork, async () => (await import('./model/transfers/make-export.ts')).makeExport),
  makes(listWork, async () => (await import('./model/transfers/make-list.ts')).makeList),
  makes(pageWork, async () => (await import('./web/make-page.ts')).makePage),
  makes(guessWork, async () => (await import('./model/intakes/make-guess.ts')).makeGuess),
  makes(sortingWork, async () => (await import('./model/intakes/deliveries/make-sorted.ts')).makeSorted),
  makes(figuresWork, async () => (await import('./model/dashboard/desk/make-figures.ts')).makeFigures),
  makes(summaryWork, async () => (await import('./model/dashboard/summary/make-summary.ts')).makeSummary),
  makes(siteLinesWork, async () => (await import('./model/dashboard/summary/make-summary.ts')).makeSiteLines),
  makes(rankingsWork, async () => (await import('./model/dashboard/rankings/make-rankings.ts')).makeRankings),
  // The code that draws charts and writes PDF takes 16 MB, and most processes never send a mail.
  makes(letterWork, async () => (await import('./web/letters/compose.ts')).makeLetter),
])
