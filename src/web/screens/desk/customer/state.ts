/** Deactivates and archives a customer as a whole, and takes both back. */

import { type Html, html } from '../../../../lib/html.ts'
import type { StaffCaller } from '../../../../model/core/caller.ts'
import { archiveCustomer, deactivateCustomer, reactivateCustomer, unarchiveCustomer } from '../../../../model/partners/customers.ts'
import type { CustomerRecord } from '../../../../resources/account.ts'
import { tokenField } from '../../../components/layout.ts'
import { card } from '../../../components/site-frame.ts'
import { type PageAnswer, type PersonPageRequest, redirect } from '../../../page-request.ts'

interface StateAct {
  readonly act: (caller: StaffCaller, id: number) => Promise<CustomerRecord>
  readonly label: string
  readonly done: string
}

// biome-ignore format: a table reads by its columns
const states: Readonly<Record<string, StateAct>> = {
  pause:     { act: deactivateCustomer, label: 'Deactivate',              done: 'The customer is deactivated.' },
  resume:    { act: reactivateCustomer, label: 'Bring back',              done: 'What was deactivated together is active again.' },
  archive:   { act: archiveCustomer,    label: 'Archive',                 done: 'The customer is archived.' },
  unarchive: { act: unarchiveCustomer,  label: 'Take out of the archive', done: 'The customer is no longer archived.' },
}

type Act = (request: PersonPageRequest, staff: StaffCaller, id: number) => Promise<PageAnswer>

/** What the buttons of the card do. */
export const stateActs: Readonly<Record<string, Act>> = Object.fromEntries(
  Object.entries(states).map(([name, { act }]): [string, Act] => [
    name,
    async (_, staff, id) => {
      await act(staff, id)
      return redirect(`/desk/customers/${id}?done=${name}`)
    },
  ]),
)

/** What is said afterwards. */
export const stateDone: Readonly<Record<string, string>> = {
  restored: 'The customer is back, with everything as it was.',
  ...Object.fromEntries(Object.entries(states).map(([name, { done }]) => [name, done])),
}

export function stateCard(request: PersonPageRequest, staff: StaffCaller, customer: CustomerRecord): Html {
  const { active_businesses, deactivated_together, archived_at } = customer
  const { words } = request
  const together = words.count(deactivated_together, 'business', 'businesses')
  return card(
    html`
      <h2>Pause or end</h2>
      <form method="post" action="/desk/customers/${customer.account_id}" class="choices">
        ${tokenField(request)}
        ${active_businesses > 0 ? choiceHtml('pause', `All active businesses at once (${words.whole(active_businesses)}). They are remembered, and come back together.`) : null}
        ${deactivated_together > 0 ? choiceHtml('resume', `${together} deactivated together; what was deactivated before stays as it is.`) : null}
        ${
          archived_at === null
            ? choiceHtml('archive', 'Hides the customer from the lists of the desk, and no more mail goes to it. Everything else stays.')
            : choiceHtml(
                'unarchive',
                `Archived since ${words.day(archived_at.slice(0, 10))}: hidden from the lists of the desk, and no mail goes to it.`,
              )
        }
        ${customer.account_id === staff.accountId ? null : deleteLink(customer.account_id)}
      </form>
    `,
    'w12',
  )
}

function choiceHtml(name: string, says: string): Html {
  return html`<p><button class="button soft" name="do" value="${name}">${states[name]?.label}</button> <span class="quiet">${says}</span></p>`
}

function deleteLink(id: number): Html {
  return html`
    <p>
      <a class="button soft" href="/desk/customers/${id}/delete">Delete…</a>
      <span class="quiet">Shows first what goes, and asks once more.</span>
    </p>
  `
}
