/** The browser of bench/pages.ts: asks for a page over a connection that it keeps, and tells its status and size. */
import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'

const agent = new Agent({ keepAlive: true })

process.on('message', async ({ port, path, headers }: { port: number; path: string; headers: Record<string, string> }) => {
  const [response] = (await once(get({ port, path, headers, agent }), 'response')) as [IncomingMessage]
  let bytes = 0
  for await (const chunk of response) bytes += (chunk as Buffer).length
  process.send?.({ status: response.statusCode ?? 0, bytes })
})
