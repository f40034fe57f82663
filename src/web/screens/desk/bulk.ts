/** Changes the customers that were chosen in the list alike, after what becomes of each was shown. */

import { Failure } from '../../../lib/failures.ts'
import { type Html, html } from '../../../lib/html.ts'
import { oneLine } from '../../../lib/one-line.ts'
import { idIn } from '../../../lib/text-kinds.ts'
import type { StaffCaller } from '../../../model/core/caller.ts'
import { listColleagues, type StaffName } from '../../../model/dashboard/desk/customers.ts'
import { type BulkPlan, type BulkWish, changeInBulk, type PlannedChange, planBulk } from '../../../model/people/customers/bulk-changes.ts'
import { mayAssign } from '../../../model/people/staff/assignments.ts'
import { staffCallerOf } from '../../../model/people/staff/staff-rules.ts'
import { type FormField, fieldHtml } from '../../components/fields.ts'
import { framed, tokenField } from '../../components/layout.ts'
import { breakable } from '../../components/tables.ts'
import { sentenceOf } from '../../error-page.ts'
import { type PageAnswer, type PersonPageRequest, redirect } from '../../page-request.ts'

type Kind = BulkWish['kind']

// biome-ignore format: a table reads by its columns
const kinds: Readonly<Record<Kind, { readonly label: string; readonly title: string; readonly same: string }>> = {
  assign:     { label: 'Assign to a colleague',    title: 'Assign customers',                same: 'is so already' },
  tag:        { label: 'Give a tag',               title: 'Give customers a tag',            same: 'has it already' },
  untag:      { label: 'Take a tag away',          title: 'Take a tag away from customers',  same: 'does not have it' },
  schedule:   { label: 'Mail reports',             title: 'Mail reports to customers',       same: 'has reports by mail already' },
  deactivate: { label: 'Deactivate',               title: 'Deactivate customers',            same: 'is deactivated already' },
}

/** Below the list of customers, within its form. */
export function bulkBar(staff: StaffCaller, chooseAll: string): Html {
  const offered = (Object.keys(kinds) as Kind[]).filter((kind) => kind !== 'assign' || mayAssign(staff))
  return html`
    <div class="filters no-print">
      <label for="do">
        With the chosen customers
        <select id="do" name="do">${offered.map((kind) => html`<option value="${kind}">${kinds[kind].label}</option>`)}</select>
      </label>
      <button class="button soft">Go on</button>
      <a href="${chooseAll}">Choose all that are shown</a>
    </div>
  `
}

export async function showBulk(request: PersonPageRequest): Promise<PageAnswer> {
  const staff = staffCallerOf(request.loggedIn.person)
  const { kind, ids, wish } = givenIn(request)
  const colleagues = await listColleagues(staff)
  const main = html`
    <p class="crumb"><a href="/desk">Customers</a></p>
    <h1>${kinds[kind].title}</h1>
    ${ids.length === 0 ? html`<p class="lead">Please choose customers in the <a href="/desk">list</a> first.</p>` : null}
    ${request.wrong === null ? null : html`<p class="notice wrong" role="alert">${request.wrong}</p>`}
    ${ids.length === 0 ? null : wishForm(request, kind, ids, colleagues)}
    ${ids.length === 0 || wish === null ? null : await planHtml(request, staff, { kind, ids, wish }, colleagues)}
  `
  return { body: framed(request, { title: kinds[kind].title, main }) }
}

export async function submitBulk(request: PersonPageRequest): Promise<PageAnswer> {
  const { ids, wish } = givenIn(request)
  if (wish === null) return { wrong: 'Please say first what is to change.', body: '' }
  try {
    const changed = await changeInBulk(staffCallerOf(request.loggedIn.person), ids, wish, request.form.get('was') ?? '')
    return redirect(`/desk?changed=${changed}`)
  } catch (error) {
    if (!(error instanceof Failure) || !['conflict', 'validation_failed'].includes(error.code)) throw error
    return { wrong: sentenceOf(error), body: '' }
  }
}

interface Given {
  readonly kind: Kind
  readonly ids: readonly number[]
  /** Null while it is not said. */
  readonly wish: BulkWish | null
}

function givenIn({ form, query }: PersonPageRequest): Given {
  const given = form.has('do') ? form : query
  const kind = (Object.keys(kinds) as Kind[]).find((one) => one === given.get('do')) ?? 'tag'
  const ids = [...new Set(given.getAll('customer').map(idIn))].filter((id) => id > 0)
  return { kind, ids, wish: wishIn(kind, given) }
}

