/** Files that came together: what each is and whose it is, to be corrected, and then stored all at once; afterwards, what became of each. */

import { Failure } from '../../../../lib/failures.ts'
import { type Html, html } from '../../../../lib/html.ts'
import { idIn } from '../../../../lib/text-kinds.ts'
import { type FileState, readFileStates } from '../../../../model/dashboard/desk/data-files.ts'
import { type Delivery, findDelivery, isOpen } from '../../../../model/intakes/deliveries/delivered-files.ts'
import { throwAway } from '../../../../model/intakes/deliveries/keep-delivery.ts'
import { sayOfDelivery, storeDelivery } from '../../../../model/intakes/deliveries/store-delivery.ts'
import { staffCallerOf } from '../../../../model/people/staff/staff-rules.ts'
import { framed, tokenField } from '../../../components/layout.ts'
import { breakable } from '../../../components/tables.ts'
import { sentenceOf } from '../../../error-page.ts'
import { type PageAnswer, type PersonPageRequest, redirect } from '../../../page-request.ts'
import { goingStates, stateNames } from './data-words.ts'
import { type ArrivedRow, foundText, optionsIn, rowsOfDelivery, whatOptions } from './delivery-rows.ts'
import { howBoxes } from './drop-form.ts'
import { faultText } from './fault-words.ts'

export async function showDelivery(request: PersonPageRequest): Promise<PageAnswer> {
  const staff = staffCallerOf(request.loggedIn.person)
  const delivery = await findDelivery(staff, idIn(request.params['delivery_id'] ?? ''))
  const states = await readFileStates(
    staff,
    delivery.files.flatMap(({ intake }) => intake ?? []),
  )
  const { rows, names } = await rowsOfDelivery(staff, delivery, request.form)
  const open = rows.filter(({ file }) => isOpen(file))
  const main = html`
    <p class="crumb"><a href="/desk/data">Data</a></p>
    <h1>${request.words.count(delivery.files.length, 'file')}</h1>
    <p class="lead">${leadOf(request, delivery, open.length)}</p>
    ${request.wrong === null ? null : html`<p class="notice wrong" role="alert">${request.wrong}</p>`}
    <div class="grid">
      ${open.length === 0 ? null : openForm(request, delivery, open, names)}
      ${unreadHtml(rows)}
      ${storedHtml(request, rows, states)}
    </div>
  `
  return { body: framed(request, { title: 'Files', main, printed: 'Files' }) }
}

export async function submitDelivery(request: PersonPageRequest): Promise<PageAnswer> {
  const { form, words } = request
  const staff = staffCallerOf(request.loggedIn.person)
  const id = idIn(request.params['delivery_id'] ?? '')
  const version = idIn(form.get('version') ?? '')
  try {
    if (form.get('do') === 'discard') {
      await throwAway(staff, id, version)
      return redirect('/desk/data')
    }
    const delivery = await findDelivery(staff, id)
    const { rows } = await rowsOfDelivery(staff, delivery, form)
    const said = rows.map((row) => row.said)
    const options = optionsIn(form, delivery.options)
    const chosen = rows.filter(({ file, said: { isLeftOut } }) => isOpen(file) && !isLeftOut)
    const unsaid = chosen.filter(({ faults }) => faults.owner !== undefined || faults.what !== undefined)
    if (form.get('do') === 'save') await sayOfDelivery(staff, id, version, said, options)
    else if (chosen.length === 0) return { wrong: 'Everything is left out: there is nothing to store.', body: '' }
    else if (unsaid.length > 0) return { wrong: unsaidText(words.count(unsaid.length, 'file'), unsaid.length), body: '' }
    else await storeDelivery(staff, id, version, said, options)
    return redirect(request.path)
  } catch (error) {
    if (!(error instanceof Failure) || !['conflict', 'too_many_requests'].includes(error.code)) throw error
    return { wrong: sentenceOf(error), body: '' }
  }
}

function unsaidText(files: string, many: number): string {
  return `Please say more of ${files}, or leave ${many === 1 ? 'it out: it stands' : 'them out: they stand'} on top.`
}

function leadOf({ words }: PersonPageRequest, { files, created_at, expires_at }: Delivery, open: number): string {
  const came = `They came on ${words.moment(created_at)}.`
  if (open === 0)
    return `${came} ${files.every(({ intake }) => intake === null) ? 'None of them can be stored.' : 'Nothing is left to be said of them.'}`
  return `${came} ${open === 1 ? 'One is' : `${words.whole(open)} are`} not stored yet: what you have not stored by ${words.moment(expires_at)} is deleted. You can close this page and come back to it from Data.`
}

