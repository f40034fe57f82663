/** Sharing a site: the page that a share link opens, and the page on which the owner of the account creates and revokes links. */

import { Failure } from '../../lib/failures.ts'
import { type Html, html } from '../../lib/html.ts'
import { idIn } from '../../lib/text-kinds.ts'
import { homeOf } from '../../model/partners/brands.ts'
import { framingHosts } from '../../model/partners/hosts/framing-hosts.ts'
import { takeOverShareLink } from '../../model/people/lost-links.ts'
import { endOfLost, isLinkLive } from '../../model/people/share-link-ends.ts'
import { type LinkMaker, type MadeLink, withMakers } from '../../model/people/share-link-makers.ts'
import {
  createShareLink,
  findGuest,
  listShareLinks,
  lookAtShareLink,
  openShareLink,
  revokeShareLink,
  whyShareLinkEnded,
} from '../../model/people/share-links.ts'
import { openSite, type ShownSite } from '../../model/people/visible-sites.ts'
import { door, framed, tokenField } from '../components/layout.ts'
import { breakable } from '../components/tables.ts'
import { embeddedCookie, endedToldCookie, shareCookie, toldCookie } from '../cookies.ts'
import { sentenceOf } from '../error-page.ts'
import { inBrandOf, type PageAnswer, type PageRequest, type PersonPageRequest, redirect } from '../page-request.ts'

const dayChoices = [7, 30, 90, 365]

export async function showShare(request: PageRequest): Promise<PageAnswer> {
  const link = await lookAtShareLink(request.visitor, tokenOf(request))
  if (link === null) return deadLink(request)
  return link.needsPassword ? { body: passwordForm(await inBrandOf(request, link), null) } : open(request, '')
}

export async function submitShare(request: PageRequest): Promise<PageAnswer> {
  try {
    return await open(request, request.form.get('password') ?? '')
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.code === 'not_found') return deadLink(request)
    const link = await lookAtShareLink(request.visitor, tokenOf(request))
    const dressed = link === null ? request : await inBrandOf(request, link)
    return { status: error.code === 'unauthorized' ? 401 : 429, body: passwordForm(dressed, sentenceOf(error)) }
  }
}

/** The cookie takes the guest to the site's own pages, so that the secret of the link leaves the address bar. */
async function open(request: PageRequest, password: string): Promise<PageAnswer> {
  const cookie = await openShareLink(request.visitor, tokenOf(request), password)
  const guest = await findGuest(request.visitor, cookie)
  const isEmbedded = request.isInFrame && password === '' && guest !== null && (await framingHosts(request.app, guest.partnerId)).length > 0
  return redirect(`/sites/${guest?.siteId}/search`, [isEmbedded ? embeddedCookie(cookie) : shareCookie(cookie)])
}

export async function showShares(request: PersonPageRequest): Promise<PageAnswer> {
  const answer = await sharesPage(request, freshLink(request))
  return request.told === null ? answer : { ...answer, cookies: [endedToldCookie()] }
}

/** The next page tells the address of the link, once: a reload of it makes no second link. */
export async function createShare(request: PersonPageRequest): Promise<PageAnswer> {
  const { form, loggedIn } = request
  const siteId = siteIdOf(request)
  const password = form.get('password') ?? ''
  const wanted = { label: form.get('label') ?? '', days: Number(form.get('days')), password: password === '' ? null : password }
  try {
    const { token } = await createShareLink(loggedIn.person, siteId, wanted)
    return redirect(`/sites/${siteId}/share`, [toldCookie(`share-${siteId}|${token}`)])
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'validation_failed') throw error
    return { ...(await sharesPage(request, html`<p class="notice wrong" role="alert">${sentenceOf(error)}</p>`)), status: 422 }
  }
}

/** Revokes a link, or makes it one of whoever asks. */
export async function changeShare(request: PersonPageRequest): Promise<PageAnswer> {
  const siteId = siteIdOf(request)
  const act = request.form.get('do') === 'keep' ? takeOverShareLink : revokeShareLink
  await act(request.loggedIn.person, siteId, idIn(request.params['link_id']))
  return redirect(`/sites/${siteId}/share`)
}

async function sharesPage(request: PersonPageRequest, notice: Html | null): Promise<PageAnswer> {
  const { person } = request.loggedIn
  const links = await withMakers(person, siteIdOf(request), await listShareLinks(person, siteIdOf(request)))
  const site = await openSite(request.loggedIn.person, siteIdOf(request))
  const main = html`<p class="crumb"><a href="/sites/${site.id}/search">${site.domain}</a></p>
    <h1>Share ${breakable(site.domain)}</h1>
    <p class="lead">Whoever has a link sees the pages of this site and nothing else, without logging in, until the link expires or you revoke it.</p>
    ${notice}
    <div class="grid">
      ${newLinkCard(request, site)}
      <section class="card w12">
        <h2>Links</h2>
        ${links.length === 0 ? html`<p class="quiet">No links have been made for this site.</p>` : linksTable(request, site, links)}
      </section>
    </div>`
  return { body: framed(request, { title: `Share ${site.domain}`, main }) }
}

