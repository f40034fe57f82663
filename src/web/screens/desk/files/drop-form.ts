/** The form by which files come in: a customer and what is to be done with them, and then the files, so that all else is here when they come. */

import { type Html, html } from '../../../../lib/html.ts'
import type { StaffCaller } from '../../../../model/core/caller.ts'
import { customerNames } from '../../../../model/dashboard/desk/customer-names.ts'
import type { DeliveryOptions } from '../../../../model/intakes/deliveries/delivered-files.ts'
import { tokenField } from '../../../components/layout.ts'
import type { PersonPageRequest } from '../../../page-request.ts'

/** More names would make a page that is too large; they are written then. */
const mostOffered = 500

export async function dropForm(request: PersonPageRequest, staff: StaffCaller): Promise<Html> {
  const { form, wrong } = request
  const names = await customerNames(staff)
  return html`
    <h2>Store files</h2>
    ${wrong === null ? null : html`<p class="notice wrong" role="alert">${wrong} Please choose the files once more.</p>`}
    <form method="post" action="/desk/data" enctype="multipart/form-data" class="fields">
      ${tokenField(request)}
      <div class="columns">
      <div class="field">
        <label for="customer">Customer</label>
        <input id="customer" name="customer" list="customers" autocomplete="off" value="${form.get('customer') ?? request.query.get('for') ?? ''}">
        <span class="hint">Or the domain of a site. Leave it empty for several customers, or if you do not know it.</span>
      </div>
      <datalist id="customers">${[...names.keys()].slice(0, mostOffered).map((name) => html`<option value="${name}"></option>`)}</datalist>
      <div class="field">
        <label for="file">Files</label>
        <input id="file" type="file" name="file" multiple required>
      </div>
      </div>
      ${howBoxes(form.has('customer') ? howIn(form) : { createMissing: true, lastWins: false, skipsRefused: false })}
      <p class="bar-row">
        <button class="button">Store</button>
        <button class="button soft" name="do" value="look">Look at it first</button>
      </p>
    </form>
    <p class="quiet small">
      Tables of a rank tracker, search console or review service, as CSV or workbook, also packed as gzip, or many in a zip. Of several files you
      are shown what each is and whose before anything is stored.
    </p>
  `
}

export const boxLabels = {
  make: 'Also make sites, keywords, competitors and pages that are new',
  part: 'Store the good rows although others have faults',
  last: 'Where two rows say different figures for the same, take the later one',
} as const

/** What is done with all files of a form. */
export function howBoxes({ createMissing, lastWins, skipsRefused }: DeliveryOptions): Html {
  const box = (name: keyof typeof boxLabels, isChecked: boolean) =>
    html`<label class="check"><input type="checkbox" name="${name}" value="yes"${isChecked ? html` checked` : null}> ${boxLabels[name]}</label>`
  return html`
    ${box('make', createMissing)}
    ${box('part', skipsRefused)}
    ${box('last', lastWins)}
  `
}

export function howIn(form: URLSearchParams): DeliveryOptions {
  return { createMissing: form.has('make'), lastWins: form.has('last'), skipsRefused: form.has('part') }
}
