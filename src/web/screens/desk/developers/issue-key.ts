/** The form by which an admin issues a key: what it is for, what it may do, for which customers and how long. */

import { draftOf } from '../../../../fields/read.ts'
import { invalid } from '../../../../lib/failures.ts'
import { type Html, html } from '../../../../lib/html.ts'
import { idIn } from '../../../../lib/text-kinds.ts'
import type { StaffCaller } from '../../../../model/core/caller.ts'
import { customerFinder, customerNames } from '../../../../model/dashboard/desk/customer-names.ts'
import { issueAnyKey } from '../../../../model/partners/keys/admin-keys.ts'
import { keyScopes, usualScopes } from '../../../../model/partners/keys/keys.ts'
import { newPartnerKey } from '../../../../resources/key.ts'
import { fieldHtml } from '../../../components/fields.ts'
import { tokenField } from '../../../components/layout.ts'
import type { PageAnswer, PersonPageRequest } from '../../../page-request.ts'
import { freshKeyPage } from './fresh-key.ts'
import { scopeWords } from './key-words.ts'

const mostCustomers = 200

const customersField = {
  name: 'customers',
  label: 'Only for these customers',
  hint: 'One name a line, at most 200; empty: for all, also later ones.',
  rows: 2,
  sentences: { does_not_exist: 'There is no customer of one of these names.', too_many: 'These are more than 200 customers.' },
} as const

const daysField = {
  name: 'days',
  label: 'It ends after days',
  hint: 'From 1 to 3650; empty: it works until it is revoked.',
  sentences: { not_an_integer: 'Please type a number of days, or nothing.' },
} as const

export function newKeyForm(request: PersonPageRequest, newest: number): Html {
  const { form, faults } = request
  const isSent = form.get('do') === 'issue'
  const ticked: readonly string[] = isSent ? form.getAll('scope') : usualScopes
  const wrong = faults.some(({ field }) => field === 'scopes')
  const box = (scope: (typeof keyScopes)[number]) =>
    html`<label class="check"><input type="checkbox" name="scope" value="${scope}"${ticked.includes(scope) ? html` checked` : null}> <span>${scopeWords[scope]} <span class="quiet">(${scope})</span></span></label>`
  return html`
    <h2>Issue a key</h2>
    <form method="post" action="/desk/developers" class="fields">
      ${tokenField(request)}
      <input type="hidden" name="newest" value="${isSent ? form.get('newest') : newest}">
      ${fieldHtml(request, { name: 'label', label: 'What it is for' })}
      <fieldset class="fields"${wrong ? html` aria-describedby="scopes-wrong"` : null}>
        <legend>It may</legend>
        <div class="choices">${keyScopes.map(box)}</div>
        ${wrong ? html`<p class="wrong" id="scopes-wrong" role="alert">Please tick what it may do.</p>` : null}
      </fieldset>
      ${fieldHtml(request, customersField)}
      ${fieldHtml(request, daysField)}
      <label class="check"><input type="checkbox" name="directly" value="yes"${form.get('directly') === 'yes' ? html` checked` : null}> <span>An agent may write with it without trying first</span></label>
      <p class="bar-row"><button class="button" name="do" value="issue">Issue the key</button></p>
    </form>
  `
}

export async function submitNewKey(request: PersonPageRequest, staff: StaffCaller): Promise<PageAnswer> {
  const { form } = request
  const draft = draftOf(newPartnerKey, {
    label: form.get('label') ?? '',
    scopes: form.getAll('scope').join(' '),
    account_ids: await accountsNamed(staff, form.get('customers') ?? ''),
    days: (form.get('days') ?? '').trim() || undefined,
  })
  const newest = idIn(form.get('newest') ?? '')
  return freshKeyPage(request, await issueAnyKey(staff, draft, { newest, writesDirectly: form.get('directly') === 'yes' }))
}

/** The ids of those who are named, a line each. */
async function accountsNamed(staff: StaffCaller, written: string): Promise<string | undefined> {
  const lines = written.split('\n').filter((line) => line.trim() !== '')
  if (lines.length === 0) return undefined
  if (lines.length > mostCustomers) invalid([{ field: 'customers', code: 'too_many' }])
  const customerCalled = customerFinder(await customerNames(staff))
  const ids = lines.map((line) => customerCalled(line) ?? invalid([{ field: 'customers', code: 'does_not_exist' }]))
  return [...new Set(ids)].join()
}
