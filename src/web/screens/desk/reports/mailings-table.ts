/** The table of reports by mail: a line for each schedule, with what became of the latest mail to each recipient. */

import { type Html, html } from '../../../../lib/html.ts'
import type { MailedRecipient, Mailing, SentMail } from '../../../../model/dashboard/desk/mailings.ts'
import { type SortHead, type Sorting, sortHeads } from '../../../components/components.ts'
import type { Words } from '../../../components/number-format.ts'
import { breakable } from '../../../components/tables.ts'
import type { PersonPageRequest } from '../../../page-request.ts'
import { unsentText } from './run-texts.ts'

export type MailingState = 'held' | 'unsent' | 'refused' | 'uncertain' | 'waiting' | 'unconfirmed' | 'unsubscribed'

export const stateLabels: Record<MailingState, string> = {
  held: 'Held',
  unsent: 'Not sent',
  refused: 'Refused',
  uncertain: 'May not have arrived',
  waiting: 'Waiting',
  unconfirmed: 'Not confirmed',
  unsubscribed: 'Unsubscribed',
}

/** Whether its report waits or was not sent, or the latest mail to any of the recipients, or the recipient, is in this state. */
export function isAbout({ recipients, unsent }: Mailing, state: MailingState): boolean {
  if (state === 'held' || state === 'unsent') return unsent.some((run) => (run.state === 'held') === (state === 'held'))
  return recipients.some((recipient) => stateOf(recipient) === state)
}

function stateOf({ state, mail }: MailedRecipient): MailingState | null {
  if (state !== 'active') return state
  switch (mail?.state) {
    case 'failed':
      return 'refused'
    case 'uncertain':
      return 'uncertain'
    case 'queued':
    case 'sending':
      return 'waiting'
    case 'sent':
    case undefined:
      return null
  }
}

// biome-ignore format: a table reads by its columns
export const mailingHeads: readonly (SortHead & { keyOf: (mailing: Mailing) => string | number | null })[] = [
  { key: 'customer', label: 'Customer',   keyOf: ({ customer }) => customer.toLowerCase() },
  { key: 'to',       label: 'Recipients', keyOf: ({ recipients }) => recipients[0]?.email ?? null },
  { key: 'rhythm',   label: 'How often',  keyOf: ({ rhythm }) => rhythm },
  { key: 'last',     label: 'Last mail',  keyOf: ({ lastOn }) => lastOn, isNumber: true },
  { key: 'next',     label: 'Next mail',  keyOf: ({ nextOn }) => nextOn, isNumber: true },
]

export function mailingsHtml(request: PersonPageRequest, mailings: readonly Mailing[], sorting: Sorting): Html {
  return html`
    <section class="card list long" aria-label="Reports by mail">
      <table id="mailings" class="stacks${request.query.get('rows') === 'all' ? null : ' top-ten'}">
        <caption class="sr">Reports by mail with their recipients</caption>
        <thead>${sortHeads(request, mailingHeads, sorting)}</thead>
        <tbody>${mailings.map((mailing) => rowHtml(request, mailing))}</tbody>
      </table>
    </section>
  `
}

function rowHtml({ words }: PersonPageRequest, { id, customer, sites, recipients, rhythm, lastOn, nextOn, unsent }: Mailing): Html {
  return html`
    <tr>
      <th scope="row">
        <a class="rowlink" href="/desk/reports/${id}">${breakable(customer)}</a>
        <small>${sites === null ? 'every site' : words.count(sites, 'site')}</small>
        ${unsent.map((run) => html`<small class="unsent">${unsentText(words, run)}</small>`)}
      </th>
      <td class="wrap" data-l="Recipients">
        ${recipients.map((recipient) => html`<div>${breakable(recipient.email)} <span class="quiet">${toldOf(words, recipient)}</span></div>`)}
      </td>
      <td data-l="How often">${rhythmNames[rhythm]}</td>
      <td class="n" data-l="Last mail">${lastOn === null ? html`<span class="quiet">none yet</span>` : words.shortDay(lastOn)}</td>
      <td class="n" data-l="Next mail">${words.shortDay(nextOn)}</td>
    </tr>
  `
}

export const rhythmNames = { weekly: 'every week', monthly: 'every month' } as const

/** What is known of a recipient and of the latest mail to them. */
function toldOf(words: Words, { state, mail }: MailedRecipient): string {
  if (state !== 'active') return recipientStates[state]
  return mail === null ? recipientStates.active : mailText(words, mail)
}

export const recipientStates = {
  active: 'gets the next one',
  unconfirmed: 'has not confirmed yet',
  unsubscribed: 'has unsubscribed',
} as const

/** What became of a mail. What comes back later as mail is not known. */
export function mailText(words: Words, { state, at, error }: SentMail): string {
  const day = words.shortDay(at.slice(0, 10))
  switch (state) {
    case 'queued':
      return error === null ? 'is waiting to be sent' : `is waiting; the last try failed: ${error}`
    case 'sending':
      return 'is being sent'
    case 'sent':
      return `sent on ${day}`
    case 'failed':
      return `refused for good on ${day}: ${error ?? 'no reason was given'}`
    case 'uncertain':
      return `may not have arrived on ${day}`
  }
}
