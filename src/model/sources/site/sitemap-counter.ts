/** Counts the addresses of a sitemap while its bytes come, so that none is ever kept as a whole. */

import { StringDecoder } from 'node:string_decoder'

const opening = '<loc'
/** A tag and its address may be cut between two chunks; longer ones are no addresses. */
const mostCarried = 4_096

export class SitemapCounter {
  /** The addresses of pages. */
  count = 0
  /** The sitemaps that an index names. */
  readonly sitemaps: string[] = []
  /** Null until the first tag of a sitemap or of an index was seen. */
  #kind: 'pages' | 'index' | null = null
  #carried = ''
  readonly #decoder = new StringDecoder('utf8')
  readonly #mostSitemaps: number

  constructor(mostSitemaps: number) {
    this.#mostSitemaps = mostSitemaps
  }

  /** Whether it is a sitemap at all. */
  get isSitemap(): boolean {
    return this.#kind !== null
  }

  /** Each character is looked at a fixed number of times, whatever the text is. */
  take(chunk: Buffer): void {
    const text = this.#carried + this.#decoder.write(chunk)
    this.#kind ??= kindIn(text)
    let at = 0
    for (let tag = text.indexOf(opening); tag >= 0; tag = text.indexOf(opening, at)) {
      const begins = text.indexOf('>', tag)
      const ends = begins < 0 ? -1 : text.indexOf('<', begins)
      if (ends < 0) break
      this.#note(text.charAt(tag + opening.length), text.slice(begins + 1, Math.min(ends, begins + mostCarried)))
      at = ends
    }
    const cut = this.#kind === null ? 0 : text.indexOf(opening, at)
    this.#carried = text.slice(Math.max(cut < 0 ? text.length - opening.length : cut, text.length - mostCarried, at))
  }

  #note(next: string, address: string): void {
    // `<location>` is another tag.
    if (!/[\s>]/.test(next)) return
    if (this.#kind === 'pages') this.count += 1
    else if (this.#kind === 'index' && this.sitemaps.length < this.#mostSitemaps) this.sitemaps.push(unescaped(address.trim()))
  }
}

function kindIn(text: string): 'pages' | 'index' | null {
  const [, name] = /<(urlset|sitemapindex)[\s>]/.exec(text) ?? []
  return name === undefined ? null : name === 'urlset' ? 'pages' : 'index'
}

function unescaped(text: string): string {
  return text.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&apos;', "'").replaceAll('&lt;', '<').replaceAll('&gt;', '>')
}