/** What was typed stays beside a fault, but for the password. */
function newLinkCard(request: PersonPageRequest, site: ShownSite): Html {
  const chosen = Number(request.form.get('days') ?? 30)
  return html`<section class="card w12">
    <h2>New link</h2>
    <form method="post" action="/sites/${site.id}/share" class="row-form">
      ${tokenField(request)}
      <div class="field"><label for="label">For whom or what</label><input id="label" name="label" maxlength="100" value="${request.form.get('label')}"></div>
      <div class="field"><label for="days">Works for</label>
        <select id="days" name="days">
          ${dayChoices.map((days) => html`<option value="${days}"${days === chosen ? html` selected` : null}>${days} days</option>`)}
        </select>
      </div>
      <div class="field"><label for="password">Password, if you want one</label><input id="password" name="password" type="password" autocomplete="new-password" minlength="6"></div>
      <button class="button">Make a link</button>
    </form>
    </section>`
}

function linksTable(request: PersonPageRequest, site: ShownSite, links: readonly MadeLink[]): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Links"><table class="stacks">
    <caption class="sr">Links to this site</caption>
    <thead><tr><th scope="col">For</th><th scope="col">Password</th><th scope="col">Made</th><th scope="col">By</th><th scope="col">Expires</th><th scope="col">Last used</th><th scope="col">State</th></tr></thead>
    <tbody>
      ${links.map((link) => linkRow(request, site, link))}
    </tbody>
    </table></div>`
}

function linkRow(request: PersonPageRequest, site: ShownSite, link: MadeLink): Html {
  const { words } = request
  const day = (moment: string | null) => (moment === null ? 'never' : words.day(moment.slice(0, 10)))
  return html`<tr>
    <th scope="row">${breakable(link.label === '' ? 'anyone' : link.label)}</th>
    <td data-l="Password">${link.has_password ? 'yes' : 'no'}</td>
    <td data-l="Made">${day(link.created_at)}</td>
    <td data-l="By" class="wrap">${makerHtml(link.maker)}</td>
    <td data-l="Expires">${day(link.expires_at)}</td>
    <td data-l="Last used">${day(link.last_used_at)}</td>
    <td class="wrap">${stateOf(request, site, link)}</td>
    </tr>`
}

function stateOf(request: PersonPageRequest, site: ShownSite, link: MadeLink): Html {
  if (link.revoked_at !== null) return html`revoked`
  if (link.expires_at <= request.app.clock.now()) return html`expired`
  if (!isLinkLive(link, request.app.clock.now())) return html`ended, because its maker may no longer share this site`
  const ends = link.maker_lost_at === null ? null : html`<p>Ends on ${request.words.day(endOfLost(link.maker_lost_at).slice(0, 10))}.</p>`
  const keep = link.maker?.mayShare === false ? html`<button class="button soft" name="do" value="keep">Keep it</button> ` : null
  return html`${ends}<form method="post" action="/sites/${site.id}/share/${link.id}">${tokenField(request)}${keep}<button class="button soft">Revoke</button></form>`
}

/** Links of programs and of the operator have no maker. */
function makerHtml(maker: LinkMaker | null): Html | string {
  if (maker === null) return '–'
  return maker.mayShare
    ? breakable(maker.name)
    : html`${breakable(maker.name)}, <span class="quiet">who may no longer share this site</span>`
}

function freshLink(request: PersonPageRequest): Html | null {
  const [which, token] = request.told?.split('|') ?? []
  if (which !== `share-${siteIdOf(request)}` || token === undefined) return null
  const url = `${homeOf(request.app, request.brand?.host_name)}/share/${token}`
  return html`<p class="notice" role="status">The link is ready. It is shown only now: <code>${url}</code></p>`
}

function passwordForm(request: PageRequest, wrong: string | null): Html {
  return door(
    request,
    'This page needs a password',
    html`${wrong === null ? null : html`<p class="notice wrong" role="alert">${wrong}</p>`}
      <form method="post" action="/share/${tokenOf(request)}">
        ${tokenField(request)}
        <div class="field"><label for="password">Password</label><input id="password" name="password" type="password" autocomplete="off" required></div>
        <button class="button">Open</button>
      </form>`,
  )
}

async function deadLink(request: PageRequest): Promise<PageAnswer> {
  const ended = await whyShareLinkEnded(request.visitor, tokenOf(request))
  const dressed = ended === null ? request : await inBrandOf(request, ended)
  const main = html`<p>${ended === null ? 'It is not complete, or the site is no longer here.' : endOf(request, ended)} Please ask the person who gave it to you for a new one.</p>`
  return { status: 410, body: door(dressed, 'This link no longer works', main) }
}

type Ended = NonNullable<Awaited<ReturnType<typeof whyShareLinkEnded>>>

function endOf({ app, words }: PageRequest, { expiresAt, revokedAt, lostAt, revokedBy }: Ended): string {
  if (revokedAt !== null) return `It was revoked on ${words.day(revokedAt.slice(0, 10))}${revokedBy ? ` by ${revokedBy}` : ''}.`
  const now = app.clock.now()
  if (expiresAt <= now) return `It expired on ${words.day(expiresAt.slice(0, 10))}.`
  const lostEnd = lostAt === null ? null : endOfLost(lostAt)
  if (lostEnd !== null && lostEnd <= now)
    return `It ended on ${words.day(lostEnd.slice(0, 10))}, because whoever made it may no longer share these pages.`
  return 'Nobody can open it at the moment.'
}

function tokenOf(request: PageRequest): string {
  return request.params['token'] ?? ''
}

function siteIdOf(request: PageRequest): number {
  return idIn(request.params['site_id'])
}
