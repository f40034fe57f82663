/** One file that came in: how far it has come, what was stored of it, what is wrong with it line by line; stopped, or undone. */

import { Failure } from '../../../../lib/failures.ts'
import { type Html, html } from '../../../../lib/html.ts'
import { idIn } from '../../../../lib/text-kinds.ts'
import { listColleagues } from '../../../../model/dashboard/desk/customers.ts'
import { type OpenDataFile, openDataFile } from '../../../../model/dashboard/desk/data-files.ts'
import { openRefusedTable } from '../../../../model/intakes/refused-lines.ts'
import { requestUndo } from '../../../../model/intakes/undo.ts'
import { cancelIntake } from '../../../../model/intakes/uploads.ts'
import { staffCallerOf } from '../../../../model/people/staff/staff-rules.ts'
import { attached, csvType } from '../../../components/csv.ts'
import { framed, tokenField } from '../../../components/layout.ts'
import { card } from '../../../components/site-frame.ts'
import { breakable } from '../../../components/tables.ts'
import { sentenceOf } from '../../../error-page.ts'
import { type PageAnswer, type PersonPageRequest, redirect } from '../../../page-request.ts'
import { actorName } from '../customer/sees.ts'
import { contentText, fileTitle, goingStates, kindNames, stateNames } from './data-words.ts'
import { faultText } from './fault-words.ts'

export async function showDataFile(request: PersonPageRequest): Promise<PageAnswer> {
  const staff = staffCallerOf(request.loggedIn.person)
  const opened = await openDataFile(staff, fileIdOf(request))
  const people = new Map((await listColleagues(staff)).map(({ id, name }) => [id, name]))
  const { file, customer } = opened
  const title = fileTitle(file)
  const main = html`
    <p class="crumb"><a href="/desk/data">Data</a></p>
    <h1>${breakable(title)}</h1>
    <p class="lead">
      ${contentText({ ...file, kinds: file.kinds.map(({ kind }) => kind) })}, for
      ${customer === null ? 'all customers' : html`<a href="/desk/customers/${customer.id}">${breakable(customer.name)}</a>`}.
      It came on ${request.words.moment(file.created_at)} from ${actorName(people, file.actor)}.
    </p>
    ${request.wrong === null ? null : html`<p class="notice wrong" role="alert">${request.wrong}</p>`}
    <div id="file-state" class="grid"${goingStates.has(file.state) ? html` data-again` : null}>
      ${card(stateHtml(request, opened), 'w12')}
      ${file.faults.length === 0 ? null : card(faultsHtml(request, opened), 'w12', true)}
      ${file.left_alone.length === 0 ? null : card(leftHtml(request, opened), 'w12', true)}
    </div>
  `
  return { body: framed(request, { title, main, printed: title }) }
}

/** Asks first, on a page of its own; a second click on a form that was sent changes nothing. */
export async function submitDataFile(request: PersonPageRequest): Promise<PageAnswer> {
  const staff = staffCallerOf(request.loggedIn.person)
  const id = fileIdOf(request)
  try {
    if (request.form.get('do') === 'stop') await cancelIntake(staff, id)
    else await requestUndo(staff, id, { isDespiteLater: request.form.get('despite') === 'yes' })
    return redirect(`/desk/data/${id}`)
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'conflict') throw error
    return { wrong: sentenceOf(error), body: '' }
  }
}

/** The lines as they stood in the file, each with what is wrong with it. */
export async function refusedCsv(request: PersonPageRequest): Promise<PageAnswer> {
  const id = fileIdOf(request)
  const chunks = await openRefusedTable(staffCallerOf(request.loggedIn.person), id)
  return { type: csvType, headers: attached(`refused-${id}`), body: textsOf(chunks) }
}

async function* textsOf(chunks: Awaited<ReturnType<typeof openRefusedTable>>): AsyncGenerator<string> {
  for (let chunk = await chunks.next(); chunk !== null; chunk = await chunks.next()) yield Buffer.from(chunk).toString()
}

function stateHtml(request: PersonPageRequest, opened: OpenDataFile): Html {
  const { words } = request
  const { file, stored } = opened
  return html`
    <h2>This file ${stateNames[file.state]}</h2>
    ${goingStates.has(file.state) ? html`<p>${progressText(request, opened)} <a class="no-print" href="${request.path}">Look again</a></p>` : null}
    ${stored === 0 ? null : html`<p>${words.count(stored, 'row')} stored${file.refused === 0 ? null : `, ${words.count(file.refused, 'row')} not`}.</p>`}
    ${countsHtml(request, opened)}
    ${file.undone_at === null ? null : html`<p>Undone on ${words.moment(file.undone_at)}: ${words.count(file.undone, 'row')} taken back.</p>`}
    ${file.notices.length === 0 ? null : html`<ul class="recipients">${file.notices.map((notice) => html`<li>${faultText(notice)}</li>`)}</ul>`}
    ${actionsHtml(request, opened)}
  `
}

