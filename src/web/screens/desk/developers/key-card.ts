/** One key: what it may do, and the forms by which an admin rotates or revokes it. */

import { draftOf } from '../../../../fields/read.ts'
import { type Html, html } from '../../../../lib/html.ts'
import { idIn } from '../../../../lib/text-kinds.ts'
import type { StaffCaller } from '../../../../model/core/caller.ts'
import type { Developers } from '../../../../model/dashboard/desk/developers.ts'
import { keyState, rotateAnyKey } from '../../../../model/partners/keys/admin-keys.ts'
import { keyRotation } from '../../../../resources/key.ts'
import { fieldHtml } from '../../../components/fields.ts'
import { tokenField } from '../../../components/layout.ts'
import { breakable } from '../../../components/tables.ts'
import type { PageAnswer, PersonPageRequest } from '../../../page-request.ts'
import { freshKeyPage } from './fresh-key.ts'
import { keyTitle, scopeNames, scopeWords } from './key-words.ts'

type OpenKey = NonNullable<Developers['chosen']>

const graces = [
  ['7', 'a week'],
  ['30', '30 days'],
  ['1', 'a day'],
  ['0', 'no time: it ends at once'],
] as const

export function keyCard(request: PersonPageRequest, key: OpenKey): Html {
  const { words } = request
  return html`
    <h2>${breakable(keyTitle(key))}</h2>
    <p class="quiet">It begins with <code>mq_${key.public_part}</code>, is there since ${words.moment(key.created_at)}${key.issued_by === null ? '' : ' and was issued with another key'},
      and was ${key.last_used_at === null ? 'never used' : `last used ${words.moment(key.last_used_at)}`}.</p>
    <p>It may:</p>
    <ul>${scopeNames(key).map((scope) => html`<li>${scopeWords[scope]} <span class="quiet">(${scope})</span></li>`)}</ul>
    ${key.limitedTo === null ? null : html`<p>Only of ${words.count(key.limitedTo, 'customer')}: ${key.customers.join(', ')}.</p>`}
    ${key.writes_directly === 1 ? html`<p>An agent may write with it without trying first.</p>` : null}
    ${key.isLive ? formsHtml(request, key) : html`<p>${endSentence(request, key)}</p>`}
    <p><a href="/desk/developers">Close</a></p>
  `
}

function endSentence({ words }: PersonPageRequest, { revoked_at, expires_at }: OpenKey): string {
  return revoked_at === null ? `It ended ${words.moment(expires_at ?? '')}.` : `It was revoked ${words.moment(revoked_at)}.`
}

function formsHtml(request: PersonPageRequest, key: OpenKey): Html {
  const { words } = request
  const hidden = html`${tokenField(request)}<input type="hidden" name="key" value="${key.id}">`
  const issued =
    key.issued === 0 ? '' : `, and so does what ${words.count(key.issued, 'key that was', 'keys that were')} issued with it may do`
  return html`
    <form method="post" action="/desk/developers" class="row-form">
      ${hidden}
      <input type="hidden" name="was" value="${keyState(key)}">
      ${fieldHtml(request, { name: 'grace_days', label: 'A new key in place of this one, which goes on for', options: graces }, '7')}
      <button class="button soft" name="do" value="rotate">Rotate</button>
    </form>
    <form method="post" action="/desk/developers" class="row-form">
      ${hidden}
      <label class="check"><input type="checkbox" name="sure" value="yes"> <span>The programs that use it may stop at once${issued}.</span></label>
      <button class="button soft" name="do" value="revoke">Revoke</button>
    </form>
  `
}

export async function submitRotation(request: PersonPageRequest, staff: StaffCaller): Promise<PageAnswer> {
  const { form } = request
  const wanted = draftOf(keyRotation, { grace_days: form.get('grace_days') ?? undefined })
  return freshKeyPage(request, await rotateAnyKey(staff, idIn(form.get('key') ?? ''), wanted, form.get('was') ?? ''))
}