function openForm(request: PersonPageRequest, delivery: Delivery, rows: readonly ArrivedRow[], names: readonly string[]): Html {
  const { path, query, form } = request
  const sorted = rows.toSorted((a, b) => faultsOf(b) - faultsOf(a) || a.place - b.place)
  return html`
    <form method="post" action="${path}" class="grid">
      ${tokenField(request)}
      <input type="hidden" name="version" value="${delivery.version}">
      <section class="card list long" aria-label="Files to store">
        <table class="stacks chosen">
          <caption class="sr">Files to store</caption>
          <thead>
            <tr>
              <th scope="col">File</th><th scope="col">What it is</th><th scope="col">Whose it is</th>
              <th scope="col" class="n">Rows</th><th scope="col">Leave out</th>
            </tr>
          </thead>
          <tbody>${sorted.map((row) => rowHtml(request, row))}</tbody>
        </table>
      </section>
      <datalist id="owners">${names.map((name) => html`<option value="${name}"></option>`)}</datalist>
      <fieldset class="card fields"><legend>How they are stored</legend>${howBoxes(optionsIn(form, delivery.options))}</fieldset>
      <p class="bar-row">
        <button class="button" name="do" value="store">Store all</button>
        <button class="button soft" name="do" value="save">Keep it like this for later</button>
        ${query.get('ask') === 'discard' ? html`<button class="button soft" name="do" value="discard">Throw them away now</button>` : html`<a class="button soft" href="${path}?ask=discard">Throw them away</a>`}
      </p>
    </form>
  `
}

function faultsOf({ faults }: ArrivedRow): number {
  return faults.owner === undefined && faults.what === undefined ? 0 : 1
}

function rowHtml({ path, words }: PersonPageRequest, row: ArrivedRow): Html {
  const { place, file, owner, what, said, faults } = row
  const { rows, isAbout } = file.looked
  const option = (value: string, label: string) =>
    html`<option value="${value}"${value === what ? html` selected` : null}>${label}</option>`
  const wrong = (name: 'owner' | 'what') =>
    faults[name] === undefined ? null : html`<small class="wrong" id="${name}-${place}-wrong">${faults[name]}</small>`
  const marked = (name: 'owner' | 'what') =>
    faults[name] === undefined ? null : html` aria-invalid="true" aria-describedby="${name}-${place}-wrong"`
  return html`
    <tr>
      <th scope="row" class="wrap"><a href="${path}/${place}">${breakable(file.name)}</a></th>
      <td class="wrap" data-l="What it is">
        <select name="what-${place}" aria-label="What ${file.name} is"${marked('what')}>
          ${option('', foundText(file))}
          ${what === 'own' ? option('own', 'As you chose its columns') : null}
          ${whatOptions.map(([value, label]) => option(value, label))}
        </select>
        ${wrong('what')}
      </td>
      <td class="wrap" data-l="Whose it is">
        <input name="owner-${place}" list="owners" autocomplete="off" value="${owner}"${said.whose !== null && owner === '' ? html` placeholder="as it says"` : null} aria-label="Whose ${file.name} is"${marked('owner')}>
        ${wrong('owner')}
      </td>
      <td class="n" data-l="Rows">${rows === null || file.looked.fault !== null ? null : `${isAbout ? 'about ' : ''}${words.whole(rows)}`}</td>
      <td data-l="Leave out"><input type="checkbox" name="out-${place}" value="yes" aria-label="Leave out ${file.name}"${said.isLeftOut ? html` checked` : null}></td>
    </tr>
  `
}

/** What nobody can store, with the reason. */
function unreadHtml(rows: readonly ArrivedRow[]): Html | null {
  const unread = rows.filter(({ file }) => file.file === null)
  if (unread.length === 0) return null
  return html`
    <section class="card">
      <h2>Not read</h2>
      <ul class="recipients">${unread.map(({ file }) => html`<li><strong>${breakable(file.name)}</strong> ${faultText({ message: file.looked.fault ?? '' })}</li>`)}</ul>
    </section>
  `
}

function storedHtml({ path, words }: PersonPageRequest, rows: readonly ArrivedRow[], states: ReadonlyMap<number, FileState>): Html | null {
  const stored = rows.flatMap(({ file, owner }) => (file.intake === null ? [] : [{ file, owner, state: states.get(file.intake) }]))
  if (stored.length === 0) return null
  const going = stored.filter(({ state }) => state !== undefined && goingStates.has(state.state))
  const good = stored.filter(({ state }) => state?.state === 'stored')
  const faulty = stored.filter(({ state }) => (state?.refused ?? 0) > 0)
  return html`
    <section id="stored-state" class="card list long" aria-label="Stored files"${going.length > 0 ? html` data-again` : null}>
      <p>
        ${words.whole(good.length)} of ${words.count(stored.length, 'file')} stored${faulty.length === 0 ? null : `, ${words.whole(faulty.length)} with faults`}.
        ${going.length === 0 ? null : html`<a class="no-print" href="${path}">Look again</a>`}
      </p>
      <table class="stacks">
        <caption class="sr">What became of the files</caption>
        <thead>
          <tr>
            <th scope="col">File</th><th scope="col">Customer</th><th scope="col">State</th>
            <th scope="col" class="n">Rows stored</th><th scope="col" class="n">Faults</th>
          </tr>
        </thead>
        <tbody>
          ${stored.map(
            ({ file, owner, state }) => html`
              <tr>
                <th scope="row" class="wrap"><a href="/desk/data/${file.intake}">${breakable(file.name)}</a></th>
                <td class="wrap" data-l="Customer">${owner === '' ? 'all customers' : breakable(owner)}</td>
                <td class="wrap" data-l="State">${state === undefined ? 'is gone' : stateNames[state.state]}</td>
                <td class="n" data-l="Rows stored">${words.whole(state?.stored ?? 0)}</td>
                <td class="n" data-l="Faults">${state === undefined || state.refused === 0 ? html`<span class="quiet">none</span>` : words.whole(state.refused)}</td>
              </tr>
            `,
          )}
        </tbody>
      </table>
    </section>
  `
}
