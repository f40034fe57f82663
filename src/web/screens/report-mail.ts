/** Scheduled reports: the owner's page, and the pages that the links in the mails open. */

import { Failure } from '../../lib/failures.ts'
import { type Html, html } from '../../lib/html.ts'
import { idIn } from '../../lib/text-kinds.ts'
import { lastMails } from '../../model/mail/due-reports.ts'
import { confirmRecipient, findRecipient, type RecipientShown, unsubscribeRecipient } from '../../model/mail/recipients.ts'
import { scheduleVersion } from '../../model/mail/schedule-version.ts'
import { createSchedule, deleteSchedule, listSchedules, type ReportSchedule } from '../../model/mail/schedules.ts'
import { listVisibleSites, type ShownSite } from '../../model/people/visible-sites.ts'
import { door, framed, tokenField } from '../components/layout.ts'
import { domainName } from '../components/names.ts'
import { breakable } from '../components/tables.ts'
import { sentenceOf } from '../error-page.ts'
import { inBrandOf, type PageAnswer, type PageRequest, type PersonPageRequest, redirect } from '../page-request.ts'

export async function showSchedules(request: PersonPageRequest): Promise<PageAnswer> {
  const {
    wrong,
    loggedIn: { person },
  } = request
  const schedules = await listSchedules(person, person.accountId)
  const sites = (await listVisibleSites(person)).filter((site) => site.account_id === person.accountId)
  const mails = await lastMails(person, person.accountId)
  const main = html`
    <h1>Reports by mail</h1>
    <p class="lead">A summary of your sites, mailed when a week or a month is over.</p>
    ${wrong === null ? null : html`<p class="notice wrong" role="alert">${wrong}</p>`}
    <div class="grid">
      ${newScheduleCard(request, sites)}
      ${schedules.map((schedule) => scheduleCard(request, schedule, sites, mails))}
    </div>
  `
  return { body: framed(request, { title: 'Reports by mail', main }) }
}

export async function submitSchedule(request: PersonPageRequest): Promise<PageAnswer> {
  const { form, loggedIn } = request
  const wishes = {
    rhythm: (form.get('rhythm') ?? '') as 'weekly',
    siteIds: form.getAll('site').length === 0 ? null : form.getAll('site').map(idIn),
    recipients: (form.get('recipients') ?? '').split(/[\s,;]+/).filter(Boolean),
  }
  try {
    await createSchedule(loggedIn.person, loggedIn.person.accountId, wishes)
    return redirect('/reports')
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'validation_failed') throw error
    return { wrong: sentenceOf(error), body: '' }
  }
}

export async function removeSchedule(request: PersonPageRequest): Promise<PageAnswer> {
  const { person } = request.loggedIn
  await deleteSchedule(person, person.accountId, idIn(request.params['schedule_id']), request.form.get('was') ?? undefined)
  return redirect('/reports')
}

function newScheduleCard(request: PersonPageRequest, sites: readonly ShownSite[]): Html {
  return html`
    <section class="card w12">
      <h2>New schedule</h2>
      <form method="post" action="/reports" class="row-form">
        ${tokenField(request)}
        <div class="field">
          <label for="rhythm">How often</label>
          <select id="rhythm" name="rhythm">
            <option value="weekly">Every Monday, for the week before</option>
            <option value="monthly"${request.form.get('rhythm') === 'monthly' ? html` selected` : null}>On the first of a month, for the month before</option>
          </select>
        </div>
        <div class="field">
          <label for="recipients">Email addresses, separated by commas</label>
          <input id="recipients" name="recipients" autocomplete="off" value="${request.form.get('recipients') ?? request.loggedIn.email}">
        </div>
        ${sites.length > 1 ? siteChoice(request, sites) : null}
        <button class="button">Add</button>
      </form>
      <p class="quiet">Whoever is added by somebody else is asked once whether they want reports.</p>
    </section>
  `
}

function siteChoice({ form }: PersonPageRequest, sites: readonly ShownSite[]): Html {
  const chosen = form.getAll('site')
  const boxes = sites.map(
    ({ id, domain }) => html`
      <label class="check">
        <input type="checkbox" name="site" value="${id}"${chosen.includes(String(id)) ? html` checked` : null}> ${breakable(domainName(domain))}
      </label>
    `,
  )
  return html`
    <details class="some-sites"${chosen.length > 0 ? html` open` : null}>
      <summary>Only some sites</summary>
      <p class="quiet small">Without a choice the mail is about every site, also about those to come.</p>
      <div class="boxes">${boxes}</div>
    </details>
  `
}

