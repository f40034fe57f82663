/** The layout of every page: brand, site switcher, user menu; and a simpler one for login and similar pages. */

import { type Html, html, raw } from '../../lib/html.ts'
import { ownName } from '../../model/partners/brands.ts'
import { accentPath, assetPaths } from '../assets.ts'
import { cookieLine, themeCookie } from '../cookies.ts'
import type { PageRequest } from '../page-request.ts'
import { deskPlaces } from './desk-places.ts'
import { periodQuery } from './period.ts'

interface Content {
  readonly title: string
  readonly main: Html
  /** The text below the brand on a printed page. */
  readonly printed?: string
  /** The tab on which the site switcher stays. */
  readonly tab?: string
}

export function framed(request: PageRequest, { title, main, printed, tab }: Content): Html {
  return shell(
    request,
    title,
    html`
      <a class="skip" href="#main">Skip to the content</a>
      <header class="top">
        ${testBar(request)}
        ${viewBar(request)}
        <div class="top-in">
          ${brandLink(request)}
          ${request.loggedIn?.view ? null : deskSwitch(request)}
          ${finder(request, tab)}
          ${request.loggedIn && !request.loggedIn.view ? personMenu(request) : null}
        </div>
      </header>
      <main id="main">
        <div class="letterhead only-print">
          <span class="brand">${brandSign(request)}</span>
          <span>${printed}</span>
        </div>
        ${deskPlaces(request)}
        ${main}
      </main>
      <footer class="foot">${brandName(request)}${support(request)}</footer>
    `,
    printed,
  )
}

export function door(request: PageRequest, title: string, main: Html): Html {
  return shell(
    request,
    title,
    html`
      ${request.loggedIn?.view || request.brand?.is_test ? html`<header>${testBar(request)}${viewBar(request)}</header>` : null}
      <main class="door" id="main">
        ${brandLink(request)}
        <div class="card"><h1>${title}</h1>${main}</div>
        ${request.brand?.support ? html`<p class="foot">${support(request)}</p>` : null}
      </main>
    `,
  )
}

/** Whoever is in a test reads so on every page. */
function testBar({ brand }: PageRequest): Html | null {
  return brand?.is_test ? html`<p class="test-bar">This is a test: nothing here is real.</p>` : null
}

/** Staff who look as a person of a customer read so on every page. */
function viewBar(request: PageRequest): Html | null {
  const { loggedIn, words } = request
  if (!loggedIn?.view) return null
  return html`
    <div class="view-bar no-print">
      <p>You see what <strong>${loggedIn.name}</strong> sees, until ${words.moment(loggedIn.view.until)}. You cannot change anything.</p>
      <form method="post" action="/desk/leave">${tokenField(request)}<button class="button soft">Leave</button></form>
    </div>
  `
}

export function brandName({ brand }: PageRequest): string {
  return brand?.name ?? ownName
}

export function tokenField({ formToken }: PageRequest): Html {
  return html`<input type="hidden" name="form_token" value="${formToken}">`
}

function shell(request: PageRequest, title: string, body: Html, printed?: string): Html {
  const { brand, theme } = request
  return html`
    ${raw('<!doctype html>')}
    <html lang="en"${theme ? html` data-theme="${theme}"` : null}>
      <head>
        <meta charset="utf-8">
        <title>${title} · ${brandName(request)}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <link rel="stylesheet" href="${assetPaths.style}">
        ${brand?.accent ? html`<link rel="stylesheet" href="${accentPath(brand.accent)}">` : null}
        ${printed && request.query.get('print') === 'all' ? printHead(request, printed) : null}
        <link rel="icon" href="${faviconPath(request)}">
        <script src="${assetPaths.script}" defer></script>
      </head>
      <body>
        ${body}
      </body>
    </html>
  `
}

/** The head and page number of every printed sheet, which only a stylesheet can set. */
function printHead(request: PageRequest, printed: string): Html {
  const query = new URLSearchParams({ left: brandName(request), right: printed })
  return html`<link rel="stylesheet" media="print" href="/print.css?${query.toString()}">`
}

function brandLink(request: PageRequest): Html {
  const name = brandSign(request)
  // A guest has no home page to return to.
  return request.guest && !request.loggedIn ? html`<span class="brand">${name}</span>` : html`<a class="brand" href="/">${name}</a>`
}

