/** Lists as tables: all records at once, streamed. */

import type { Exchange } from '../../http/exchange.ts'
import { writeHead } from '../../http/send.ts'
import { streamResponse } from '../../http/stream-response.ts'
import { chooseCoding } from '../../lib/streams/content-coding.ts'
import { type ListName, openList } from '../../model/transfers/list-work.ts'
import type { Call } from '../endpoint.ts'
import { mediaTypes } from '../format.ts'

export function table(list: ListName): (call: Call, exchange: Exchange) => Promise<void> {
  return async ({ caller, query }, exchange) => {
    const { request, response } = exchange
    const { after, ...narrow } = query as { after?: string }
    const coding = chooseCoding(request.headers['accept-encoding'])
    const headers = {
      'content-type': mediaTypes.csv,
      'content-disposition': `attachment; filename="${list}.csv"`,
      'cache-control': 'no-store',
      vary: 'Accept, Accept-Encoding, Authorization',
      ...(coding !== 'identity' && { 'content-encoding': coding }),
    }
    if (request.method === 'HEAD') {
      writeHead(exchange, 200, headers)
      response.end()
    } else {
      const chunks = await openList(caller, { list, narrow, after }, coding, response)
      await streamResponse(exchange, { headers, chunks, areCompressed: coding !== 'identity' })
    }
  }
}
