/** The layout of every page of `/docs`: a fixed menu, a search in the page, and forms to try an endpoint with one's own key. */

import { anchorOf, type Block, htmlOf } from '../../../lib/document.ts'
import { type Html, html, type Printable, raw } from '../../../lib/html.ts'
import type { Endpoint } from '../../endpoint.ts'
import { headingOf } from '../pages.ts'
import { sampleSent } from '../samples.ts'
import { type DocsPage, inDocs } from './docs-pages.ts'

type DocsPages = Readonly<Record<string, DocsPage>>

export function docsPage(path: string, pages: DocsPages): string {
  const { title, about, blocks, endpoints } = pages[path] as DocsPage
  return String(html`${raw('<!doctype html>')}
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title} · Marquee API</title>
<meta name="description" content="${about}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="/docs/reference.css">
<script src="/docs/reference.js" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header>
<a class="home" href="/docs">Marquee <span>API</span></a>
<form class="search" role="search" hidden>
<label for="search">Search</label>
<input id="search" type="search" placeholder="Search (press /)" autocomplete="off" aria-controls="found">
<ul id="found" hidden></ul>
</form>
<a class="to-menu" href="#menu">Menu</a>
</header>
<div class="columns">
<main id="main">
${htmlOf(blocks(), inDocs)}${endpoints.length === 0 ? null : tryIt(endpoints)}</main>
<nav id="menu" aria-label="Documentation">
${groups.map((group) => menuGroup(group, path, pages))}</nav>
</div>
</body>
</html>
`)
}

/** What the search in the page looks through: for each heading all that is said below it, but no code. */
export function searchIndex(pages: DocsPages): object[] {
  return Object.entries(pages).flatMap(([path, page]) => headingsOf(path, page))
}

function headingsOf(path: string, { title, blocks }: DocsPage): object[] {
  return blocks().flatMap((block, index, all) => {
    if (!('heading' in block)) return []
    const below = all.slice(index + 1)
    const end = below.findIndex((other) => 'heading' in other)
    const text = below
      .slice(0, end === -1 ? below.length : end)
      .map(textOf)
      .join(' ')
    const own = block.level === 1 ? path : `${path}#${block.id ?? anchorOf(block.heading)}`
    return [{ page: title, heading: block.heading.replaceAll('`', ''), path: own, text: text.replaceAll(/[`[\]]|\([^)\s]*\)/g, '').trim() }]
  })
}

function textOf(block: Block): string {
  if ('text' in block) return block.text
  if ('items' in block) return block.items.join(' ')
  return 'table' in block ? block.table.rows.flat().join(' ') : ''
}

const groups = ['Start', 'Guides', 'Resources', 'More'] as const

function menuGroup(group: (typeof groups)[number], current: string, pages: DocsPages): Html {
  const links = Object.entries(pages).filter(([, page]) => page.group === group)
  return html`<h2>${group}</h2>
<ul>
${links.map(([path, { title }]) => html`<li><a href="${path}"${path === current ? html` aria-current="page"` : null}>${title}</a></li>\n`)}</ul>
`
}

/** Shown by the script, because nothing could be sent without it. The key is read from the form and stored nowhere. */
function tryIt(endpoints: readonly Endpoint[]): Html {
  return html`<section class="try" hidden>
<h2 id="try-it">Try it <a class="permalink" href="#try-it" aria-label="Link to this section">#</a></h2>
<p>Requests go from this page to this service. Your key stays in this page and is forgotten when you leave it.</p>
<form>
<p><label>Endpoint <select name="endpoint">
${endpoints.map(option)}</select></label></p>
<p><label>Key <input name="key" type="password" autocomplete="off" spellcheck="false"></label> <label>Password <input name="password" type="password" autocomplete="off" spellcheck="false"></label></p>
<p><label>Address <input name="address" spellcheck="false"></label></p>
<p><label>Body <textarea name="body" rows="6" spellcheck="false"></textarea></label></p>
<p><button type="submit">Send</button> <output aria-live="polite"></output></p>
</form>
<pre tabindex="0" hidden><code></code></pre>
</section>
`
}

function option(endpoint: Endpoint): Printable {
  const sent = sampleSent(endpoint)
  const address = `/api/${endpoint.path.replace(/\{\w+\}/g, '1')}.json`
  return html`<option data-method="${endpoint.method}" data-address="${address}" data-body="${sent === null ? '' : JSON.stringify(sent, null, 2)}">${endpoint.method} ${headingOf(endpoint)}</option>\n`
}