/** A logo usually contains the name, so it is shown alone; without a logo the name is written. */
function brandSign(request: PageRequest): Html {
  const name = brandName(request)
  if (request.brand === null) return html`${mark}<span>${name}</span>`
  const { logo_id, dark_logo_id } = request.brand
  if (logo_id === null) return html`<span>${name}</span>`
  if (dark_logo_id === null) return html`<img class="plate" src="${picturePath(logo_id)}" alt="${name}" height="32">`
  return html`
    <img class="on-light" src="${picturePath(logo_id)}" alt="${name}" height="32">
    <img class="on-dark" src="${picturePath(dark_logo_id)}" alt="${name}" height="32" loading="lazy">
  `
}

const mark = raw(
  '<svg viewBox="0 0 26 26" aria-hidden="true"><path fill-rule="evenodd" d="M2 4h22v18H2zM6 8v10h3v-5l4 4 4-4v5h3V8l-7 6z"/></svg>',
)

function picturePath(id: string): string {
  return `/brand/${id}`
}

function faviconPath({ brand }: PageRequest): string {
  const own = brand?.favicon_id ?? brand?.logo_id
  return own ? picturePath(own) : brand ? assetPaths.dot : assetPaths.mark
}

/** A link to the brand's support address, if it has one. */
function support({ brand }: PageRequest): Html | null {
  if (!brand?.support) return null
  const { support } = brand
  const isPage = support.startsWith('https://')
  return html`<span class="help">Questions? <a href="${isPage ? support : `mailto:${support}`}">${isPage ? new URL(support).hostname : support}</a></span>`
}

/** Between the desk and the dashboards, for staff. */
function deskSwitch({ loggedIn, path }: PageRequest): Html | null {
  if (!loggedIn?.person.post) return null
  const isAtDesk = path.startsWith('/desk')
  const here = html` aria-current="true"`
  return html`
    <nav class="segments places" aria-label="Desk or dashboards">
      <a href="/desk"${isAtDesk ? here : null}>Desk</a>
      <a href="/?view=list"${isAtDesk ? null : here}>Dashboards</a>
    </nav>
  `
}

/** Of customers at the desk, whose list has a search of its own; of sites elsewhere, where there is a choice. */
function finder(request: PageRequest, tab: string | undefined): Html | null {
  const isAtDesk = request.path.startsWith('/desk') && request.loggedIn?.person.post != null
  if (isAtDesk) return request.path === '/desk' ? null : customerFinder
  return request.hasManySites ? siteFinder(request, tab) : null
}

const customerFinder = html`
  <form class="find" action="/desk" role="search">
    <label class="sr" for="find">Find a customer, site or person</label>
    <input id="find" type="search" name="q" placeholder="Find a customer, site or person" autocomplete="off" aria-keyshortcuts="/">
  </form>
`

/** The script sends the period and the tab of the page, so that they stay the same on the next site. */
function siteFinder(request: PageRequest, tab = 'search'): Html {
  const query = new URLSearchParams(periodQuery(request))
  query.set('tab', tab)
  return html`
    <form class="find" action="/" role="search" data-query="${query.toString()}">
      <input type="hidden" name="go" value="${tab}">
      ${[...new URLSearchParams(periodQuery(request))].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
      <label class="sr" for="find">Find a site</label>
      <input id="find" type="search" name="q" placeholder="Find a site" autocomplete="off" aria-keyshortcuts="/"
        value="${request.path === '/' ? request.query.get('q') : null}">
    </form>
  `
}

/** The list itself, not what the home page leads to. */
function allSites(request: PageRequest): string {
  const query = new URLSearchParams(periodQuery(request))
  query.set('view', 'list')
  return `/?${query}`
}

function personMenu(request: PageRequest): Html {
  return html`
    <details class="menu push">
      <summary><span>${request.loggedIn?.name}</span></summary>
      <div class="drop">
        ${request.hasManySites ? html`<a href="${allSites(request)}">All sites</a>` : null}
        ${request.loggedIn?.person.post ? null : html`<a href="/people">People</a>`}
        <a href="/me">About you</a>
        <form method="post" action="/theme" data-theme-form="${cookieLine(themeCookie(''), request.hasPlainCookies)}">
          ${tokenField(request)}
          <input type="hidden" name="next" value="${request.path}${request.query.size === 0 ? null : `?${request.query}`}">
          <button name="theme" value="${request.theme === 'dark' ? 'light' : 'dark'}">Switch theme</button>
        </form>
        <form method="post" action="/logout">${tokenField(request)}<button>Log out</button></form>
      </div>
    </details>
  `
}
