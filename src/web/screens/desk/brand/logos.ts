/** The logos of a partner: uploaded by its admins, looked at on every kind of page, and then saved; and taken away again. */

import { Failure, notFound } from '../../../../lib/failures.ts'
import { type Html, html } from '../../../../lib/html.ts'
import { ownEntry } from '../../../../lib/own-entry.ts'
import type { StaffCaller } from '../../../../model/core/caller.ts'
import { setBrand } from '../../../../model/partners/brand-changes.ts'
import {
  type DraftLogos,
  discardDrafts,
  keepDraft,
  type LogoKind,
  listDrafts,
  saveDrafts,
} from '../../../../model/partners/brand-drafts.ts'
import { findOwnBrand, type OwnBrand } from '../../../../model/partners/own-brand.ts'
import { isFreshLogin } from '../../../../model/people/fresh-login.ts'
import { staffCallerOf } from '../../../../model/people/staff/staff-rules.ts'
import { framed, tokenField } from '../../../components/layout.ts'
import { card } from '../../../components/site-frame.ts'
import { droppedBytes } from '../../../dropped-files.ts'
import { sentenceOf } from '../../../error-page.ts'
import { type PageAnswer, type PersonPageRequest, redirect } from '../../../page-request.ts'
import { pagePolicy } from '../../../policy.ts'
import { lookIn } from './brand-fields.ts'
import { previewFrames } from './previews.ts'

const path = '/desk/brand/logos'
const done: Readonly<Record<string, string>> = {
  look: 'This is how it would look. Nothing is saved yet.',
  saved: 'The logo is saved: pages and mails have it from now on.',
  discarded: 'What you looked at is gone.',
  removed: 'The logo is gone.',
}

const kinds = [
  { kind: 'logo', label: 'Logo', says: 'For light pages, mails and PDFs; for dark pages too where there is no other.' },
  { kind: 'dark_logo', label: 'Logo for dark pages', says: 'In place of the other one where the page is dark.' },
] as const

export async function showLogos(request: PersonPageRequest): Promise<PageAnswer> {
  const staff = staffCallerOf(request.loggedIn.person)
  const [brand, drafts] = [await findOwnBrand(staff), await listDrafts(staff)]
  const told = ownEntry(done, request.query.get('done'))
  const main = html`
    <p class="crumb"><a href="/desk/brand">Brand</a></p>
    <h1>Logos</h1>
    <p class="lead">A PNG, JPEG or WebP of at most 200 KB. It is shown 32 pixels high, in place of the name.</p>
    ${request.wrong === null ? null : html`<p class="notice wrong" role="alert">${request.wrong}</p>`}
    ${told && request.wrong === null ? html`<p class="notice" role="status">${told}</p>` : null}
    <div class="grid">
      ${kinds.map((one) => card(logoHtml(request, brand, drafts, one), 'w6'))}
      ${card(html`<h2>How it looks</h2>${draftHtml(request, brand, drafts)}${previewFrames(lookIn(request, brand), Object.keys(drafts).length > 0)}`, 'w12')}
    </div>
  `
  return { headers: { 'content-security-policy': pagePolicy({ showsFrames: true }) }, body: framed(request, { title: 'Logos', main }) }
}

type Act = (request: PersonPageRequest, staff: StaffCaller) => Promise<keyof typeof done>

/** What the forms of the page do, by the name of their button. */
const acts: Readonly<Record<string, Act>> = { look, save, discard, remove }

/** A file is not kept while the password is asked for: whoever has to give it chooses the file once more. */
export async function submitLogos(request: PersonPageRequest): Promise<PageAnswer> {
  if (!isFreshLogin(request.loggedIn)) return redirect(path)
  const act = ownEntry(acts, request.form.get('do')) ?? notFound('page')
  try {
    return redirect(`${path}?done=${await act(request, staffCallerOf(request.loggedIn.person))}`)
  } catch (error) {
    if (!(error instanceof Failure) || !['conflict', 'bad_request'].includes(error.code)) throw error
    return { wrong: sentenceOf(error), body: '' }
  }
}

async function look(request: PersonPageRequest, staff: StaffCaller): Promise<'look'> {
  await keepDraft(staff, kindIn(request), await droppedBytes(request.app.settings, request.files))
  return 'look'
}

async function save({ form }: PersonPageRequest, staff: StaffCaller): Promise<'saved'> {
  await saveDrafts(staff, form.get('was') ?? '')
  return 'saved'
}

async function discard(_: PersonPageRequest, staff: StaffCaller): Promise<'discarded'> {
  await discardDrafts(staff)
  return 'discarded'
}

async function remove(request: PersonPageRequest, staff: StaffCaller): Promise<'removed'> {
  const wishes = kindIn(request) === 'logo' ? { logo: null } : { darkLogo: null }
  await setBrand(staff, staff.partnerId, wishes, request.form.get('was') ?? '')
  return 'removed'
}

function kindIn({ form }: PersonPageRequest): LogoKind {
  return kinds.find(({ kind }) => kind === form.get('kind'))?.kind ?? notFound('page')
}

function logoHtml(request: PersonPageRequest, brand: OwnBrand, drafts: DraftLogos, { kind, label, says }: (typeof kinds)[number]): Html {
  const held = brand[`${kind}_id`]
  const hidden = html`${tokenField(request)}<input type="hidden" name="kind" value="${kind}"><input type="hidden" name="was" value="${brand.version}">`
  return html`
    <h2>${label}</h2>
    <p>${says}</p>
    ${held === null ? html`<p class="quiet">There is none.</p>` : html`<p><img class="${kind === 'logo' ? 'held-logo' : 'held-logo dark'}" src="/brand/${held}" alt="${label} as it is" height="32"></p>`}
    <form method="post" action="${path}" enctype="multipart/form-data" class="row-form">
      ${hidden}
      <input type="hidden" name="do" value="look">
      <div class="field"><label for="${kind}">Picture</label><input id="${kind}" type="file" name="file" accept="image/png,image/jpeg,image/webp" required></div>
      <button class="button soft">${drafts[kind] ? 'Look at another one' : 'Look at it'}<span class="sr"> as ${label.toLowerCase()}</span></button>
    </form>
    ${
      held === null
        ? null
        : html`<form method="post" action="${path}" enctype="multipart/form-data">${hidden}<button class="button soft" name="do" value="remove">Take it away<span class="sr">, ${label.toLowerCase()}</span></button></form>`
    }
  `
}

function draftHtml(request: PersonPageRequest, { version }: OwnBrand, drafts: DraftLogos): Html | null {
  if (Object.keys(drafts).length === 0) return null
  return html`
    <p>With what you have uploaded and not saved yet.</p>
    <form method="post" action="${path}" enctype="multipart/form-data" class="bar-row">
      ${tokenField(request)}
      <input type="hidden" name="was" value="${version}">
      <button class="button" name="do" value="save">Save</button>
      <button class="button soft" name="do" value="discard">Throw it away</button>
    </form>
  `
}
