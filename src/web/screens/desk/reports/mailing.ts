/** One report by mail of a customer: changed, removed, and what became of its mails. */

import { Failure, notFound } from '../../../../lib/failures.ts'
import { type Html, html } from '../../../../lib/html.ts'
import { ownEntry } from '../../../../lib/own-entry.ts'
import { idIn } from '../../../../lib/text-kinds.ts'
import type { StaffCaller } from '../../../../model/core/caller.ts'
import { type MailingFile, openMailing } from '../../../../model/dashboard/desk/mailing.ts'
import { askAgain } from '../../../../model/mail/ask-again.ts'
import { nameOfPeriod, nextMailOn, periodNamed } from '../../../../model/mail/periods.ts'
import { decideRun, type NamedRun } from '../../../../model/mail/release.ts'
import { runVersion } from '../../../../model/mail/run-version.ts'
import { sendSample } from '../../../../model/mail/sample.ts'
import { scheduleVersion } from '../../../../model/mail/schedule-version.ts'
import { changeSchedule, deleteSchedule } from '../../../../model/mail/schedules.ts'
import { staffCallerOf } from '../../../../model/people/staff/staff-rules.ts'
import { framed, tokenField } from '../../../components/layout.ts'
import { card } from '../../../components/site-frame.ts'
import { breakable } from '../../../components/tables.ts'
import { sentenceOf } from '../../../error-page.ts'
import { type PageAnswer, type PersonPageRequest, redirect } from '../../../page-request.ts'
import { mailingFields, wishesIn } from './mailing-form.ts'
import { mailText, recipientStates, rhythmNames } from './mailings-table.ts'
import { periodName, reasonsText, stateTexts } from './run-texts.ts'

const done: Readonly<Record<string, string>> = {
  added: 'The report is added.',
  changed: 'The change is saved.',
  sample: 'A report is on its way to your own address.',
  asked: 'We have asked once more by mail.',
  released: 'The report is on its way.',
  skipped: 'The report is skipped; nobody gets it.',
}

export async function showMailing(request: PersonPageRequest): Promise<PageAnswer> {
  const mailing = await openMailing(staffCallerOf(request.loggedIn.person), scheduleIdOf(request))
  const { customer, schedule, last_period } = mailing
  const told = ownEntry(done, request.query.get('done'))
  const main = html`
    <p class="crumb"><a href="/desk/reports">Reports by mail</a></p>
    <h1>${breakable(customer.name)}</h1>
    <p class="lead">
      A report ${rhythmNames[schedule.rhythm]}; the next one is due on ${request.words.day(nextMailOn(schedule.rhythm, last_period))}. <a href="/desk/customers/${customer.id}">Open the customer</a>
    </p>
    ${request.wrong === null ? null : html`<p class="notice wrong" role="alert">${request.wrong}</p>`}
    ${told && request.wrong === null ? html`<p class="notice" role="status">${told}</p>` : null}
    ${previewHtml(request)}
    <div class="grid">
      ${mailing.runs.length === 0 ? null : card(runsHtml(request, mailing), 'w12')}
      ${card(changeHtml(request, mailing), 'w12')}
      ${card(recipientsHtml(request, mailing), 'w6')}
      ${card(mailsHtml(request, mailing), 'w6', true)}
    </div>
    <form method="post" action="${request.path}" class="bar-row no-print">
      ${tokenField(request)}
      <input type="hidden" name="was" value="${scheduleVersion(schedule)}">
      <button class="button soft" name="do" value="remove">Remove this report</button>
    </form>
  `
  return { body: framed(request, { title: `Report of ${customer.name}`, main, printed: customer.name }) }
}

export async function submitMailing(request: PersonPageRequest): Promise<PageAnswer> {
  const staff = staffCallerOf(request.loggedIn.person)
  const { customer, schedule } = await openMailing(staff, scheduleIdOf(request))
  try {
    return redirect(await act(request, staff, customer.id, schedule.id))
  } catch (error) {
    if (!(error instanceof Failure) || !['conflict', 'validation_failed'].includes(error.code)) throw error
    return { wrong: sentenceOf(error), body: '' }
  }
}

