/** The form for the origins whose pages may read with tokens. */

import { type Html, html } from '../../../../lib/html.ts'
import type { StaffCaller } from '../../../../model/core/caller.ts'
import { setOrigins } from '../../../../model/partners/keys/origins.ts'
import { fieldHtml } from '../../../components/fields.ts'
import { tokenField } from '../../../components/layout.ts'
import { type PageAnswer, type PersonPageRequest, redirect } from '../../../page-request.ts'

const field = {
  name: 'origins',
  label: 'Pages of these origins',
  hint: 'Such as https://portal.example, one a line; at most 20.',
  rows: 3,
  sentences: { invalid: 'Please type origins such as https://portal.example, without a path.' },
} as const

export function originsHtml(request: PersonPageRequest, origins: string): Html {
  const isSent = request.form.get('do') === 'origins'
  return html`
    <div class="ways">
    <h2>Pages that show figures of yours</h2>
    <p>A portal of yours may show what was measured: a program makes a token that reads one site or account for a while (<code>POST /api/tokens</code>), and a page asks with it. Browsers let pages of these origins alone read the answers.</p>
    <form method="post" action="/desk/developers" class="fields">
      ${tokenField(request)}
      <input type="hidden" name="was" value="${isSent ? request.form.get('was') : origins}">
      ${fieldHtml(request, field, origins.replaceAll(' ', '\n'))}
      <p class="bar-row"><button class="button soft" name="do" value="origins">Save the origins</button></p>
    </form>
    </div>
  `
}

export async function submitOrigins({ form }: PersonPageRequest, staff: StaffCaller): Promise<PageAnswer> {
  await setOrigins(staff, form.get('origins') ?? '', form.get('was') ?? '')
  return redirect('/desk/developers?done=switched')
}
