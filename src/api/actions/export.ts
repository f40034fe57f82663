/** The export of a partner's data: everything, an account or a site, account by account. */

import type { Exchange } from '../../http/exchange.ts'
import { writeHead } from '../../http/send.ts'
import { streamResponse } from '../../http/stream-response.ts'
import { chooseCoding } from '../../lib/streams/content-coding.ts'
import { askedExport, openExport } from '../../model/transfers/open-export.ts'
import type { Call } from '../endpoint.ts'
import type { exportScope } from '../parameters.ts'

export async function stream({ caller, query }: Call<typeof exportScope>, exchange: Exchange): Promise<void> {
  const { request, response } = exchange
  const coding = chooseCoding(request.headers['accept-encoding'])
  const asked = await askedExport(caller, { accountId: query.account_id, siteId: query.site_id, after: query.after }, coding)
  const headers = {
    'content-type': 'application/x-ndjson',
    'content-disposition': 'attachment; filename="accounts.ndjson"',
    'cache-control': 'no-store',
    vary: 'Accept-Encoding, Authorization',
    ...(coding !== 'identity' && { 'content-encoding': coding }),
  }
  if (request.method === 'HEAD') {
    writeHead(exchange, 200, headers)
    response.end()
  } else
    await streamResponse(exchange, { headers, chunks: await openExport(caller, asked, response), areCompressed: coding !== 'identity' })
}