/** Returns where to go on. */
async function act(request: PersonPageRequest, staff: StaffCaller, accountId: number, id: number): Promise<string> {
  const { form, path } = request
  switch (form.get('do')) {
    case 'remove':
      await deleteSchedule(staff, accountId, id, form.get('was') ?? '')
      return '/desk/reports'
    case 'sample':
      await sendSample(staff, accountId, id)
      return `${path}?done=sample`
    case 'send':
      await decideRun(staff, runIn(form, id), 'send', form.get('was') ?? '')
      return `${path}?done=released`
    case 'skip':
      await decideRun(staff, runIn(form, id), 'skip', form.get('was') ?? '')
      return `${path}?done=skipped`
    case 'ask':
      await askAgain(staff, accountId, id, idIn(form.get('recipient') ?? ''))
      return `${path}?done=asked`
    default:
      await changeSchedule(staff, accountId, id, wishesIn(request), form.get('was') ?? '')
      return `${path}?done=changed`
  }
}

function runIn(form: URLSearchParams, scheduleId: number): NamedRun {
  return { scheduleId, period: periodNamed(form.get('period') ?? '') ?? notFound('report') }
}

function runsHtml(request: PersonPageRequest, { runs }: MailingFile): Html {
  return html`
    <h2>What went and what did not</h2>
    <ul class="recipients">
      ${runs.map(
        (run) => html`
          <li>
            <a href="/desk/reports/runs/${nameOfPeriod({ rhythm: run.rhythm, from: run.period_from, to: run.period_to })}#report-${run.schedule_id}">${periodName(request.words, run)}</a> <span class="quiet">${stateTexts[run.state]}${run.reasons.length === 0 ? null : `: ${reasonsText(request.words, run.reasons)}`}</span>
            ${run.state === 'held' ? decisionForm(request, run) : null}
          </li>
        `,
      )}
    </ul>
  `
}

function decisionForm(request: PersonPageRequest, run: MailingFile['runs'][number]): Html {
  const about = html`<span class="sr"> the report of ${periodName(request.words, run)}</span>`
  return html`
    <form method="post" action="${request.path}" class="bar-row">
      ${tokenField(request)}
      <input type="hidden" name="period" value="${nameOfPeriod({ rhythm: run.rhythm, from: run.period_from, to: run.period_to })}">
      <input type="hidden" name="was" value="${runVersion(run)}">
      <button class="button soft" name="do" value="send">Send${about}</button>
      <button class="button soft" name="do" value="skip">Skip${about}</button>
    </form>
  `
}

function previewHtml(request: PersonPageRequest): Html {
  return html`
    <form method="post" action="${request.path}" class="bar-row no-print">
      ${tokenField(request)}
      <a class="button soft" href="${request.path}/preview">Read the latest report</a>
      <button class="button soft" name="do" value="sample">Send me one now</button>
    </form>
  `
}

function changeHtml(request: PersonPageRequest, { customer, schedule }: MailingFile): Html {
  return html`
    <h2>What is mailed</h2>
    <form method="post" action="${request.path}" class="row-form">
      ${tokenField(request)}
      <input type="hidden" name="was" value="${scheduleVersion(schedule)}">
      ${mailingFields(request, customer, schedule)}
      <button class="button">Save</button>
    </form>
    <p class="quiet">Whoever is added by somebody else is asked once whether they want reports.</p>
  `
}

function recipientsHtml(request: PersonPageRequest, { schedule }: MailingFile): Html {
  return html`
    <h2>Recipients</h2>
    <ul class="recipients">
      ${schedule.recipients.map(
        ({ id, email, state }) => html`
          <li>
            ${breakable(email)} <span class="quiet">${recipientStates[state]}</span>
            ${state === 'unconfirmed' ? askForm(request, id, email) : null}
          </li>
        `,
      )}
    </ul>
  `
}

function askForm(request: PersonPageRequest, id: number, email: string): Html {
  return html`
    <form method="post" action="${request.path}">
      ${tokenField(request)}
      <input type="hidden" name="recipient" value="${id}">
      <button class="button soft" name="do" value="ask">Ask again<span class="sr"> whether ${email} wants the reports</span></button>
    </form>
  `
}

function mailsHtml({ words }: PersonPageRequest, { mails }: MailingFile): Html {
  if (mails.length === 0) return html`<h2>Mails</h2><p class="quiet">Nothing has been mailed yet.</p>`
  return html`
    <h2>Mails</h2>
    <ul class="recipients">
      ${mails.map(
        ({ recipient, state, error, created_at, settled_at }) => html`
          <li>
            ${recipient === '' ? 'an address that is forgotten' : breakable(recipient)}
            <span class="quiet">${mailText(words, { state, error, at: settled_at ?? created_at })}</span>
          </li>
        `,
      )}
    </ul>
  `
}

function scheduleIdOf({ params }: PersonPageRequest): number {
  return idIn(params['schedule_id'])
}
