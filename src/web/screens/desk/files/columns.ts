/** One of the files that came together: which column is which, how days and numbers are written, and what the first rows become. */

import { Failure } from '../../../../lib/failures.ts'
import { type Html, html } from '../../../../lib/html.ts'
import { idIn } from '../../../../lib/text-kinds.ts'
import { type OpenDataFile, openDataFile } from '../../../../model/dashboard/desk/data-files.ts'
import type { MappingWords } from '../../../../model/imports/csv/mappings.ts'
import { listMappings, rememberMapping, savedMapping } from '../../../../model/imports/csv/saved-mappings.ts'
import { type DeliveredFile, type Delivery, findDelivery, isOpen } from '../../../../model/intakes/deliveries/delivered-files.ts'
import { type FilePreview, previewFile } from '../../../../model/intakes/deliveries/preview-file.ts'
import { sayOfDelivery, storeDelivery, tryFile } from '../../../../model/intakes/deliveries/store-delivery.ts'
import { hostOf } from '../../../../model/intakes/upload-files.ts'
import { staffCallerOf } from '../../../../model/people/staff/staff-rules.ts'
import { framed } from '../../../components/layout.ts'
import { card } from '../../../components/site-frame.ts'
import { breakable } from '../../../components/tables.ts'
import { sentenceOf } from '../../../error-page.ts'
import { type PageAnswer, type PersonPageRequest, redirect } from '../../../page-request.ts'
import { columnsForm } from './columns-form.ts'
import { fieldLabel, wordsIn } from './columns-words.ts'
import { countsHtml } from './data-file.ts'
import { goingStates, kindNames, stateNames } from './data-words.ts'
import { rowsOfDelivery } from './delivery-rows.ts'
import { faultText } from './fault-words.ts'

export async function showColumns(request: PersonPageRequest): Promise<PageAnswer> {
  const { params, words: inWords } = request
  const staff = staffCallerOf(request.loggedIn.person)
  const { delivery, file } = await fileIn(request)
  const mappings = (await listMappings(staff, staff.partnerId)).map(({ name }) => name)
  const { words, preview, wrong } = await lookAtForm(request, file)
  const trial = file.trial === null ? null : await openDataFile(staff, file.trial).catch(gone)
  const [row] = (await rowsOfDelivery(staff, { ...delivery, files: [file] }, new URLSearchParams())).rows
  const main = html`
    <p class="crumb"><a href="/desk/data">Data</a> <a href="/desk/data/arrived/${params['delivery_id']}">${inWords.count(delivery.files.length, 'file')}</a></p>
    <h1>${breakable(file.name)}</h1>
    <p class="lead">${row?.owner === '' || row === undefined ? 'It is not said yet whose it is.' : html`For ${breakable(row.owner)}.`} Say what its columns are; below stands what the first rows become.</p>
    ${(request.wrong ?? wrong) === null ? null : html`<p class="notice wrong" role="alert">${request.wrong ?? wrong}</p>`}
    <div class="grid">
      ${trial === null ? null : card(trialHtml(request, trial), 'w12')}
      ${columnsForm(request, { version: delivery.version, words, preview, mappings, isWhose: row?.faults.owner === undefined })}
      ${preview === null ? null : card(rowsHtml(preview), 'w12', true)}
      ${preview === null || preview.faults.length === 0 ? null : card(faultsHtml(preview), 'w12', true)}
    </div>
  `
  return { body: framed(request, { title: file.name, main, printed: file.name }) }
}

export async function submitColumns(request: PersonPageRequest): Promise<PageAnswer> {
  const { form, path } = request
  const staff = staffCallerOf(request.loggedIn.person)
  const { delivery, file, place } = await fileIn(request)
  const version = idIn(form.get('version') ?? '')
  const said = form.get('do')
  try {
    const words =
      said === 'saved' ? await savedMapping(staff, staff.partnerId, form.get('saved') ?? '') : (await lookAtForm(request, file, true)).words
    const all = delivery.files.map(({ whose, words: kept, isLeftOut }, at) =>
      at === place ? { whose, words, isLeftOut: false } : { whose, words: kept, isLeftOut },
    )
    if (said === 'store') await storeDelivery(staff, delivery.id, version, all, delivery.options, place)
    else await sayOfDelivery(staff, delivery.id, version, all, delivery.options)
    if (said === 'try') await tryFile(staff, delivery.id, version + 1, place)
    const name = (form.get('name') ?? '').trim()
    if (said === 'remember') await rememberMapping(staff, staff.partnerId, name, words)
    return redirect(said === 'store' ? `/desk/data/arrived/${delivery.id}` : path)
  } catch (error) {
    if (!(error instanceof Failure) || !['conflict', 'bad_request', 'validation_failed', 'too_many_requests'].includes(error.code))
      throw error
    return { wrong: sentenceOf(error), body: '' }
  }
}

