/** The form by which files come in: a customer and what is to be done with them, and then the files, so that all else is here when they come. */

import { invalid } from '../../../../lib/failures.ts'
import { type Html, html } from '../../../../lib/html.ts'
import type { StaffCaller } from '../../../../model/core/caller.ts'
import { customerCalled, customerNames } from '../../../../model/dashboard/desk/customer-names.ts'
import { findTarget } from '../../../../model/imports/import.ts'
import type { UploadOptions } from '../../../../model/intakes/uploads.ts'
import { tokenField } from '../../../components/layout.ts'
import type { PersonPageRequest } from '../../../page-request.ts'

/** More names would make a page that is too large; they are written then. */
const mostOffered = 500

export async function dropForm(request: PersonPageRequest, staff: StaffCaller): Promise<Html> {
  const { form, wrong } = request
  const names = await customerNames(staff)
  const isChecked = (name: string, isAtFirst: boolean) => (form.has('customer') ? form.has(name) : isAtFirst)
  const box = (name: string, isAtFirst: boolean, label: string) =>
    html`<label class="check"><input type="checkbox" name="${name}" value="yes"${isChecked(name, isAtFirst) ? html` checked` : null}> ${label}</label>`
  return html`
    <h2>Store a file</h2>
    ${wrong === null ? null : html`<p class="notice wrong" role="alert">${wrong} Please choose the file once more.</p>`}
    <form method="post" action="/desk/data" enctype="multipart/form-data" class="row-form">
      ${tokenField(request)}
      <div class="field">
        <label for="customer">Customer</label>
        <input id="customer" name="customer" list="customers" autocomplete="off" value="${form.get('customer') ?? request.query.get('for') ?? ''}"${staff.customers === 'all' ? null : html` required`}>
        ${staff.customers === 'all' ? html`<span class="hint">Leave it empty for a file with the sites of several.</span>` : null}
      </div>
      <datalist id="customers">${[...names.keys()].slice(0, mostOffered).map((name) => html`<option value="${name}"></option>`)}</datalist>
      <div class="field">
        <label for="file">File</label>
        <input id="file" type="file" name="file" required>
      </div>
      ${box('make', true, 'Also make sites, keywords, competitors and pages that are new')}
      ${box('part', false, 'Store the good rows although others have faults')}
      ${box('last', false, 'Where two rows say different figures for the same, take the later one')}
      <button class="button">Store</button>
    </form>
    <p class="quiet small">A table of a rank tracker, search console or review service, as CSV or workbook, also packed as zip or gzip.</p>
  `
}

/** What is said of a dropped file. */
export async function dropOptions({ app, form }: PersonPageRequest, staff: StaffCaller): Promise<UploadOptions> {
  const written = (form.get('customer') ?? '').trim()
  if (written === '' && staff.customers === 'assigned') return invalid([{ field: 'customer', code: 'blank' }])
  const account = written === '' ? undefined : customerCalled(await customerNames(staff), written)
  if (written !== '' && account === undefined) return invalid([{ field: 'customer', code: 'does_not_exist' }])
  return {
    target: await findTarget(staff, account === undefined ? {} : { account }),
    words: {},
    createMissing: form.has('make'),
    isDryRun: false,
    lastWins: form.has('last'),
    skipsRefused: form.has('part'),
    counts: 'ask',
    report: { asOf: app.clock.now().slice(0, 10), keepHyphens: false, map: '' },
  }
}
