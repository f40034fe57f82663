/** Makes a page or one of its files in a reader thread, from one snapshot, compressed as it is sent. */

import { chooseCoding } from '../lib/streams/content-coding.ts'
import { readingApp } from '../readers/reading-app.ts'
import type { Maker, Making } from '../readers/serve.ts'
import { isPacked, isStreamed, packed } from './pack-page.ts'
import type { PageAnswer, PersonPageRequest } from './page-request.ts'
import { type AskedPage, type PageHead, requestFrom } from './page-work.ts'
import { pages } from './pages.ts'

export const makePage: Maker<AskedPage, PageHead> = async (asked, making) => {
  const { body, ...rest } = await making.database.snapshot(async (db) => {
    const answer = await showPage(asked, requestFrom(readingApp(db, making.settings, asked.now), asked) as PersonPageRequest)
    return isStreamed(answer.body)
      ? { ...answer, body: await stream(asked, answer, answer.body, making) }
      : { ...answer, body: answer.body }
  })
  if (body !== null) making.tell({ ...rest, ...(await packed(asked.acceptEncoding, body, rest.type)) })
}

function showPage({ template }: AskedPage, request: PersonPageRequest): PageAnswer | Promise<PageAnswer> {
  const page = pages.find(({ path, method }) => path === template && method === 'GET')
  if (page === undefined) throw new Error(`There is no page ${template}.`)
  return page.show(request)
}

async function stream(
  { acceptEncoding }: AskedPage,
  { body: _, ...rest }: PageAnswer,
  pieces: AsyncIterable<string | Uint8Array>,
  making: Making<PageHead>,
): Promise<null> {
  const coding = isPacked(rest.type ?? '') ? 'identity' : chooseCoding(acceptEncoding)
  making.tell({ ...rest, body: null, encoding: coding === 'identity' ? null : coding })
  const output = making.write(coding)
  for await (const piece of pieces) {
    if (typeof piece === 'string') output.chunks.addText(piece)
    else output.chunks.addBytes(piece)
    await output.pause()
  }
  return null
}