interface FileIn {
  readonly delivery: Delivery
  readonly file: DeliveredFile & { readonly file: NonNullable<DeliveredFile['file']> }
  readonly place: number
}

async function fileIn({ loggedIn, params }: PersonPageRequest): Promise<FileIn> {
  const delivery = await findDelivery(staffCallerOf(loggedIn.person), idIn(params['delivery_id'] ?? ''))
  const place = Number(params['place'])
  const file = delivery.files[place]
  if (file === undefined || !isOpen(file)) throw new Failure('not_found', { noun: 'page' })
  return { delivery, file, place }
}

interface Looked {
  readonly words: MappingWords
  /** Null where the file cannot be looked into. */
  readonly preview: FilePreview | null
  readonly wrong: string | null
}

/** What was sent stands over what is kept; what cannot be read by it is shown as it was. */
async function lookAtForm({ app, form }: PersonPageRequest, { file, words: kept }: FileIn['file'], isStrict = false): Promise<Looked> {
  if (file.host !== hostOf(app.settings))
    return { words: kept, preview: null, wrong: 'This file came by another machine: it cannot be looked into here.' }
  const before = await previewFile(app.settings, file, kept)
  if (!form.has('version') || form.get('do') === 'saved') return { words: kept, preview: before, wrong: null }
  try {
    const words = wordsIn(form, before?.columns ?? [])
    return { words, preview: await previewFile(app.settings, file, words), wrong: null }
  } catch (error) {
    if (isStrict || !(error instanceof Failure)) throw error
    return { words: kept, preview: before, wrong: sentenceOf(error) }
  }
}

function gone(error: unknown): null {
  if (error instanceof Failure && error.code === 'not_found') return null
  throw error
}

function trialHtml(request: PersonPageRequest, opened: OpenDataFile): Html {
  const { file } = opened
  const isGoing = goingStates.has(file.state)
  return html`
    <div id="trial"${isGoing ? html` data-again` : null}>
      <h2>Tried out: this file ${isGoing ? 'is being read' : file.state === 'refused' ? 'has faults' : stateNames[file.state]}</h2>
      ${isGoing ? html`<p><a href="${request.path}">Look again</a></p>` : html`<p>Nothing is stored yet. <a href="/desk/data/${file.id}">All of what was found</a></p>`}
      ${countsHtml(request, opened)}
      ${file.faults.length === 0 ? null : html`<ul class="recipients">${file.faults.slice(0, 10).map((fault) => html`<li>Line ${fault.line}: ${faultText(fault)}</li>`)}</ul>`}
    </div>
  `
}

function rowsHtml({ kind, rows, missing }: FilePreview): Html {
  const names = [...new Set(rows.flatMap(({ values }) => Object.keys(values)))]
  if (rows.length === 0)
    return html`
      <h2>What the first rows become</h2>
      <p class="quiet">${noRowsText(kind === null, missing)}</p>
    `
  return html`
    <h2>What the first rows become${kind === null ? null : `: ${kindNames[kind]}`}</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="The first rows">
      <table>
        <caption class="sr">The first rows, as they will be stored</caption>
        <thead><tr><th scope="col" class="n">Line</th>${names.map((name) => html`<th scope="col">${fieldLabel(name)}</th>`)}</tr></thead>
        <tbody>${rows.map(({ line, values }) => html`<tr><th scope="row" class="n">${line}</th>${names.map((name) => html`<td>${(values[name] ?? '').slice(0, 100)}</td>`)}</tr>`)}</tbody>
      </table>
    </div>
  `
}

function noRowsText(isUnknown: boolean, missing: readonly string[]): string {
  if (isUnknown) return 'Say first what a row is, and which column is which.'
  const told = missing.map(fieldLabel).join(', ')
  return missing.length === 0
    ? 'None of the first rows can be stored like this.'
    : `Still to be said: ${told}. Choose the column, or say it for all rows.`
}

function faultsHtml({ faults }: FilePreview): Html {
  return html`
    <h2>What is wrong</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="Faults by line">
      <table class="stacks">
        <caption class="sr">Faults of the first rows by line</caption>
        <thead><tr><th scope="col" class="n">Line</th><th scope="col">What is wrong</th></tr></thead>
        <tbody>${faults.map(({ line, field, message }) => html`<tr><th scope="row" class="n">${line}</th><td class="wrap" data-l="What is wrong">${field === '' ? faultText({ message }) : `${fieldLabel(field)} ${faultText({ message })}`}</td></tr>`)}</tbody>
      </table>
    </div>
  `
}
