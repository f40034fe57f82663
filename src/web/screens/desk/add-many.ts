/** Adds many customers from a pasted table: what was recognised and what will be made is shown first, and nothing is made while a line is wrong. */

import { createHash } from 'node:crypto'
import { Failure } from '../../../lib/failures.ts'
import { type Html, html } from '../../../lib/html.ts'
import type { StaffCaller } from '../../../model/core/caller.ts'
import type { CustomerColumn } from '../../../model/people/customers/customer-columns.ts'
import { type CustomerTable, makeCustomers, readCustomerTable } from '../../../model/people/customers/customer-table.ts'
import { staffCallerOf } from '../../../model/people/staff/staff-rules.ts'
import { framed, tokenField } from '../../components/layout.ts'
import { droppedBytes } from '../../dropped-files.ts'
import { sentenceOf } from '../../error-page.ts'
import { type PageAnswer, type PersonPageRequest, redirect } from '../../page-request.ts'
import { columnLabel, columnOptions } from './customer-fields.ts'
import { type Look, outcomesHtml } from './outcomes.ts'

const largestTable = 1 << 20
const tooLarge = 'This table is larger than 1 MB: please paste it in parts.'
/** Browsers send a form again whose answer does not come. */
const makingMilliseconds = 10_000

export function showAddMany(request: PersonPageRequest): PageAnswer {
  return { body: pageHtml(request, null) }
}

/** A look changes nothing, so it is answered at once; what is made is followed by a redirect. */
export async function submitAddMany(request: PersonPageRequest): Promise<PageAnswer> {
  const text = request.form.get('table') ?? ''
  if (text.trim() === '') return { wrong: 'Please paste a table.', body: '' }
  if (Buffer.byteLength(text) > largestTable) return { wrong: tooLarge, body: '' }
  try {
    const table = await chosenTable(request.form, text)
    const look = await lookAt(request, staffCallerOf(request.loggedIn.person), table)
    return 'made' in look ? redirect(`/desk?added=${look.made}`) : { status: statusOf(look), body: pageHtml(request, look) }
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'bad_request') throw error
    return { wrong: sentenceOf(error), body: '' }
  }
}

/** A file is looked at like a table that is pasted, and stands in its field from then on. */
export async function submitTableFile(request: PersonPageRequest): Promise<PageAnswer> {
  const bytes = await droppedBytes(request.app.settings, request.files)
  const said = faultOf(bytes, request.files.length > 0)
  const form = new URLSearchParams({ table: said === null ? textOf(bytes) : '', do: 'look' })
  const answer = said === null ? await submitAddMany({ ...request, form }) : { wrong: said, body: '' }
  return answer.wrong === undefined ? answer : { status: 422, body: pageHtml({ ...request, form, wrong: answer.wrong }, null) }
}

/** What is too large is not read. */
function faultOf(bytes: Uint8Array, hasCome: boolean): string | null {
  if (bytes.length === 0) return hasCome ? tooLarge : 'There was no file, or it was empty.'
  const isPacked = bytes[0] === 0x50 && bytes[1] === 0x4b
  return isPacked ? 'This is a workbook: please save it as CSV, or copy its cells and paste them.' : null
}

/** Spreadsheets write a mark before a text of two bytes a character. */
function textOf(bytes: Uint8Array): string {
  const isWide = bytes[0] === 0xff && bytes[1] === 0xfe
  return new TextDecoder(isWide ? 'utf-16le' : 'utf-8').decode(bytes)
}

/** What was chosen counts while the columns are the same. */
async function chosenTable(form: URLSearchParams, text: string): Promise<CustomerTable> {
  const plain = await readCustomerTable(piecesOf(text))
  if (form.get('heads') !== headsOf(plain)) return plain
  const places = plain.columns.map((_, at) => form.get(`column-${at}`) ?? undefined)
  return readCustomerTable(piecesOf(text), { places })
}

