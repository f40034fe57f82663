/** The table of the reports of a period: each with why it waits, a sentence for its readers, and what can be done with it. */

import { type Html, html } from '../../../../lib/html.ts'
import type { RunLine, runMails } from '../../../../model/dashboard/desk/report-run.ts'
import { type NamedPeriod, nameOfPeriod } from '../../../../model/mail/periods.ts'
import { runVersion } from '../../../../model/mail/run-version.ts'
import { tokenField } from '../../../components/layout.ts'
import type { Words } from '../../../components/number-format.ts'
import { breakable } from '../../../components/tables.ts'
import { hrefWith, type PersonPageRequest } from '../../../page-request.ts'
import { reasonsText } from './run-texts.ts'

/** What is or will be with a report, in the order in which they are listed. */
// biome-ignore format: a table reads by its columns
export const standings = {
  held:    { label: 'Held',          counted: 'held',                     says: 'held' },
  ready:   { label: 'Ready',         counted: 'ready',                    says: 'ready to be sent' },
  holding: { label: 'Would be held', counted: 'would be held',            says: 'would be held' },
  waiting: { label: 'Will wait',     counted: 'will wait to be sent',     says: 'will wait to be sent' },
  going:   { label: 'Will go',       counted: 'will go by themselves',    says: 'will go by itself' },
  missed:  { label: 'Not sent',      counted: 'not sent, and too late',   says: 'not sent: nobody let it go' },
  skipped: { label: 'Skipped',       counted: 'skipped',                  says: 'skipped' },
  sent:    { label: 'Sent',          counted: 'sent',                     says: 'sent' },
} as const

export type RunStanding = keyof typeof standings

export function standingOf({ state, release, reasons }: RunLine): RunStanding {
  switch (state) {
    case 'held':
      return reasons.length > 0 ? 'held' : 'ready'
    case 'released':
      return 'sent'
    case 'skipped':
    case 'missed':
      return state
    case 'ahead':
      if (release === 'by_hand') return 'waiting'
      return release === 'unless_wrong' && reasons.length > 0 ? 'holding' : 'going'
  }
}

export function isReady(line: RunLine): boolean {
  return standingOf(line) === 'ready'
}

type Mails = Awaited<ReturnType<typeof runMails>>

export function runHtml(request: PersonPageRequest, period: NamedPeriod, lines: readonly RunLine[], mails: Mails): Html {
  return html`
    <section class="card list long" aria-label="Reports of the period">
      <table id="run" class="stacks${request.query.get('rows') === 'all' ? null : ' top-ten'}">
        <caption class="sr">Reports with what is or will be with each</caption>
        <thead><tr><th scope="col">Customer</th><th scope="col">Report</th><th scope="col" class="no-print">To do</th></tr></thead>
        <tbody>${lines.map((line) => rowHtml(request, period, line, mails))}</tbody>
      </table>
    </section>
  `
}

function rowHtml(request: PersonPageRequest, period: NamedPeriod, line: RunLine, mails: Mails): Html {
  const { words } = request
  const { schedule_id: id, customer, recipients, reasons, sentence } = line
  const standing = standingOf(line)
  const why = reasons.length === 0 ? null : html`<small class="wrap">${reasonsText(words, reasons)}</small>`
  return html`
    <tr id="report-${id}">
      <th scope="row">
        <a class="rowlink" href="/desk/reports/${id}">${breakable(customer)}</a>
        <small>${words.count(recipients, 'recipient')}</small>
      </th>
      <td class="wrap" data-l="Report">
        ${standings[standing].says}${standing === 'sent' ? mailsText(words, line, mails.get(id)) : null} ${why}
        ${sentence !== '' && !isOpen(standing) ? html`<small class="wrap">With this sentence: ${sentence}</small>` : null}
      </td>
      <td class="no-print" data-l="To do">
        <a href="/desk/reports/${id}/preview?period=${nameOfPeriod(period)}">Read<span class="sr"> the report of ${customer}</span></a>
        ${isOpen(standing) ? decideHtml(request, line) : null}
      </td>
    </tr>
  `
}

function isOpen(standing: RunStanding): boolean {
  return standing !== 'sent' && standing !== 'missed'
}

/** What was typed stays if it is refused. */
function decideHtml(request: PersonPageRequest, line: RunLine): Html {
  const { schedule_id: id, customer, state, sentence } = line
  const isTyped = request.wrong !== null && request.form.get('schedule') === String(id)
  const text = isTyped ? (request.form.get('sentence') ?? '') : sentence
  const about = html`<span class="sr"> for ${customer}</span>`
  return html`
    <form method="post" action="${hrefWith(request, { done: null })}" class="decide">
      ${tokenField(request)}
      <input type="hidden" name="schedule" value="${id}">
      <input type="hidden" name="was" value="${runVersion(line)}">
      <details${text !== '' ? html` open` : null}>
        <summary>A sentence${about}</summary>
        <label class="sr" for="sentence-${id}">A sentence to the recipients of ${customer}</label>
        <textarea id="sentence-${id}" name="sentence" rows="3" maxlength="600">${text.startsWith('\n') ? '\n' : null}${text}</textarea>
        <button class="button soft" name="do" value="note">Save<span class="sr"> the sentence</span>${about}</button>
      </details>
      ${state === 'ahead' ? null : html`<button class="button soft" name="do" value="send">${state === 'skipped' ? 'Send after all' : 'Send'}${about}</button>`}
      ${state === 'skipped' ? null : html`<button class="button soft" name="do" value="skip">Skip${about}</button>`}
    </form>
  `
}

function mailsText(words: Words, { recipients }: RunLine, mails: ReturnType<Mails['get']>): string {
  if (mails === undefined && recipients === 0) return ' to nobody: no recipient had confirmed'
  const { queued = 0, sending = 0, failed = 0, uncertain = 0 } = mails ?? {}
  const told = [
    ...(queued + sending > 0 ? [`${words.whole(queued + sending)} on the way`] : []),
    ...(failed > 0 ? [`${words.whole(failed)} refused for good`] : []),
    ...(uncertain > 0 ? [`${words.whole(uncertain)} may not have arrived`] : []),
  ]
  return told.length === 0 ? '' : `; ${told.join(', ')}`
}
