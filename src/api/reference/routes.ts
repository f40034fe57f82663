/** The reference for people and programs, open to anyone: `/docs`, OpenAPI, XML schemas, `llms.txt` and `security.txt`. */

import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { send } from '../../http/send.ts'
import type { Door } from '../../http/server.ts'
import { notFound } from '../../lib/failures.ts'
import { memoOnce } from '../../lib/memo.ts'
import type { App } from '../../model/core/app.ts'
import { brandAt, inBrand } from './documentation/brand.ts'
import { docsPages } from './documentation/docs-pages.ts'
import { docsPage } from './documentation/layout.ts'
import { llmsText } from './llms.ts'
import { xmlSchemas } from './schemas.ts'

interface Leaf {
  readonly type: string
  readonly body: string
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
const script = asset('reference.js')
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
  }),
)

export function referenceDoor(app: App): Door {
  return {
    takes: ({ url = '', method }) => (method === 'GET' || method === 'HEAD') && isServed(app, pathOf(url)),
    async answer(exchange) {
      const path = pathOf(exchange.request.url ?? '')
      exchange.route = path
      const { type, body } = (path === securityPath ? securityText(app) : await leaves()[path]?.()) ?? notFound('page')
      const brand = await brandAt(app, exchange.request)
      const shown = brand === undefined ? body : inBrand(app, brand, type, body)
      send(
        exchange,
        200,
        { 'content-type': type, 'content-security-policy': policy, 'cache-control': 'public, max-age=300', vary: 'Host' },
        shown,
      )
    },
  }
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
