/** The page for those who write programs, for admins: the keys of the partner with what they may do and how much they are used, and what old clients need. */

import { Failure, notFound } from '../../../../lib/failures.ts'
import { html } from '../../../../lib/html.ts'
import { ownEntry } from '../../../../lib/own-entry.ts'
import { idIn } from '../../../../lib/text-kinds.ts'
import type { StaffCaller } from '../../../../model/core/caller.ts'
import { openDevelopers } from '../../../../model/dashboard/desk/developers.ts'
import { revokeAnyKey } from '../../../../model/partners/keys/admin-keys.ts'
import { setOldClient } from '../../../../model/partners/old-clients.ts'
import { staffCallerOf } from '../../../../model/people/staff/staff-rules.ts'
import { chartHtml } from '../../../charts/frame.ts'
import { framed } from '../../../components/layout.ts'
import { card } from '../../../components/site-frame.ts'
import { sentenceOf } from '../../../error-page.ts'
import { type PageAnswer, type PersonPageRequest, redirect } from '../../../page-request.ts'
import { newKeyForm, submitNewKey } from './issue-key.ts'
import { keyCard, submitRotation } from './key-card.ts'
import { keysHtml } from './keys-table.ts'
import { oldClientHtml } from './old-client.ts'
import { originsHtml, submitOrigins } from './origins.ts'
import { testActs, testPartnerHtml } from './test-partner.ts'
import { usageChart } from './usage-chart.ts'
import { waysHtml } from './ways.ts'

const done: Readonly<Record<string, string>> = {
  revoked: 'The key no longer works.',
  test: 'That is done in the background. Look at this page again in a minute.',
  switched: 'The change is saved: the next request finds it.',
}

export async function showDevelopers(request: PersonPageRequest): Promise<PageAnswer> {
  const staff = staffCallerOf(request.loggedIn.person)
  const { query, form } = request
  const which = query.get('show') === 'ended' ? 'ended' : 'live'
  const before = idIn(query.get('before') ?? '') || null
  const shown = await openDevelopers(staff, { which, before, key: idIn(form.get('key') ?? query.get('key') ?? '') })
  const test = await testPartnerHtml(request, staff)
  const said = ownEntry(done, query.get('done'))
  const main = html`
    <h1>Developers</h1>
    <p class="lead">Programs read and change what is yours with a key. Each program should have a key of its own, with no more rights than it needs.</p>
    ${said && request.wrong === null ? html`<p class="notice" role="status">${said}</p>` : null}
    ${request.wrong === null ? null : html`<p class="notice wrong" role="alert">${request.wrong}</p>`}
    <div class="grid">
      ${shown.chosen === null ? null : card(keyCard(request, shown.chosen), 'w12')}
      ${card(keysHtml(request, shown, which, before), 'w12', true)}
      ${card(html`${chartHtml(request.words, usageChart(request.words, shown), 12)}<p><a href="/desk/developers/requests">What the API answered</a>, request by request</p>`, 'w12')}
      ${card(newKeyForm(request, shown.newest), 'w6')}
      ${card(waysHtml(request, shown.siteId), 'w6')}
      ${card(oldClientHtml(request, shown.oldClient), 'w12')}
      ${card(originsHtml(request, shown.origins), 'w12')}
      ${test && card(test, 'w12')}
    </div>
  `
  return { body: framed(request, { title: 'Developers', main }) }
}

type Act = (request: PersonPageRequest, staff: StaffCaller) => Promise<PageAnswer>

/** What the forms of the page do, by the name of their button. */
const acts: Readonly<Record<string, Act>> = {
  issue: submitNewKey,
  rotate: submitRotation,
  revoke,
  switch: switchOldClient,
  origins: submitOrigins,
  ...testActs,
}

export async function submitDevelopers(request: PersonPageRequest): Promise<PageAnswer> {
  const staff = staffCallerOf(request.loggedIn.person)
  const act = ownEntry(acts, request.form.get('do')) ?? notFound('page')
  try {
    return await act(request, staff)
  } catch (error) {
    if (!(error instanceof Failure) || !['conflict', 'validation_failed'].includes(error.code)) throw error
    const wrong = error.code === 'validation_failed' ? 'Nothing is changed yet: please look at what is marked below.' : sentenceOf(error)
    return { wrong, faults: error.details.faults ?? [], body: '' }
  }
}

async function revoke({ form }: PersonPageRequest, staff: StaffCaller): Promise<PageAnswer> {
  if (form.get('sure') !== 'yes') return { wrong: 'Please tick that the program may stop, and revoke the key then.', body: '' }
  await revokeAnyKey(staff, idIn(form.get('key') ?? ''))
  return redirect('/desk/developers?done=revoked')
}

async function switchOldClient({ form }: PersonPageRequest, staff: StaffCaller): Promise<PageAnswer> {
  await setOldClient(staff, form.get('wanted') === 'yes', form.get('was') ?? '')
  return redirect('/desk/developers?done=switched')
}