function wishIn(kind: Kind, given: URLSearchParams): BulkWish | null {
  const [tag, rhythm] = [(given.get('tag') ?? '').trim(), given.get('rhythm')]
  switch (kind) {
    case 'assign':
      return given.has('colleague') ? { kind, colleague: idIn(given.get('colleague') ?? '') || null } : null
    case 'tag':
    case 'untag':
      return tag === '' ? null : { kind, tag }
    case 'schedule':
      return rhythm === 'weekly' || rhythm === 'monthly' ? { kind, rhythm } : null
    case 'deactivate':
      return { kind }
  }
}

function wishForm(request: PersonPageRequest, kind: Kind, ids: readonly number[], colleagues: readonly StaffName[]): Html | null {
  const field = fieldOf(kind, colleagues)
  if (field === null) return null
  const given = (request.form.has('do') ? request.form : request.query).get(field.name) ?? ''
  return html`
    <form action="/desk/bulk" class="row-form">
      ${keptHtml(kind, ids)}
      ${fieldHtml(request, field, given)}
      <button class="button soft">Show what changes</button>
    </form>
  `
}

function fieldOf(kind: Kind, colleagues: readonly StaffName[]): FormField | null {
  const names = colleagues.map(({ id, name }) => [String(id), name] as const)
  switch (kind) {
    case 'assign':
      return { name: 'colleague', label: 'Looked after by', options: [['', 'nobody'], ...names] }
    case 'tag':
    case 'untag':
      return { name: 'tag', label: 'Tag', isRequired: true }
    case 'schedule':
      return {
        name: 'rhythm',
        label: 'How often',
        hint: 'To the people of each customer who may see all of it.',
        options: [
          ['monthly', 'on the first of a month'],
          ['weekly', 'every Monday'],
        ],
      }
    case 'deactivate':
      return null
  }
}

function keptHtml(kind: Kind, ids: readonly number[]): Html {
  return html`<input type="hidden" name="do" value="${kind}">${ids.map((id) => html`<input type="hidden" name="customer" value="${id}">`)}`
}

async function planHtml(
  request: PersonPageRequest,
  staff: StaffCaller,
  { kind, ids, wish }: Given & { readonly wish: BulkWish },
  colleagues: readonly StaffName[],
): Promise<Html> {
  const plan = await planned(staff, ids, wish)
  if (plan === null) return html`<p class="notice wrong" role="alert">A tag is one line without commas, of at most 100 characters.</p>`
  const many = plan.changes.filter(({ outcome }) => outcome === 'changes').length
  const colleague = 'colleague' in wish ? (colleagues.find(({ id }) => id === wish.colleague)?.name ?? 'nobody') : ''
  const field = Object.entries(wish).flatMap(([name, value]) =>
    name === 'kind' ? [] : [[name, value === null ? '' : String(value)] as const],
  )
  return html`
    <section class="card list long" aria-label="What changes">
      <table class="stacks">
        <caption class="sr">What becomes of each customer</caption>
        <thead><tr><th scope="col">Customer</th><th scope="col">What happens</th></tr></thead>
        <tbody>
          ${plan.changes.map(
            (change) =>
              html`<tr><th scope="row">${breakable(oneLine(change.name))}</th><td class="wrap" data-l="What happens">${changeText(request, kind, change, colleague)}</td></tr>`,
          )}
        </tbody>
      </table>
    </section>
    <form method="post" action="/desk/bulk" class="bar-row">
      ${tokenField(request)}
      ${keptHtml(kind, ids)}
      ${field.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
      <input type="hidden" name="was" value="${plan.state}">
      ${many === 0 ? html`<p>Nothing would change.</p>` : html`<button class="button">Change ${request.words.count(many, 'customer')}</button>`}
      <a class="button soft" href="/desk">Leave it</a>
    </form>
  `
}

/** Null for a tag that is none. */
async function planned(staff: StaffCaller, ids: readonly number[], wish: BulkWish): Promise<BulkPlan | null> {
  try {
    return await planBulk(staff, ids, wish)
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'validation_failed') throw error
    return null
  }
}

function changeText({ words }: PersonPageRequest, kind: Kind, { outcome, detail }: PlannedChange, colleague: string): string {
  if (outcome === 'same') return kinds[kind].same
  if (outcome === 'impossible') return 'cannot get mail: it is archived, or nobody of it may see all of it'
  switch (kind) {
    case 'assign':
      return `will be looked after by ${colleague}`
    case 'tag':
    case 'untag':
      return detail.length === 0 ? 'will have no tag' : `will have the tags ${detail.join(', ')}`
    case 'schedule':
      return `reports go to ${detail.join(', ')}`
    case 'deactivate':
      return `${words.count(detail.length, 'business', 'businesses')} will be deactivated: ${detail.slice(0, 5).map(oneLine).join(', ')}${detail.length > 5 ? ' …' : ''}`
  }
}
