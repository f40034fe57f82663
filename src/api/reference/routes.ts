/** The reference for people and programs, open to anyone: `/docs`, OpenAPI, XML schemas, the client, `llms.txt` and `security.txt`. */

import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { send } from '../../http/send.ts'
import type { Door } from '../../http/server.ts'
import { notFound } from '../../lib/failures.ts'
import { memoOnce } from '../../lib/memo.ts'
import type { App } from '../../model/core/app.ts'
import { clientPackages, newestClientPath } from './client-packages.ts'
import { brandAt, inBrand } from './documentation/brand.ts'
import { docsPages } from './documentation/docs-pages.ts'
import { docsPage } from './documentation/layout.ts'
import { llmsText } from './llms.ts'
import { xmlSchemas } from './schemas.ts'

interface Leaf {
  readonly type: string
  readonly body: string | Buffer
  /** Of an address whose answer never changes, or leads elsewhere. */
  readonly headers?: Readonly<Record<string, string>>
  readonly status?: number
}

// Allows the page's own script and styles, and requests to this service; nothing else.
const policy =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
const types = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
  text: 'text/plain; charset=utf-8',
} as const

const stylesheet = asset('reference.css')
/** The library of the search comes first; it stands in the page as `MiniSearch`. */
const library = new URL('../umd/index.js', import.meta.resolve('minisearch'))
const script = `${readFileSync(library, 'utf8')}\n${asset('reference.js')}`
const pages = memoOnce(docsPages)

/** Each is written when it is first requested, and cached. The descriptions in OpenAPI and the index of the search are read from the files of `npm run generate`: to write one takes the event loop for too long. */
const leaves = memoOnce(
  (): Readonly<Record<string, () => Promise<Leaf>>> => ({
    ...Object.fromEntries(Object.keys(pages()).map((path) => [path, leaf('html', () => docsPage(path, pages()))])),
    ...Object.fromEntries([...xmlSchemas()].map(([name, write]) => [`/schema/${name}.xsd`, leaf('xml', write)])),
    '/docs/reference.css': leaf('css', () => stylesheet),
    '/docs/reference.js': leaf('js', () => script),
    '/docs/search.json': leaf('json', () => readFile(assetAt('search.json'), 'utf8')),
    '/openapi.json': leaf('json', () => generatedText('openapi.json')),
    '/openapi-xml.json': leaf('json', () => generatedText('openapi-xml.json')),
    '/llms.txt': leaf('text', llmsText),
    ...clientLeaves(),
  }),
)

export function referenceDoor(app: App): Door {
  return {
    takes: ({ url = '', method }) => (method === 'GET' || method === 'HEAD') && isServed(app, pathOf(url)),
    async answer(exchange) {
      const path = pathOf(exchange.request.url ?? '')
      exchange.route = path
      const {
        status = 200,
        type,
        body,
        headers,
      } = (path === securityPath ? securityText(app) : await leaves()[path]?.()) ?? notFound('page')
      const shown = typeof body === 'string' ? await atItsAddress(app, exchange.request, type, body) : body
      send(exchange, status, { 'content-type': type, ...(headers ?? pageHeaders) }, shown)
    },
  }
}

const pageHeaders = { 'content-security-policy': policy, 'cache-control': 'public, max-age=300', vary: 'Host' }

/** Lines to copy name the address under which the page is read. */
async function atItsAddress(app: App, request: IncomingMessage, type: string, text: string): Promise<string> {
  const brand = await brandAt(app, request)
  if (brand !== undefined) return inBrand(app, brand, type, text)
  return type === types.html ? text.replaceAll('https://marquee.example', app.settings.baseUrl) : text
}

/** Without a contact there is no security.txt. */
function isServed({ settings }: App, path: string): boolean {
  return path === securityPath ? settings.securityContact !== undefined : path in leaves()
}

const securityPath = '/.well-known/security.txt'
const securityDays = 180

/** RFC 9116 requires an expiry date; it is computed for each request. */
function securityText({ settings, clock }: App): Leaf | undefined {
  if (settings.securityContact === undefined) return undefined
  const expires = new Date(Date.parse(clock.now()) + securityDays * 86_400_000).toISOString()
  return {
    type: types.text,
    body: `Contact: ${settings.securityContact}\nExpires: ${expires}\nCanonical: ${settings.baseUrl}${securityPath}\nPreferred-Languages: en\n`,
  }
}

function leaf(type: keyof typeof types, write: () => string | Promise<string>): () => Promise<Leaf> {
  return memoOnce(async () => ({ type: types[type], body: await write() }))
}

/** The packages for ever, and the bare name as a way to the newest. */
function clientLeaves(): Readonly<Record<string, () => Promise<Leaf>>> {
  const [newest] = clientPackages()
  if (newest === undefined) return {}
  const forEver = { 'cache-control': 'public, max-age=31536000, immutable' }
  const packages = clientPackages().map(
    ({ path, bytes }) => [path, async () => ({ type: 'application/gzip', body: bytes, headers: forEver })] as const,
  )
  const headers = { location: newest.path, 'cache-control': 'public, max-age=300' }
  return { ...Object.fromEntries(packages), [newestClientPath]: async () => ({ status: 302, type: types.text, body: '', headers }) }
}

/** A file at the root of the package. */
function generatedText(name: string): Promise<string> {
  return readFile(new URL(`../../../${name}`, import.meta.url), 'utf8')
}

function asset(name: string): string {
  return readFileSync(assetAt(name), 'utf8')
}

function assetAt(name: string): URL {
  return new URL(`documentation/${name}`, import.meta.url)
}

function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? ''
}
