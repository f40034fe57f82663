/** What came in for the customers: files and what programs sent, the newest first. */

import { Failure } from '../../../../lib/failures.ts'
import { type Html, html } from '../../../../lib/html.ts'
import { idIn } from '../../../../lib/text-kinds.ts'
import { listColleagues } from '../../../../model/dashboard/desk/customers.ts'
import { type DataFile, filesAtOnce, listDataFiles } from '../../../../model/dashboard/desk/data-files.ts'
import { createUpload } from '../../../../model/intakes/uploads.ts'
import { staffCallerOf } from '../../../../model/people/staff/staff-rules.ts'
import { choice, showAllOnPhone } from '../../../components/components.ts'
import { framed } from '../../../components/layout.ts'
import { breakable } from '../../../components/tables.ts'
import { sentenceOf } from '../../../error-page.ts'
import { hrefWith, type PageAnswer, type PersonPageRequest, redirect } from '../../../page-request.ts'
import { actorName } from '../customer/sees.ts'
import { contentText, fileTitle, stateNames } from './data-words.ts'
import { dropForm, dropOptions } from './drop-form.ts'

const choices = { files: 'Files', programs: 'Sent by programs', faults: 'With faults' } as const
type Which = keyof typeof choices

export async function showDataFiles(request: PersonPageRequest): Promise<PageAnswer> {
  const staff = staffCallerOf(request.loggedIn.person)
  const { query } = request
  const [which, customer, before] = [whichIn(query), idIn(query.get('customer') ?? '') || null, idIn(query.get('before') ?? '') || null]
  const found = await listDataFiles(staff, { which, customer, before })
  const people = new Map((await listColleagues(staff)).map(({ id, name }) => [id, name]))
  const files = found.slice(0, filesAtOnce)
  const older = found.length > filesAtOnce ? (files.at(-1)?.id ?? null) : null
  const main = html`
    <h1>Data</h1>
    <p class="lead">${leadOf(which, files, before)}</p>
    <section class="card no-print">${await dropForm(request, staff)}</section>
    <nav class="segments no-print" aria-label="Which of them">
      ${Object.entries(choices).map(([value, label]) => choice(hrefWith(request, { show: value, before: null }), label, value === which))}
    </nav>
    ${customer === null ? null : html`<p class="no-print"><a href="${hrefWith(request, { customer: null, before: null })}">Those of all customers</a></p>`}
    ${files.length === 0 ? null : tableOf(request, files, people)}
    ${showAllOnPhone(request, files.length, '#files')}
    ${older === null && before === null ? null : pagesOf(request, older, before)}
  `
  return { body: framed(request, { title: 'Data', main, printed: 'Data' }) }
}

/** The first file alone: the form offers no more. */
export async function submitDataFiles(request: PersonPageRequest): Promise<PageAnswer> {
  const staff = staffCallerOf(request.loggedIn.person)
  const [first] = request.files
  try {
    if (first === undefined) return { wrong: 'There was no file, or it was empty.', body: '' }
    const { id } = await createUpload(staff, first.file, first.name, await dropOptions(request, staff))
    first.keep()
    return redirect(`/desk/data/${id}`)
  } catch (error) {
    if (!(error instanceof Failure) || !['conflict', 'validation_failed', 'too_many_requests'].includes(error.code)) throw error
    return { wrong: sentenceOf(error), body: '' }
  }
}

function whichIn(query: URLSearchParams): Which {
  const asked = query.get('show')
  return asked === 'programs' || asked === 'faults' ? asked : 'files'
}

function leadOf(which: Which, files: readonly DataFile[], before: number | null): string {
  if (files.length > 0) return 'What came in for your customers, the newest first.'
  if (before !== null) return 'There are no older ones.'
  return { files: 'No file has come in yet.', programs: 'No program has sent anything yet.', faults: 'Nothing that came in has faults.' }[
    which
  ]
}

function tableOf(request: PersonPageRequest, files: readonly DataFile[], people: ReadonlyMap<number, string>): Html {
  return html`
    <section class="card list long" aria-label="What came in">
      <table id="files" class="stacks${request.query.get('rows') === 'all' ? null : ' top-ten'}">
        <caption class="sr">What came in, the newest first</caption>
        <thead>
          <tr>
            <th scope="col">File</th><th scope="col">Customer</th><th scope="col">What it is</th>
            <th scope="col" class="n">Rows stored</th><th scope="col" class="n">Faults</th><th scope="col">When and by whom</th>
          </tr>
        </thead>
        <tbody>${files.map((file) => rowOf(request, file, people))}</tbody>
      </table>
    </section>
  `
}

function rowOf({ words }: PersonPageRequest, file: DataFile, people: ReadonlyMap<number, string>): Html {
  const { id, customer, state, stored, refused, actor, created_at } = file
  return html`
    <tr>
      <th scope="row"><a class="rowlink" href="/desk/data/${id}">${breakable(fileTitle(file))}</a><small>${stateNames[state]}</small></th>
      <td class="wrap" data-l="Customer">${customer === null ? 'all customers' : html`<a href="/desk/customers/${customer.id}">${breakable(customer.name)}</a>`}</td>
      <td class="wrap" data-l="What it is">${contentText(file)}</td>
      <td class="n" data-l="Rows stored">${words.whole(stored)}</td>
      <td class="n" data-l="Faults">${refused === 0 ? html`<span class="quiet">none</span>` : words.whole(refused)}</td>
      <td class="wrap" data-l="When and by whom">${words.moment(created_at)}<small>${actorName(people, actor)}</small></td>
    </tr>
  `
}

function pagesOf(request: PersonPageRequest, older: number | null, before: number | null): Html {
  return html`
    <nav class="pages" aria-label="Pages of files">
      ${before === null ? null : html`<a href="${hrefWith(request, { before: null })}">The newest</a>`}
      ${older === null ? null : html`<a href="${hrefWith(request, { before: String(older) })}" rel="next">Older</a>`}
    </nav>
  `
}
