/** The reference for people and programs: `/docs`, `/docs/errors` and `/openapi.json`, open to anyone. */

import { readFileSync } from 'node:fs'
import { ownVersion } from '../../config.ts'
import { send } from '../../http/send.ts'
import type { Door } from '../../http/server.ts'
import { type Block, htmlOf } from '../../lib/document.ts'
import { notFound } from '../../lib/failures.ts'
import { html, raw } from '../../lib/html.ts'
import { conventions } from './conventions.ts'
import { openApi } from './openapi.ts'
import { endpointBlocks, errorBlocks, recordBlocks } from './pages.ts'

interface Leaf {
  readonly type: string
  readonly body: string
}

const pageType = 'text/html; charset=utf-8'
const policy = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
const stylesheet = readFileSync(new URL('reference.css', import.meta.url), 'utf8')

/** Written when they are first asked for, and kept. */
const leaves: Readonly<Record<string, () => Leaf>> = {
  '/docs': once(() => page('The API', [...conventions, ...endpointBlocks(), ...recordBlocks()])),
  '/docs/errors': once(() => page('Errors', errorBlocks())),
  '/docs/reference.css': () => ({ type: 'text/css; charset=utf-8', body: stylesheet }),
  '/openapi.json': once(() => ({ type: 'application/json; charset=utf-8', body: openApiText('json') })),
  '/openapi-xml.json': once(() => ({ type: 'application/json; charset=utf-8', body: openApiText('xml') })),
}

export const referenceDoor: Door = {
  takes: ({ url = '', method }) => (method === 'GET' || method === 'HEAD') && pathOf(url) in leaves,
  async answer(exchange) {
    const path = pathOf(exchange.request.url ?? '')
    exchange.route = path
    const { type, body } = leaves[path]?.() ?? notFound('page')
    send(exchange, 200, { 'content-type': type, 'content-security-policy': policy, 'cache-control': 'public, max-age=300' }, body)
  },
}

function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? ''
}

/** As it is committed and as it is served. */
export function openApiText(format: 'json' | 'xml'): string {
  return `${JSON.stringify(openApi(ownVersion(), format), null, 2)}\n`
}

/** On the page everything but the errors stands in one place. */
function onPage(target: string): string {
  if (target.startsWith('errors')) return `/docs/${target}`
  return target === 'openapi' ? '/openapi.json' : target.replace(/^\w+#/, '#')
}

function page(title: string, blocks: readonly Block[]): Leaf {
  const body = html`${raw('<!doctype html>')}
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title} · Marquee</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="/docs/reference.css">
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header><nav aria-label="Reference"><strong>Marquee</strong> <a href="/docs">API</a> <a href="/docs/errors">Errors</a> <a href="/openapi.json">OpenAPI</a></nav></header>
<main id="main">
${htmlOf(blocks, onPage)}</main>
</body>
</html>
`
  return { type: pageType, body: String(body) }
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
