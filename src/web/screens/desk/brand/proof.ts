/** The record by which a host is proved, and what the last look at it saw. */

import { type Html, html } from '../../../../lib/html.ts'
import type { NamedHost } from '../../../../model/partners/hosts/named-hosts.ts'
import { tokenField } from '../../../components/layout.ts'
import { breakable } from '../../../components/tables.ts'
import type { PersonPageRequest } from '../../../page-request.ts'

export function proofHtml(request: PersonPageRequest, action: string, host: NamedHost): Html {
  const { record, host_name } = host
  return html`
    <p${host.missing_since === null ? null : html` class="notice wrong"`}>${standingOf(request, host)}</p>
    ${recordTable(record, host_name)}
    <form method="post" action="${action}" class="bar-row">
      ${tokenField(request)}
      <input type="hidden" name="looked" value="${host_name}">
      <button class="button soft" name="do" value="look">Look again<span class="sr"> at ${host_name}</span></button>
    </form>
  `
}

/** What is to be published for a host or an address. */
export function recordTable({ name, value }: NamedHost['record'], what: string): Html {
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label="Record of ${what}">
      <table class="stacks">
        <caption class="sr">The record to publish for ${what}</caption>
        <thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Text</th></tr></thead>
        <tbody><tr><th scope="row"><code>${breakable(name)}</code></th><td data-l="Type">TXT</td><td data-l="Text" class="wrap"><code>${breakable(value)}</code></td></tr></tbody>
      </table>
    </div>
  `
}

function standingOf({ words }: PersonPageRequest, { seen, looked_at, proved_at, missing_since, for_pages }: NamedHost): string {
  const at = looked_at === null ? '' : words.moment(looked_at)
  if (missing_since !== null)
    return `The record is missing since ${words.moment(missing_since)}. The host stays as it is, but goes to whoever else proves that it is theirs: please publish the record again.`
  if (seen === 'found' && for_pages === 'wanted')
    return 'The record is there, but another customer of this service has the host: please ask whoever runs the service.'
  if (proved_at !== null) return `The record was seen on ${words.day(proved_at.slice(0, 10))}: the host is yours.`
  if (seen === null) return 'Publish this record. It was not looked for yet.'
  if (seen === 'unknown') return `Publish this record. At ${at} the DNS did not answer; we go on looking.`
  return `Publish this record. At ${at} it was not there; a new one can take an hour until it is seen, and we go on looking.`
}
