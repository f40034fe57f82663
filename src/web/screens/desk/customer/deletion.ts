/** Deletes a customer after what goes was shown, lists those who are deleted, and brings them back. */

import { createHash } from 'node:crypto'
import { Failure } from '../../../../lib/failures.ts'
import { type Html, html } from '../../../../lib/html.ts'
import { idIn } from '../../../../lib/text-kinds.ts'
import { listColleagues } from '../../../../model/dashboard/desk/customers.ts'
import {
  deleteAccount,
  findGoing,
  type Going,
  listDeletedAccounts,
  previewDeletion,
  restoreAccount,
} from '../../../../model/partners/deleted-accounts.ts'
import { staffCallerOf } from '../../../../model/people/staff/staff-rules.ts'
import { framed, tokenField } from '../../../components/layout.ts'
import { card } from '../../../components/site-frame.ts'
import { breakable } from '../../../components/tables.ts'
import { sentenceOf } from '../../../error-page.ts'
import { type PageAnswer, type PersonPageRequest, redirect } from '../../../page-request.ts'
import { actorName } from './sees.ts'

export async function showDeletion(request: PersonPageRequest): Promise<PageAnswer> {
  const goes = await findGoing(staffCallerOf(request.loggedIn.person), idIn(request.params['account_id']))
  const back = `/desk/customers/${goes.account_id}`
  const main = html`
    <p class="crumb"><a href="/desk">Customers</a> › <a href="${back}">${breakable(goes.name)}</a></p>
    <h1>Delete ${breakable(goes.name)}?</h1>
    ${request.wrong === null ? null : html`<p class="notice wrong" role="alert">${request.wrong}</p>`}
    <div class="grid">${card(html`<h2>What goes</h2><ul class="recipients">${goingTexts(request, goes).map((text) => html`<li>${text}</li>`)}</ul>`, 'w12')}</div>
    <p>
      Nobody finds the customer then, its people cannot log in and no mail goes out.
      ${goes.kept_until === null ? 'It can be brought back by you or a colleague at any time.' : `Until ${request.words.day(goes.kept_until.slice(0, 10))} you or a colleague can bring all of it back; after that it is gone for good.`}
    </p>
    <form method="post" action="${request.path}" class="bar-row">
      ${tokenField(request)}
      <input type="hidden" name="seen" value="${markOf(goes)}">
      <button class="button">Delete this customer</button>
      <a class="button soft" href="${back}">Keep it</a>
    </form>
  `
  return { body: framed(request, { title: `Delete ${goes.name}`, main }) }
}

function goingTexts({ words }: PersonPageRequest, goes: Going): string[] {
  const { sites, businesses, users, abilities, share_links, schedules, mails, uploads } = goes
  return [
    `${words.count(sites, 'site')} of ${words.count(businesses, 'business', 'businesses')}, with everything that was measured`,
    `${words.count(users, 'person', 'people')} who can log in`,
    `what people of other customers may see here: ${words.count(abilities, 'permission')}`,
    words.count(share_links, 'link', 'links'),
    `${words.count(schedules, 'report')} by mail, and ${words.count(mails, 'mail')} that wait`,
    `${words.count(uploads, 'file')} that are being stored`,
  ]
}

export async function submitDeletion(request: PersonPageRequest): Promise<PageAnswer> {
  const staff = staffCallerOf(request.loggedIn.person)
  const id = idIn(request.params['account_id'])
  try {
    const { confirm, ...goes } = await previewDeletion(staff, id)
    if (request.form.get('seen') !== markOf(goes))
      return { wrong: 'What goes has changed since you looked at it. Please look at it again.', body: '' }
    await deleteAccount(staff, id, confirm)
    return redirect(`/desk/deleted?deleted=${id}`)
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'conflict') throw error
    return { wrong: sentenceOf(error), body: '' }
  }
}

/** Of what was shown; the day until which it is kept goes on while somebody thinks. */
function markOf({ kept_until: _, ...goes }: Going): string {
  return createHash('sha256').update(JSON.stringify(goes)).digest('base64url')
}

type DeletedAccount = Awaited<ReturnType<typeof listDeletedAccounts>>[number]

export async function showDeleted(request: PersonPageRequest): Promise<PageAnswer> {
  const staff = staffCallerOf(request.loggedIn.person)
  const deleted = (await listDeletedAccounts(staff)).filter(({ is_ending }) => !is_ending)
  const people = new Map((await listColleagues(staff)).map(({ id, name }) => [id, name]))
  const done = deleted.find(({ id }) => String(id) === request.query.get('deleted'))
  const main = html`
    <p class="crumb"><a href="/desk">Customers</a></p>
    <h1>Deleted customers</h1>
    ${done === undefined ? null : html`<p class="notice" role="status">${done.name} is deleted.</p>`}
    ${deleted.length === 0 ? html`<p class="lead">There is none that could be brought back.</p>` : listHtml(request, deleted, people)}
  `
  return { body: framed(request, { title: 'Deleted customers', main, printed: 'Deleted customers' }) }
}

function listHtml(request: PersonPageRequest, deleted: readonly DeletedAccount[], people: ReadonlyMap<number, string>): Html {
  return html`
    <p class="lead">Bringing one back brings all of it: sites and figures, people and what they see, links and mails.</p>
    <section class="card list long" aria-label="Deleted customers">
      <table class="stacks">
        <caption class="sr">Deleted customers that can be brought back</caption>
        <thead><tr><th scope="col">Customer</th><th scope="col">Deleted</th><th scope="col" class="n">Kept until</th><th scope="col" class="n no-print"><span class="sr">Bring back</span></th></tr></thead>
        <tbody>${deleted.map((one) => deletedRow(request, one, people))}</tbody>
      </table>
    </section>
  `
}

function deletedRow(request: PersonPageRequest, deleted: DeletedAccount, people: ReadonlyMap<number, string>): Html {
  const { id, name, deleted_at, kept_until, actor } = deleted
  const { words } = request
  return html`
    <tr>
      <th scope="row">${breakable(name)}</th>
      <td class="wrap" data-l="Deleted">${words.moment(deleted_at)}, by ${actorName(people, actor)}</td>
      <td class="n" data-l="Kept until">${kept_until === null ? 'no end' : words.shortDay(kept_until.slice(0, 10))}</td>
      <td class="n no-print">
        <form method="post" action="/desk/deleted/${id}">${tokenField(request)}<button class="button soft" aria-label="Bring back ${name}">Bring back</button></form>
      </td>
    </tr>
  `
}

export async function submitRestore({ loggedIn, params }: PersonPageRequest): Promise<PageAnswer> {
  const { id } = await restoreAccount(staffCallerOf(loggedIn.person), idIn(params['account_id']))
  return redirect(`/desk/customers/${id}?done=restored`)
}
