/** Where the pages of a partner are, from where its mails come, and which pages may show its share links: admins name hosts, and see the records by which they prove that these are theirs. */

import { Failure, notFound } from '../../../../lib/failures.ts'
import { type Html, html } from '../../../../lib/html.ts'
import { sendsMail } from '../../../../lib/network/smtp.ts'
import { ownEntry } from '../../../../lib/own-entry.ts'
import type { StaffCaller } from '../../../../model/core/caller.ts'
import { homeOf } from '../../../../model/partners/brands.ts'
import { lookAgain } from '../../../../model/partners/hosts/looks.ts'
import {
  listNamedHosts,
  type NamedHost,
  nameFramesHost,
  namePagesHost,
  removeFramesHost,
  removePagesHost,
} from '../../../../model/partners/hosts/named-hosts.ts'
import { findOwnBrand } from '../../../../model/partners/own-brand.ts'
import { findMailSender, nameMailSender, removeMailSender } from '../../../../model/partners/senders/mail-senders.ts'
import { lookAtSender } from '../../../../model/partners/senders/sender-looks.ts'
import { staffCallerOf } from '../../../../model/people/staff/staff-rules.ts'
import { framed, tokenField } from '../../../components/layout.ts'
import { card } from '../../../components/site-frame.ts'
import { breakable } from '../../../components/tables.ts'
import { sentenceOf } from '../../../error-page.ts'
import { type PageAnswer, type PersonPageRequest, redirect } from '../../../page-request.ts'
import { framesCards } from './frames.ts'
import { proofHtml } from './proof.ts'
import { senderHtml } from './sender.ts'

const path = '/desk/brand/address'
const done: Readonly<Record<string, string>> = {
  named: 'The host is named. It is used once its record is seen.',
  removed: 'Your pages are at the address of the service.',
  framed: 'The address is named. Share links can be shown there once its record is seen.',
  unframed: 'Nothing is shown there any more.',
  sending: 'The address is named. Your mails come from it once its record is seen.',
  unsent: 'Your mails come from the address of the service.',
  looked: 'We have looked again: what was seen is said below.',
}

export async function showAddress(request: PersonPageRequest): Promise<PageAnswer> {
  const staff = staffCallerOf(request.loggedIn.person)
  const hosts = await listNamedHosts(staff)
  const { wanted, served } = forPages(hosts)
  const told = ownEntry(done, request.query.get('done'))
  const main = html`
    <p class="crumb"><a href="/desk/brand">Brand</a></p>
    <h1>Addresses</h1>
    <p class="lead">Your pages can be at a host of your own, your mails come from an address of yours, and share links be shown within pages of yours. A record in your DNS proves what is yours.</p>
    ${request.wrong === null ? null : html`<p class="notice wrong" role="alert">${request.wrong}</p>`}
    ${told && request.wrong === null ? html`<p class="notice" role="status">${told}</p>` : null}
    <div class="grid">
      ${card(await pagesHtml(request, staff, hosts), 'w12')}
      ${wanted && card(html`<h2>${breakable(wanted.host_name)}</h2>${proofHtml(request, path, wanted)}${leadsHere(request, wanted)}`, 'w12')}
      ${served && card(html`<h2>${breakable(served.host_name)}</h2>${proofHtml(request, path, served)}`, 'w12')}
      ${framesCards(request, path, hosts)}
      ${sendsMail(request.app.settings) ? card(senderHtml(request, path, await findMailSender(staff)), 'w12') : null}
    </div>
  `
  return { body: framed(request, { title: 'Addresses', main }) }
}

type Act = (request: PersonPageRequest, staff: StaffCaller) => Promise<keyof typeof done>

/** What the forms of the page do, by the name of their button. */
const acts: Readonly<Record<string, Act>> = { name, remove, look, frame, unframe, send, unsend, looksend }

export async function submitAddress(request: PersonPageRequest): Promise<PageAnswer> {
  const act = ownEntry(acts, request.form.get('do')) ?? notFound('page')
  try {
    return redirect(`${path}?done=${await act(request, staffCallerOf(request.loggedIn.person))}`)
  } catch (error) {
    if (!(error instanceof Failure) || !['conflict', 'bad_request'].includes(error.code)) throw error
    return { wrong: sentenceOf(error), body: '' }
  }
}

async function name({ form }: PersonPageRequest, staff: StaffCaller): Promise<'named'> {
  await namePagesHost(staff, form.get('host') ?? '')
  return 'named'
}

async function remove(_: PersonPageRequest, staff: StaffCaller): Promise<'removed'> {
  await removePagesHost(staff)
  return 'removed'
}

async function look({ form }: PersonPageRequest, staff: StaffCaller): Promise<'looked'> {
  await lookAgain(staff, form.get('looked') ?? '')
  return 'looked'
}

async function frame({ form }: PersonPageRequest, staff: StaffCaller): Promise<'framed'> {
  await nameFramesHost(staff, form.get('origin') ?? '')
  return 'framed'
}

async function unframe({ form }: PersonPageRequest, staff: StaffCaller): Promise<'unframed'> {
  await removeFramesHost(staff, form.get('unframed') ?? '')
  return 'unframed'
}

async function send({ form }: PersonPageRequest, staff: StaffCaller): Promise<'sending'> {
  await nameMailSender(staff, form.get('sender') ?? '')
  return 'sending'
}

async function unsend(_: PersonPageRequest, staff: StaffCaller): Promise<'unsent'> {
  await removeMailSender(staff)
  return 'unsent'
}

async function looksend(_: PersonPageRequest, staff: StaffCaller): Promise<'looked'> {
  await lookAtSender(staff)
  return 'looked'
}

async function pagesHtml(request: PersonPageRequest, staff: StaffCaller, hosts: readonly NamedHost[]): Promise<Html> {
  const { seen } = await findOwnBrand(staff)
  const { wanted, served } = forPages(hosts)
  const held = wanted?.host_name ?? served?.host_name ?? ''
  const isByOperator = seen?.host_name !== null && seen?.host_name !== undefined && served === undefined
  return html`
    <h2>Your pages</h2>
    <p>They are at <strong>${breakable(homeOf(request.app, seen?.host_name))}</strong>${isByOperator ? ', as whoever runs the service has set it' : null}.</p>
    <form method="post" action="${path}" class="row-form">
      ${tokenField(request)}
      <div class="field">
        <label for="host">Host</label>
        <input id="host" name="host" value="${request.form.get('host') ?? held}" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="host-hint">
        <p class="hint" id="host-hint">A name such as reports.acme.example.</p>
      </div>
      <button class="button" name="do" value="name">Use this host</button>
      ${held === '' ? null : html`<button class="button soft" name="do" value="remove">Use the address of the service</button>`}
    </form>
  `
}

function forPages(hosts: readonly NamedHost[]): { wanted: NamedHost | undefined; served: NamedHost | undefined } {
  const of = (state: NamedHost['for_pages']) => hosts.find(({ for_pages }) => for_pages === state)
  return { wanted: of('wanted'), served: of('served') }
}

function leadsHere({ app }: PersonPageRequest, { host_name }: NamedHost): Html {
  const home = new URL(app.settings.baseUrl).hostname
  return html`<p class="quiet small">The host must also lead here, for example by a CNAME record from ${breakable(host_name)} to ${breakable(home)}, and whoever runs the service needs a certificate for it: ask them before you publish the record, because links in mails lead to the host from then on.</p>`
}
