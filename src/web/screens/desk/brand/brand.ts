/** The brand of a partner, for its admins: name, colour and support, with a look at what they make of the pages before they are saved. */

import { draftOf } from '../../../../fields/read.ts'
import { Failure } from '../../../../lib/failures.ts'
import { type Html, html } from '../../../../lib/html.ts'
import { ownEntry } from '../../../../lib/own-entry.ts'
import { setBrand } from '../../../../model/partners/brand-changes.ts'
import { brandWishes } from '../../../../model/partners/brand-wishes.ts'
import { ownName } from '../../../../model/partners/brands.ts'
import { findOwnBrand, type OwnBrand } from '../../../../model/partners/own-brand.ts'
import { staffCallerOf } from '../../../../model/people/staff/staff-rules.ts'
import { changedBrand } from '../../../../resources/brand.ts'
import { contrastSentences } from '../../../components/accent-color.ts'
import { fieldHtml } from '../../../components/fields.ts'
import { framed, tokenField } from '../../../components/layout.ts'
import { card } from '../../../components/site-frame.ts'
import { sentenceOf } from '../../../error-page.ts'
import { type PageAnswer, type PersonPageRequest, redirect } from '../../../page-request.ts'
import { pagePolicy } from '../../../policy.ts'
import { brandFields, type LookedAt, lookIn, typedFields } from './brand-fields.ts'
import { previewFrames } from './previews.ts'

const done: Readonly<Record<string, string>> = { saved: 'The brand is saved: pages and mails have it from now on.' }

export async function showBrandPage(request: PersonPageRequest): Promise<PageAnswer> {
  const brand = await findOwnBrand(staffCallerOf(request.loggedIn.person))
  const look = lookIn(request, brand)
  const told = ownEntry(done, request.query.get('done'))
  const main = html`
    <h1>Brand</h1>
    <p class="lead">How pages and mails look to your customers, and to you. A customer can have a brand of its own, which stands over this one.</p>
    <p><a href="/desk/brand/logos">Logos</a> · <a href="/desk/brand/address">Addresses of your pages and mails</a></p>
    ${request.wrong === null ? null : html`<p class="notice wrong" role="alert">${request.wrong}</p>`}
    ${told && request.wrong === null ? html`<p class="notice" role="status">${told}</p>` : null}
    <div id="unsaved">${look.isUnsaved ? html`<p class="notice" role="status">This is how it would look. Nothing is saved yet.</p>` : null}</div>
    <div class="grid">
      ${card(formHtml(request, brand, look), 'w12')}
      ${card(html`<h2>How it looks</h2><div id="looks">${previewFrames(look)}</div>`, 'w12')}
    </div>
  `
  const headers = { 'content-security-policy': pagePolicy({ showsFrames: true }) }
  return { headers, body: framed(request, { title: 'Brand', main }) }
}

export async function submitBrand(request: PersonPageRequest): Promise<PageAnswer> {
  const staff = staffCallerOf(request.loggedIn.person)
  const given = Object.fromEntries(typedFields.map((name) => [name, request.form.get(name) ?? undefined]))
  try {
    const wishes = brandWishes(draftOf(changedBrand, given))
    if (request.form.get('do') === 'look') return redirect(lookPath(request.form))
    await setBrand(staff, staff.partnerId, wishes, request.form.get('was') ?? '')
    return redirect(`${request.path}?done=saved`)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.code === 'validation_failed')
      return { wrong: 'Nothing is saved yet: please look at what is marked below.', faults: error.details.faults ?? [], body: '' }
    if (error.code !== 'conflict') throw error
    return { wrong: sentenceOf(error), body: '' }
  }
}

function lookPath(form: URLSearchParams): string {
  const typed = ['was', ...typedFields].map((name): [string, string] => [name, (form.get(name) ?? '').trim()])
  return `/desk/brand?${new URLSearchParams([['look', '1'], ...typed])}`
}

function formHtml(request: PersonPageRequest, { version }: OwnBrand, look: LookedAt): Html {
  const fields = brandFields(look.seen?.name ?? ownName)
  return html`
    <h2>Name and colour</h2>
    <form method="post" action="/desk/brand" class="fields" data-looks="unsaved contrast looks">
      ${tokenField(request)}
      <input type="hidden" name="was" value="${request.form.get('was') ?? (request.query.get('was') || version)}">
      <div class="columns">${fields.map((field) => fieldHtml(request, field, look.typed[field.name]))}</div>
      <div id="contrast">${contrastHtml(look)}</div>
      <p class="bar-row">
        <button class="button" name="do" value="save">Save</button>
        <button class="button soft" name="do" value="look">Look at it first</button>
      </p>
    </form>
  `
}

function contrastHtml({ accent }: LookedAt): Html {
  if (accent === null) return html`<p class="quiet small">Without a colour, pages and mails have that of the service.</p>`
  return html`<ul class="quiet small">${contrastSentences(accent).map((sentence) => html`<li>${sentence}</li>`)}</ul>`
}