async function lookAt({ form }: PersonPageRequest, staff: StaffCaller, table: CustomerTable): Promise<Look | { readonly made: number }> {
  const seen = digest([form.get('table'), table.columns.map(({ field }) => field)])
  const isMaking = form.get('do') === 'make' && form.get('seen') === seen
  const isComplete = (['name', 'domain'] as const).every((field) => table.columns.some((column) => column.field === field))
  if (!isComplete) return { table, seen, outcomes: null, isChanged: false, done: 0, left: 0 }
  const making = { isChecked: isMaking, milliseconds: makingMilliseconds }
  const outcomes = await makeCustomers(isMaking ? staff : { ...staff, isDryRun: true }, staff.partnerId, table, making)
  const made = outcomes.filter(({ outcome }) => outcome === 'made')
  const done = isMaking ? made.length + (Number(form.get('done')) || 0) : 0
  const left = table.rows.length - outcomes.length
  if (isMaking && left === 0 && outcomes.every(({ outcome }) => outcome !== 'refused')) return { made: done }
  return { table, seen, outcomes, isChanged: form.get('do') === 'make' && !isMaking, done, left }
}

function statusOf({ outcomes }: Look): number {
  return outcomes === null || outcomes.some(({ outcome }) => outcome === 'refused') ? 422 : 200
}

function pageHtml(request: PersonPageRequest, look: Look | null): Html {
  const main = html`
    <p class="crumb"><a href="/desk">Customers</a></p>
    <h1>Add many customers</h1>
    <p class="lead">
      Copy a table from a spreadsheet, or what a file with commas holds, and paste it here. Its first row names the columns: there must be one for
      the customer and one for the domain. What will be made is shown before anything is.
    </p>
    ${request.wrong === null ? null : html`<p class="notice wrong" role="alert">${request.wrong}</p>`}
    <form method="post" action="/desk/add/table" class="grid">
      ${tokenField(request)}
      ${look === null ? null : lookHtml(request, look)}
      <div class="card w12 fields">${pasteField(request)}</div>
      <p><button class="button${look === null ? null : ' soft'}" name="do" value="look">${look === null ? 'Look at it first' : 'Look at it again'}</button></p>
    </form>
    <form method="post" action="/desk/add/table/file" enctype="multipart/form-data" class="row-form">
      ${tokenField(request)}
      <div class="field"><label for="file">Or choose a file, or drop it here</label><input id="file" type="file" name="file" required></div>
      <button class="button soft">Look at this file</button>
    </form>
  `
  return framed(request, { title: 'Add many customers', main })
}

function pasteField({ form }: PersonPageRequest): Html {
  const hint = `Columns can be: ${columnOptions.map(([, label]) => label.toLowerCase()).join(', ')}. At most 1 MB.`
  const text = form.get('table') ?? ''
  return html`
    <div class="field">
      <label for="table">Table</label>
      <textarea id="table" name="table" rows="12" required spellcheck="false" aria-describedby="table-hint">${text.startsWith('\n') ? '\n' : null}${text}</textarea>
      <p class="hint" id="table-hint">${hint}</p>
    </div>
  `
}

function lookHtml(request: PersonPageRequest, look: Look): Html {
  const { table } = look
  // Only what was found to be good can be made without another look.
  const seen = statusOf(look) === 200 ? look.seen : ''
  return html`
    <input type="hidden" name="heads" value="${headsOf(table)}">
    <input type="hidden" name="seen" value="${seen}">
    ${look.left === 0 ? null : html`<input type="hidden" name="done" value="${look.done}">`}
    ${outcomesHtml(request, look)}
    <fieldset class="card w12 fields">
      <legend>What the columns are</legend>
      <div class="columns">${table.columns.map((column, at) => columnHtml(column, at, table.examples[at] ?? ''))}</div>
    </fieldset>
  `
}

function columnHtml({ name, field }: CustomerColumn, at: number, example: string): Html {
  const option = (value: string, label: string) =>
    html`<option value="${value}"${value === (field ?? '') ? html` selected` : null}>${label}</option>`
  return html`
    <div class="field">
      <label for="column-${at}">${name.trim() || `Column ${at + 1}`}</label>
      <select id="column-${at}" name="column-${at}" aria-describedby="column-${at}-hint">
        ${option('', 'is not read')}
        ${columnOptions.map(([value]) => option(value, columnLabel(value)))}
      </select>
      <p class="hint" id="column-${at}-hint">${example === '' ? 'The first row has nothing here.' : `Such as ${example.slice(0, 60)}`}</p>
    </div>
  `
}

async function* piecesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

function headsOf({ columns }: CustomerTable): string {
  return digest(columns.map(({ name }) => name))
}

function digest(told: unknown): string {
  return createHash('sha256').update(JSON.stringify(told)).digest('base64url')
}
