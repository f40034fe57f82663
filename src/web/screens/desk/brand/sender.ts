/** The address from which the mails of the partner come, with the record by which its domain lets them be signed. */

import { type Html, html } from '../../../../lib/html.ts'
import { readSender } from '../../../../lib/network/sender.ts'
import type { MailSender } from '../../../../model/partners/senders/mail-senders.ts'
import { tokenField } from '../../../components/layout.ts'
import { breakable } from '../../../components/tables.ts'
import type { PersonPageRequest } from '../../../page-request.ts'
import { recordTable } from './proof.ts'

export function senderHtml(request: PersonPageRequest, action: string, sender: MailSender | null): Html {
  const service = readSender(request.app.settings.mailFrom ?? '')?.address ?? 'the address of the service'
  const from = sender !== null && isUsed(sender) ? sender.address : service
  return html`
    <h2>Your mails</h2>
    <p>They come from <strong>${breakable(from)}</strong>, with the name of your brand before it.</p>
    <form method="post" action="${action}" class="row-form">
      ${tokenField(request)}
      <div class="field">
        <label for="sender">Address</label>
        <input id="sender" name="sender" value="${request.form.get('sender') ?? sender?.address}" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="sender-hint">
        <p class="hint" id="sender-hint">An address of your domain such as reports@acme.example, at which you read answers.</p>
      </div>
      <button class="button" name="do" value="send">Send from this address</button>
      ${sender === null ? null : html`<button class="button soft" name="do" value="unsend">Send from the address of the service</button>`}
    </form>
    ${sender === null ? null : recordHtml(request, action, sender)}
  `
}

function isUsed({ proved_at, missing_since }: MailSender): boolean {
  return proved_at !== null && missing_since === null
}

function recordHtml(request: PersonPageRequest, action: string, sender: MailSender): Html {
  const { record, address } = sender
  return html`
    <p${sender.missing_since === null ? null : html` class="notice wrong"`}>${standingOf(request, sender)}</p>
    ${recordTable(record, address)}
    <p class="quiet small">The record holds the key by which we sign your mails (DKIM). Where a name server takes at most 255 letters at a time, write the text in two parts. What cannot be delivered comes back to the service, so that you need no record for SPF.</p>
    <form method="post" action="${action}" class="bar-row">
      ${tokenField(request)}
      <button class="button soft" name="do" value="looksend">Look again<span class="sr"> for the key of ${address}</span></button>
    </form>
  `
}

function standingOf({ words }: PersonPageRequest, { seen, looked_at, proved_at, missing_since }: MailSender): string {
  const at = looked_at === null ? '' : words.moment(looked_at)
  if (missing_since !== null)
    return `The record is missing since ${words.moment(missing_since)}. Until it is there again, your mails come from the address of the service: please publish it again.`
  if (proved_at !== null) return `The record was seen on ${words.day(proved_at.slice(0, 10))}: your mails are signed by your domain.`
  if (seen === null)
    return 'Publish this record. It was not looked for yet; until it is seen, your mails come from the address of the service.'
  if (seen === 'unknown') return `Publish this record. At ${at} the DNS did not answer; we go on looking.`
  return `Publish this record. At ${at} it was not there; a new one can take an hour until it is seen, and we go on looking.`
}
