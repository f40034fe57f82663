/** How many addresses the sitemaps of a site name: nobody knows how many of them an engine has indexed. */

import { createGunzip } from 'node:zlib'
import { FetchFailure, type OutgoingAnswer } from '../../../lib/network/outgoing.ts'
import type { Robots } from './robots.ts'
import type { SiteVisit } from './site-visit.ts'
import { SitemapCounter } from './sitemap-counter.ts'

const mostSitemaps = 50
/** As the protocol of sitemaps has it. */
const mostBytes = 50 * 1024 * 1024
const mostBytesTogether = 100 * 1024 * 1024

export interface SitemapsFound {
  /** Null where it could not be counted to the end. */
  readonly addresses: number | null
  /** Why it could not. */
  readonly reason: string | null
}

export async function countSitemaps(visit: SiteVisit, { sitemaps, mayAsk }: Robots): Promise<SitemapsFound> {
  const waiting = [...(sitemaps.length > 0 ? sitemaps : ['/sitemap.xml'])]
  const seen = new Set<string>()
  const budget = { bytes: mostBytesTogether }
  let addresses = 0
  while (waiting.length > 0) {
    const next = URL.parse(waiting.shift() ?? '', visit.origin)
    if (next === null || seen.has(next.href)) continue
    if (seen.size === mostSitemaps) return uncounted(`It has more than ${mostSitemaps} sitemaps.`)
    seen.add(next.href)
    if (!mayAsk(next.pathname + next.search)) return uncounted('It does not allow robots to read its sitemaps.')
    const found = await countOne(visit, next.href, budget)
    if (typeof found === 'string') return uncounted(found)
    addresses += found.count
    waiting.push(...found.sitemaps)
  }
  return { addresses, reason: null }
}

type Counted = Pick<SitemapCounter, 'count' | 'sitemaps'>

async function countOne(visit: SiteVisit, url: string, budget: { bytes: number }): Promise<Counted | string> {
  const counter = new SitemapCounter(mostSitemaps)
  const unpacking = unpackInto(counter, budget)
  let answer: OutgoingAnswer
  try {
    answer = await visit.ask(url, { maxBytes: mostBytes, whenLonger: 'fail', take: unpacking.take })
    await unpacking.end()
  } catch (error) {
    if (error instanceof FetchFailure) return error.message
    return 'Its sitemap is damaged, or unfolds to more than is read.'
  }
  if (answer.status !== 200) return 'It has no sitemap.'
  return counter.isSitemap ? counter : 'What should be its sitemap is none.'
}

interface Unpacking {
  take(chunk: Buffer): void
  end(): Promise<void>
}

/** Plain or gzip, by the first two bytes; never more than the budget, however small the packed bytes are. */
function unpackInto(counter: SitemapCounter, budget: { bytes: number }): Unpacking {
  let gunzip: ReturnType<typeof createGunzip> | null | undefined
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  promise.catch(() => {})
  const count = (chunk: Buffer) => {
    budget.bytes -= chunk.length
    if (budget.bytes < 0) throw new RangeError('The sitemaps unfold to more than is read.')
    counter.take(chunk)
  }
  const unpack = () => {
    const stream = createGunzip()
    stream.on('data', (chunk: Buffer) => {
      try {
        count(chunk)
      } catch (error) {
        stream.destroy(error as Error)
      }
    })
    stream.on('end', resolve)
    stream.on('error', reject)
    return stream
  }
  return {
    take(chunk) {
      gunzip ??= chunk[0] === 0x1f && chunk[1] === 0x8b ? unpack() : null
      if (gunzip === null) count(chunk)
      else gunzip.write(chunk)
    },
    end() {
      if (gunzip == null) return Promise.resolve()
      gunzip.end()
      return promise
    },
  }
}

function uncounted(reason: string): SitemapsFound {
  return { addresses: null, reason }
}
