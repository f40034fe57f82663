/** The SEO report as flat tables: a line for each ranking, backlink, or site and competitor. */

import type { Pause } from '../../fields/code-builder.ts'
import type { FlowOf } from '../../fields/streaming.ts'
import { compileCsv, csvHeader, csvMark } from '../../fields/to-csv.ts'
import type { ChunkWriter } from '../../lib/streams/chunks.ts'
import { backlinkColumns, metricColumns, rankingColumns, subjectColumns, trackedColumns } from '../../resources/report-tables.ts'
import { backlink, type competitor } from '../../resources/seo-report.ts'
import type { ReportQuestion, SeoTable } from './question.ts'
import type { Figures } from './read-subjects.ts'
import type { SeoFlow } from './seo.ts'
import { csvRankings } from './write-rankings.ts'

type Measured = Pick<FlowOf<typeof competitor>, 'backlinks' | 'keywords'>

/** Where lines are written, and the pause for back-pressure. */
interface Outlet {
  readonly series: 'one' | 'all'
  readonly out: ChunkWriter
  readonly pause: Pause
}

/** `before` holds the identifying columns. */
type WriteTable = (outlet: Outlet, before: string, measured: Measured, figures: Figures) => Promise<void>

const subjectLine = compileCsv(subjectColumns)
const backlinkLine = compileCsv(backlink)
const phraseCell = compileCsv({ phrase: rankingColumns.phrase })
const { account_id: _account, site_id: _site, site: _domain, competitor: _rival, ...figureColumns } = metricColumns
const figuresLine = compileCsv(figureColumns)
const rankingsOf = { one: csvRankings('one'), all: csvRankings('all') }

const tables = {
  rankings: { columns: rankingColumns, write: rankingLines },
  backlinks: { columns: backlinkColumns, write: backlinkLines },
  metrics: { columns: metricColumns, write: metricLine },
} as const satisfies Record<SeoTable, { columns: object; write: WriteTable }>

export async function writeSeoTable(
  { table, series }: Pick<ReportQuestion, 'table' | 'series'>,
  flow: SeoFlow,
  out: ChunkWriter,
  pause: Pause,
): Promise<void> {
  const name = table ?? 'rankings'
  const { write } = tables[name]
  const columns = name === 'rankings' && series === 'all' ? trackedColumns : tables[name].columns
  out.addText(csvMark + csvHeader(columns))
  const outlet: Outlet = { series, out, pause }
  for (const accounts of flow.accounts) {
    for (const { key: account_id, value } of accounts) {
      for await (const sites of value.sites) {
        for (const { key: site_id, domain: site, figures, value: measured } of sites) {
          await write(outlet, subjectLine({ account_id, site_id, site, competitor: '' }), measured, figures)
          for await (const rivals of measured.competitors)
            for (const rival of rivals)
              await write(outlet, subjectLine({ account_id, site_id, site, competitor: rival.key }), rival.value, rival.figures)
        }
        await pause()
      }
    }
  }
}

async function rankingLines({ series, out, pause }: Outlet, before: string, { keywords }: Measured): Promise<void> {
  for await (const some of keywords) {
    for (const { key, value } of some) {
      const open = `${before},${phraseCell({ phrase: String(key) })},`
      const areAll = !('next' in value)
      for (let some = areAll ? value : await value.next(); some !== null; some = areAll ? null : await value.next()) {
        for (const span of some) rankingsOf[series](span, out, open, '')
        await pause()
      }
    }
  }
}

async function backlinkLines({ out, pause }: Outlet, before: string, { backlinks }: Measured): Promise<void> {
  for await (const some of backlinks) {
    out.addText(some.map((record) => `${before},${backlinkLine(record)}\r\n`).join(''))
    await pause()
  }
}

async function metricLine({ out }: Outlet, before: string, _measured: Measured, { known }: Figures): Promise<void> {
  out.addText(`${before},${figuresLine(known as never)}\r\n`)
}
