/** The reputation reports as flat tables: a line for each review, or for each day's count. */

import type { Pause } from '../../fields/code-builder.ts'
import type { Batches } from '../../fields/streaming.ts'
import { compileCsv, csvHeader, csvMark } from '../../fields/to-csv.ts'
import type { ChunkWriter } from '../../lib/streams/chunks.ts'
import { reviewColumns, reviewCountColumns } from '../../resources/report-tables.ts'
import type { CountsFlow, DetailFlow } from './reputation.ts'

const reviewLine = compileCsv(reviewColumns)
const countLine = compileCsv(reviewCountColumns)

export async function writeReviewTable(flow: DetailFlow, out: ChunkWriter, pause: Pause): Promise<void> {
  out.addText(csvMark + csvHeader(reviewColumns))
  for await (const sites of flow.sites) {
    for (const { id: site_id, domain: site, location } of sites) {
      await eachPage(location.pages, async ({ page_url, source: page_source, reviews }) => {
        const of = { account_id: flow.id, site_id, page_url, site, page_source }
        await writeLines(reviews, (review) => reviewLine({ ...of, ref: null, ...review }), out, pause)
      })
    }
  }
}

export async function writeReviewCountTable(flow: CountsFlow, out: ChunkWriter, pause: Pause): Promise<void> {
  out.addText(csvMark + csvHeader(reviewCountColumns))
  for await (const sites of flow.sites) {
    for (const { id: site_id, domain: site, location } of sites) {
      const write = (competitor_id: number | null, competitor: string) => (page: CountsPage) => {
        const of = { account_id: flow.id, site_id, page_url: page.page_url, competitor_id, site, competitor, page_source: page.source }
        return writeLines(page.review_counts, (count) => countLine({ ...of, ...count }), out, pause)
      }
      await eachPage(location.competitors, async ({ id, domain, pages }) => eachPage(pages, write(id, domain)))
      await eachPage(location.pages, write(null, ''))
    }
  }
}

type ItemOf<B> = B extends Batches<infer T> ? T : never
type CountsPage = ItemOf<ItemOf<CountsFlow['sites']>['location']['pages']>

async function eachPage<T>(batches: Batches<T>, work: (item: T) => Promise<void>): Promise<void> {
  for await (const items of batches) for (const item of items) await work(item)
}

async function writeLines<T>(batches: Batches<T>, line: (item: T) => string, out: ChunkWriter, pause: Pause): Promise<void> {
  for await (const items of batches) {
    out.addText(items.map((item) => `${line(item)}\r\n`).join(''))
    await pause()
  }
}
