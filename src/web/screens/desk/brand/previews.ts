/** What a brand makes of the login, of a page and of a mail: pages by themselves, shown in frames that nobody can enter. */

import { notFound } from '../../../../lib/failures.ts'
import { type Html, html } from '../../../../lib/html.ts'
import { listDrafts } from '../../../../model/partners/brand-drafts.ts'
import { type Brand, ownName } from '../../../../model/partners/brands.ts'
import { findOwnBrand } from '../../../../model/partners/own-brand.ts'
import { staffCallerOf } from '../../../../model/people/staff/staff-rules.ts'
import { door, framed } from '../../../components/layout.ts'
import { card } from '../../../components/site-frame.ts'
import { buttonLink, envelopeOf, letterHtml, letterPage, styles } from '../../../letters/letter.ts'
import { letterheadIn } from '../../../letters/letterhead.ts'
import { pdfPreview } from '../../../letters/pdf-preview.ts'
import type { PageAnswer, PageRequest, PersonPageRequest } from '../../../page-request.ts'
import { withinOwnPages } from '../../../policy.ts'
import { type LookedAt, lookIn } from './brand-fields.ts'

const frames = [
  { view: 'login', theme: 'light', title: 'The login, light' },
  { view: 'login', theme: 'dark', title: 'The login, dark' },
  { view: 'page', theme: 'light', title: 'A page, light' },
  { view: 'page', theme: 'dark', title: 'A page, dark' },
  { view: 'mail', theme: 'light', title: 'A mail' },
] as const

/** With logos that are not saved yet, or without. */
export function previewFrames({ typed, isUnsaved }: LookedAt, hasDrafts = false): Html {
  const look = { ...(isUnsaved && { look: '1', ...typed }), ...(hasDrafts && { drafts: '1' }) }
  return html`
    <div class="previews">
      ${frames.map(
        ({ view, theme, title }) => html`
          <figure>
            <figcaption>${title}</figcaption>
            <iframe src="/desk/brand/preview/${view}?${new URLSearchParams({ theme, ...look }).toString()}" title="${title}" loading="lazy" tabindex="-1" inert></iframe>
          </figure>
        `,
      )}
    </div>
    <p><a href="/desk/brand/preview/pdf?${new URLSearchParams(look).toString()}">Look at a PDF</a>, which is paper: it is light in any case.</p>
  `
}

export async function showBrandPreview(request: PersonPageRequest): Promise<PageAnswer> {
  const staff = staffCallerOf(request.loggedIn.person)
  const [own, drafts] = [await findOwnBrand(staff), request.query.has('drafts') ? await listDrafts(staff) : {}]
  const { typed, accent } = lookIn(request, own)
  const { partnerId } = request.loggedIn.person
  const name = typed['name'] || own.seen?.name || ownName
  const brand = {
    ...(own.seen ?? { ...bare, partner_id: partnerId }),
    ...(drafts.logo && { logo_id: drafts.logo }),
    ...(drafts.dark_logo && { dark_logo_id: drafts.dark_logo }),
    name,
    sender_name: typed['sender_name'] || name,
    support: typed['support'] || null,
    accent,
  }
  const theme = request.query.get('theme') === 'dark' ? 'dark' : 'light'
  const shown = { ...request, brand, theme, loggedIn: null } as const
  switch (request.params['view']) {
    case 'login':
      return { headers: withinOwnPages, body: door(shown, 'Log in', loginForm) }
    case 'page':
      return { headers: withinOwnPages, body: framed(shown, { title: 'harbor.example', main: pageMain }) }
    case 'mail':
      return { headers: mailHeaders, body: await mailOf(request, brand) }
    case 'pdf':
      return { type: 'application/pdf', headers: pdfHeaders, body: await pdfPreview(request.app, brand) }
    default:
      return notFound('page')
  }
}

const bare: Omit<Brand, 'partner_id' | 'name' | 'sender_name' | 'support' | 'accent'> = {
  account_id: null,
  host_name: null,
  logo_id: null,
  dark_logo_id: null,
  favicon_id: null,
  updated_at: '',
  is_test: false,
}

/** A mail has its styles at each element and its pictures in it. */
const mailHeaders = {
  ...withinOwnPages,
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
}

const pdfHeaders = { 'content-disposition': 'inline; filename="report.pdf"' }

const loginForm = html`
  <form>
    <div class="field"><label for="name">Login or email</label><input id="name" autocomplete="off"></div>
    <div class="field"><label for="password">Password</label><input id="password" type="password" autocomplete="off"></div>
    <label class="check"><input type="checkbox"> Remember me for two weeks</label>
    <button class="button" type="button">Log in</button>
  </form>
  <p class="after"><a href="#main">Forgot your password?</a></p>
`

const pageMain = html`
  <h1>harbor.example</h1>
  <div class="tab-row">
    <nav class="tabs" aria-label="Pages of this site"><a href="#main" aria-current="page">Search</a><a href="#main">Reputation</a></nav>
  </div>
  <p class="lead">Visibility rose by 4 points in 30 days.</p>
  <div class="grid">
    ${card(html`<h2>Keywords</h2><p>“dentist lakeview” is at place 3, with <a href="#main">12 others in the top 10</a>.</p><p class="bar-row"><button class="button" type="button">A button</button> <button class="button soft" type="button">Another</button></p>`, 'w12')}
  </div>
`

async function mailOf({ app }: PageRequest, brand: Brand): Promise<string> {
  const head = await letterheadIn(app, brand)
  const main = html`<h1 style="${styles.title}">Your report of last month</h1>
<p style="${styles.paragraph}">Visibility rose by 4 points, and 12 keywords are in the top 10.</p>
${buttonLink(head, '#', 'Open the report')}`
  const foot = html`Sent by ${head.senderName}.`
  return letterPage({ html: letterHtml(head, main, foot), attachments: envelopeOf(head).attachments })
}
