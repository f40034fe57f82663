/** A web server of this machine that is several sites, by the host that is asked for, as good or as bad as the test wants them. */
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before } from 'node:test'

export interface SiteServers {
  /** Of each host: what answers to a path; any other path is absent. */
  readonly pages: Map<string, Readonly<Record<string, RequestListener | string | Buffer>>>
  /** `host path`, in the order in which they were asked for. */
  readonly asked: string[]
  /** The most requests to one host at the same time. */
  mostAtOnce: number
  port: number
}

/** Started before the first test of the file. */
export function siteServers(): SiteServers {
  const sites: SiteServers = { pages: new Map(), asked: [], mostAtOnce: 0, port: 0 }
  const now = new Map<string, number>()
  let server: Server
  before(async () => {
    server = createServer((request, response) => {
      const host = request.headers.host?.split(':')[0] ?? ''
      const path = request.url ?? ''
      sites.asked.push(`${host} ${path}`)
      now.set(host, (now.get(host) ?? 0) + 1)
      sites.mostAtOnce = Math.max(sites.mostAtOnce, now.get(host) ?? 0)
      response.on('close', () => now.set(host, (now.get(host) ?? 0) - 1))
      const page = sites.pages.get(host)?.[path]
      if (page === undefined) response.writeHead(404).end()
      else if (typeof page === 'function') page(request, response)
      else response.end(page)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    sites.port = (server.address() as AddressInfo).port
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return sites
}
