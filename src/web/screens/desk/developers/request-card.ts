/** One answer of the log, with the sentence of its problem. */

import { type Html, html } from '../../../../lib/html.ts'
import type { LoggedRequest } from '../../../../model/partners/keys/requests.ts'
import { problems } from '../../../../resources/problem.ts'
import { hrefWith, type PersonPageRequest } from '../../../page-request.ts'

export function requestCard(request: PersonPageRequest, row: LoggedRequest, keys: ReadonlyMap<string, string>): Html {
  const { words, app } = request
  const { code, public_part: part } = row
  const parameters = row.parameters === '' ? [] : row.parameters.split('&')
  return html`
    <div class="ways">
      <h2>${row.method} ${row.path}</h2>
      <p>${sentencesOf(row)}</p>
      <ul>
        <li>Status ${row.status}${code === null ? null : html`: <a href="${app.settings.baseUrl}/docs/errors#${code}">${code}</a>`}</li>
        <li>${words.moment(row.at)} (${row.at.slice(11, 19)} UTC), after ${words.decimal(row.tenths / 10)} ms</li>
        <li>Key: ${part === null ? 'none' : html`${keys.get(part) ?? 'one that is gone'} <code>mq_${part}…</code>`}</li>
        <li>Parameters: ${parameters.length === 0 ? 'none' : parameters.map((one, index) => html`${index === 0 ? '' : ', '}<code>${one}</code>`)}</li>
      </ul>
      <h3>Request id</h3>
      <pre class="copied" tabindex="0" role="group" aria-label="Request id">${row.request_id}</pre>
      <p><a href="${hrefWith(request, { open: null })}">Close</a></p>
    </div>
  `
}

function sentencesOf({ status, code, sentence }: LoggedRequest): string {
  const general = code !== null && Object.hasOwn(problems, code) ? problems[code as keyof typeof problems].sentence : null
  if (general === null) return status < 400 ? 'It was answered.' : 'It was refused.'
  return sentence === null ? `${general}.` : `${general}: ${sentence}.`
}
