/** What came in for the customers: files and what programs sent, the newest first. */

import { Failure, invalid } from '../../../../lib/failures.ts'
import { type Html, html } from '../../../../lib/html.ts'
import { idIn } from '../../../../lib/text-kinds.ts'
import { listColleagues } from '../../../../model/dashboard/desk/customers.ts'
import { type DataFile, filesAtOnce, listDataFiles } from '../../../../model/dashboard/desk/data-files.ts'
import { fileOwners } from '../../../../model/dashboard/desk/file-owners.ts'
import { readSiteSources } from '../../../../model/dashboard/desk/site-sources.ts'
import { type Delivery, isOpen, listDeliveries } from '../../../../model/intakes/deliveries/delivered-files.ts'
import { keepDelivery } from '../../../../model/intakes/deliveries/keep-delivery.ts'
import { sortFiles } from '../../../../model/intakes/deliveries/sorting.ts'
import { storeDropped } from '../../../../model/intakes/deliveries/store-delivery.ts'
import { staffCallerOf } from '../../../../model/people/staff/staff-rules.ts'
import { choice, showAllOnPhone } from '../../../components/components.ts'
import { framed } from '../../../components/layout.ts'
import { breakable } from '../../../components/tables.ts'
import { sentenceOf } from '../../../error-page.ts'
import { hrefWith, type PageAnswer, type PersonPageRequest, redirect } from '../../../page-request.ts'
import { actorName } from '../customer/sees.ts'
import { contentText, fileTitle, stateNames } from './data-words.ts'
import { dropForm, howIn } from './drop-form.ts'
import { sourcesHtml } from './sources.ts'

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
    <p class="lead">${leadOf(which, files, before)} <a href="/desk/sources">What comes by itself</a></p>
    <div class="grid no-print">
      <section class="card">${await dropForm(request, staff)}</section>
      ${keptHtml(request, await listDeliveries(staff))}
    </div>
    <nav class="segments no-print" aria-label="Which of them">
      ${Object.entries(choices).map(([value, label]) => choice(hrefWith(request, { show: value, before: null }), label, value === which))}
    </nav>
    ${customer === null ? null : html`<p class="no-print"><a href="${hrefWith(request, { customer: null, before: null })}">Those of all customers</a></p>`}
    ${files.length === 0 ? null : tableOf(request, files, people)}
    ${showAllOnPhone(request, files.length, '#files')}
    ${customer === null ? null : sourcesHtml(request, await readSiteSources(staff, customer))}
    ${older === null && before === null ? null : pagesOf(request, older, before)}
  `
  return { body: framed(request, { title: 'Data', main, printed: 'Data' }) }
}

/** One file of which nothing is to be said is stored at once; of others it is shown first what they are. */
export async function submitDataFiles(request: PersonPageRequest): Promise<PageAnswer> {
  const staff = staffCallerOf(request.loggedIn.person)
  const { files, form } = request
  try {
    if (files.length === 0) return { wrong: 'There was no file, or it was empty.', body: '' }
    const written = (form.get('customer') ?? '').trim()
    const owners = await fileOwners(staff, [written], [])
    const said = written === '' ? null : owners.calledSo(written)
    if (said === undefined) return invalid([{ field: 'customer', code: 'does_not_exist' }])
    const sorted = await sortFiles(staff, files)
    const [only] = sorted
    const owner = owners.ownerOf({ text: written, looked: only?.looked ?? { namesSites: false } })
    if (sorted.length === 1 && only?.looked.fault === null && form.get('do') !== 'look' && owner.whose !== null) {
      const id = await storeDropped(staff, only, howIn(form), owner.whose)
      files[0]?.keep()
      return redirect(`/desk/data/${id}`)
    }
    const id = await keepDelivery(staff, sorted, howIn(form), said)
    for (const { at, file } of sorted) if (at !== null && file !== null) files[at]?.keep()
    return redirect(`/desk/data/arrived/${id}`)
  } catch (error) {
    if (!(error instanceof Failure) || !['conflict', 'validation_failed', 'too_many_requests'].includes(error.code)) throw error
    return { wrong: sentenceOf(error), body: '' }
  }
}

/** What the reader has sent and not stored yet. */
function keptHtml({ words }: PersonPageRequest, deliveries: readonly Delivery[]): Html | null {
  if (deliveries.length === 0) return null
  return html`
    <section class="card" aria-label="Not stored yet">
      <h2>Not stored yet</h2>
      <ul class="recipients">
        ${deliveries.map(({ id, files, created_at, expires_at }) => {
          const open = files.filter((file) => isOpen(file) && !file.isLeftOut).length
          return html`<li><a href="/desk/data/arrived/${id}">${words.count(open, 'file')} that came on ${words.moment(created_at)}</a> <span class="quiet">kept until ${words.moment(expires_at)}</span></li>`
        })}
      </ul>
    </section>
  `
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