const states = { active: 'gets the reports', unconfirmed: 'has not confirmed yet', unsubscribed: 'has unsubscribed' } as const

type LastMail = Awaited<ReturnType<typeof lastMails>>[number]

function scheduleCard(request: PersonPageRequest, schedule: ReportSchedule, sites: readonly ShownSite[], mails: readonly LastMail[]): Html {
  const { id, rhythm, recipients, site_ids } = schedule
  const named = sites.filter((site) => site_ids?.includes(site.id)).map(({ domain }) => domainName(domain))
  return html`
    <section class="card w12">
      <h2>${rhythm === 'weekly' ? 'Every week' : 'Every month'}</h2>
      <p class="quiet">${site_ids === null ? 'Every site' : named.join(', ')}</p>
      <ul class="recipients">
        ${recipients.map(({ email, state }) => html`<li>${breakable(email)} ${states[state]}${troubleWith(request, email, mails)}</li>`)}
      </ul>
      <form method="post" action="/reports/${id}">${tokenField(request)}<input type="hidden" name="was" value="${scheduleVersion(schedule)}"><button class="button soft">Remove</button></form>
    </section>
  `
}

/** The newest mail to an address, if it failed or its delivery is uncertain. */
function troubleWith({ words }: PersonPageRequest, email: string, mails: readonly LastMail[]): Html | null {
  const last = mails.find(({ recipient }) => recipient === email)
  if (last?.state !== 'failed' && last?.state !== 'uncertain') return null
  const day = words.day(last.created_at.slice(0, 10))
  return html`; <strong>${last.state === 'failed' ? `the mail of ${day} could not be delivered` : `the mail of ${day} may not have arrived`}</strong>`
}

export async function showConfirm(request: PageRequest): Promise<PageAnswer> {
  const recipient = await recipientOf(request)
  if (recipient === null) return deadLink(request)
  const { account_name, state } = recipient
  const dressed = await inBrandOf(request, whoseIs(recipient))
  if (state === 'active')
    return { body: door(dressed, 'You get these reports', html`<p>Reports of ${account_name} come to you by mail.</p>`) }
  const form = askForm(request, 'confirm', `${account_name} would like to send you its reports by mail.`, 'Yes, send them to me')
  return { body: door(dressed, 'Get these reports?', form) }
}

export async function submitConfirm(request: PageRequest): Promise<PageAnswer> {
  await confirmRecipient(request.app, tokenOf(request))
  return redirect(`/reports/confirm/${tokenOf(request)}`)
}

export async function showUnsubscribe(request: PageRequest): Promise<PageAnswer> {
  const recipient = await recipientOf(request)
  if (recipient === null) return deadLink(request)
  if (recipient.state === 'unsubscribed') return { body: await gone(request, recipient) }
  const form = askForm(request, 'unsubscribe', `Reports of ${recipient.account_name} come to you by mail.`, 'Send me no more')
  return { body: door(await inBrandOf(request, whoseIs(recipient)), 'Get no more reports?', form) }
}

/** Null for a link that is cut off, or whose schedule was removed. */
async function recipientOf(request: PageRequest): Promise<RecipientShown | null> {
  try {
    return await findRecipient(request.app, tokenOf(request))
  } catch (error) {
    if (error instanceof Failure && error.code === 'not_found') return null
    throw error
  }
}

/** Whoever wants no more mail must not be left in doubt. */
function deadLink(request: PageRequest): PageAnswer {
  const told = html`<p>These reports are no longer sent, or the link was cut off on its way. If mails still come, open the link in the newest one.</p>`
  return { status: 410, body: door(request, 'This link no longer works', told) }
}

/** Mail programs send this form themselves (RFC 8058), so it needs only the token in the address. */
export async function submitUnsubscribe(request: PageRequest): Promise<PageAnswer> {
  return { body: await gone(request, await unsubscribeRecipient(request.app, tokenOf(request))) }
}

async function gone(request: PageRequest, recipient: RecipientShown): Promise<Html> {
  const sentence = html`<p>Reports of ${recipient.account_name} no longer come to you.</p>`
  return door(await inBrandOf(request, whoseIs(recipient)), 'You get no more reports', sentence)
}

function whoseIs({ account_id, partner_id }: RecipientShown) {
  return { partnerId: partner_id, accountId: account_id }
}

function askForm(request: PageRequest, verb: 'confirm' | 'unsubscribe', sentence: string, label: string): Html {
  return html`
    <p>${sentence}</p>
    <form method="post" action="/reports/${verb}/${tokenOf(request)}">${tokenField(request)}<button class="button">${label}</button></form>
  `
}

function tokenOf(request: PageRequest): string {
  return request.params['token'] ?? ''
}