function progressText({ words }: PersonPageRequest, { file, stored }: OpenDataFile): string {
  const { state, bytes, bytes_read, lines, undone } = file
  if (state === 'undoing' || state === 'cancelling')
    return undone === 0 ? 'It takes a moment.' : `${words.count(undone, 'row')} taken back so far.`
  if (state === 'waiting') return 'It is safely here: you can close this page.'
  const share = bytes === null || bytes === 0 ? '' : `${words.percent(Math.min(1, bytes_read / bytes))} read, `
  return state === 'storing' ? `${words.count(stored, 'row')} stored so far.` : `${share}${words.count(lines, 'row')} checked so far.`
}

export function countsHtml({ words }: PersonPageRequest, { file }: OpenDataFile): Html | null {
  if (file.kinds.length === 0) return null
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label="What the file holds">
      <table class="stacks">
        <caption class="sr">What the file holds</caption>
        <thead><tr><th scope="col">What</th><th scope="col" class="n">In the file</th><th scope="col" class="n">New</th><th scope="col" class="n">Changed</th><th scope="col" class="n">As before</th></tr></thead>
        <tbody>
          ${file.kinds.map(
            ({ kind, accepted, created, updated, unchanged }) => html`
              <tr>
                <th scope="row">${kindNames[kind]}</th>
                <td class="n" data-l="In the file">${words.whole(accepted)}</td>
                <td class="n" data-l="New">${words.whole(created)}</td>
                <td class="n" data-l="Changed">${words.whole(updated)}</td>
                <td class="n" data-l="As before">${words.whole(unchanged)}</td>
              </tr>
            `,
          )}
        </tbody>
      </table>
    </div>
  `
}

function actionsHtml(request: PersonPageRequest, { file, mayStop, mayUndo }: OpenDataFile): Html | null {
  const { path, query, wrong } = request
  if (mayStop)
    return html`<form method="post" action="${path}" class="bar-row no-print">${tokenField(request)}<button class="button soft" name="do" value="stop">Stop it</button></form>`
  if (!mayUndo) return null
  if (query.get('ask') !== 'undo' && wrong === null)
    return html`<p class="bar-row no-print"><a class="button soft" href="${path}?ask=undo">Undo</a></p>`
  return html`
    <form method="post" action="${path}" class="no-print">
      ${tokenField(request)}
      <p>Undo takes back what ${file.via === 'push' ? 'was sent' : 'this file brought'}: what is new goes, what it changed is as before. What was changed again since then stays and is listed.</p>
      ${wrong === null ? null : html`<label class="check"><input type="checkbox" name="despite" value="yes"> Undo it although others came later</label>`}
      <div class="bar-row">
        <button class="button" name="do" value="undo">Undo it now</button>
        <a class="button soft" href="${path}">Keep it</a>
      </div>
    </form>
  `
}

function faultsHtml({ path, words }: PersonPageRequest, { file, hasRefusedLines }: OpenDataFile): Html {
  const { faults, refused } = file
  return html`
    <h2>${words.count(refused, 'row')} with faults</h2>
    ${hasRefusedLines ? html`<p><a href="${path}/refused.csv">Download all of them as they stood in the file, each with what is wrong</a></p>` : null}
    <div class="scroll" tabindex="0" role="region" aria-label="Faults by line">
      <table class="stacks">
        <caption class="sr">Faults by line</caption>
        <thead><tr><th scope="col" class="n">Line</th><th scope="col">What is wrong</th></tr></thead>
        <tbody>${faults.map((fault) => html`<tr><th scope="row" class="n">${fault.line}</th><td class="wrap" data-l="What is wrong">${faultText(fault)}</td></tr>`)}</tbody>
      </table>
    </div>
    ${refused > faults.length ? html`<p class="quiet">These are the first ${words.whole(faults.length)}.</p>` : null}
  `
}

function leftHtml({ words }: PersonPageRequest, { file }: OpenDataFile): Html {
  const { left, left_alone } = file
  return html`
    <h2>${words.count(left, 'row')} left alone</h2>
    <p class="quiet">Something else has changed or needs them since.</p>
    <ul class="recipients">${left_alone.map(({ what, why }) => html`<li>${breakable(what)}: ${why}</li>`)}</ul>
  `
}

function fileIdOf({ params }: PersonPageRequest): number {
  return idIn(params['intake_id'])
}
