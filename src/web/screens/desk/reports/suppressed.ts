/** The addresses to which the partner sends nothing that nobody asked for, and the button that takes one off. */

import { Failure } from '../../../../lib/failures.ts'
import { type Html, html } from '../../../../lib/html.ts'
import { idIn } from '../../../../lib/text-kinds.ts'
import { endSuppression, listSuppressions } from '../../../../model/mail/suppressions.ts'
import { staffCallerOf } from '../../../../model/people/staff/staff-rules.ts'
import type { Suppression } from '../../../../resources/schedule.ts'
import { keptFields } from '../../../components/components.ts'
import { framed, tokenField } from '../../../components/layout.ts'
import { breakable } from '../../../components/tables.ts'
import { hrefWith, type PageAnswer, type PersonPageRequest, redirect } from '../../../page-request.ts'

const reasons = { unsubscribed: 'They unsubscribed', refused: 'The mail server knows no such address' } as const

export async function showSuppressed(request: PersonPageRequest): Promise<PageAnswer> {
  const staff = staffCallerOf(request.loggedIn.person)
  if (staff.customers === 'assigned') return showNone(request)
  const email = (request.query.get('q') ?? '').trim()
  const { items, next } = await listSuppressions(staff, staff.partnerId, request.query.get('after') ?? undefined, {
    ...(email !== '' && { like: email }),
  })
  const main = html`
    <p class="crumb"><a href="/desk/reports">Reports by mail</a></p>
    <h1>Addresses without mail</h1>
    ${request.query.has('done') ? html`<p class="notice" role="status">The address may be mailed again.</p>` : null}
    <p class="lead">Whoever unsubscribed is not asked again. An address that the mail server has called unknown on two days gets neither reports nor invitations.</p>
    <form class="filters no-print" action="/desk/reports/suppressed">
      ${keptFields(request, ['q', 'after', 'done'])}
      <label for="address">
        Find an address
        <input id="address" type="email" name="q" value="${email}" autocomplete="off">
      </label>
      <button class="button soft">Search</button>
    </form>
    ${items.length === 0 ? html`<p class="quiet">${email === '' ? 'There is none.' : 'No address on the list looks like this one.'}</p>` : tableHtml(request, items)}
    ${next === null ? null : html`<p class="no-print"><a href="${hrefWith(request, { after: next, done: null })}">More</a></p>`}
  `
  return { body: framed(request, { title: 'Addresses without mail', main, printed: 'Addresses without mail' }) }
}

/** The list is that of all customers. */
function showNone(request: PersonPageRequest): PageAnswer {
  const main = html`
    <p class="crumb"><a href="/desk/reports">Reports by mail</a></p>
    <h1>Addresses without mail</h1>
    <p class="lead">Colleagues who look after all customers see this list: ask one of them, or an admin.</p>
  `
  return { body: framed(request, { title: 'Addresses without mail', main }) }
}

export async function submitSuppressed(request: PersonPageRequest): Promise<PageAnswer> {
  const staff = staffCallerOf(request.loggedIn.person)
  try {
    await endSuppression(staff, staff.partnerId, idIn(request.form.get('entry') ?? undefined))
  } catch (error) {
    // A colleague has taken it off meanwhile, which is what was wanted.
    if (!(error instanceof Failure) || error.code !== 'not_found') throw error
  }
  return redirect('/desk/reports/suppressed?done=1')
}

function tableHtml(request: PersonPageRequest, items: readonly Suppression[]): Html {
  return html`
    <section class="card list long" aria-label="Addresses without mail">
      <table class="stacks">
        <caption class="sr">Addresses without mail, with the reason of each</caption>
        <thead><tr><th scope="col">Address</th><th scope="col">Why</th><th scope="col" class="n">Since</th><th scope="col" class="n no-print"><span class="sr">Mail again</span></th></tr></thead>
        <tbody>${items.map((one) => rowHtml(request, one))}</tbody>
      </table>
    </section>
  `
}

function rowHtml(request: PersonPageRequest, { id, address, reason, created_at }: Suppression): Html {
  const shown = address === '' ? 'an erased person' : address
  return html`
    <tr>
      <th scope="row">${breakable(shown)}</th>
      <td class="wrap" data-l="Why">${reasons[reason]}</td>
      <td class="n" data-l="Since">${request.words.shortDay(created_at.slice(0, 10))}</td>
      <td class="n no-print">
        <form method="post" action="/desk/reports/suppressed">${tokenField(request)}<input type="hidden" name="entry" value="${id}"><button class="button soft" aria-label="Mail ${shown} again">Mail again</button></form>
      </td>
    </tr>
  `
}
