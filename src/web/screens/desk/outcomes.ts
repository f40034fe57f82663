/** What a table of customers will make, line by line, and what is wrong in it. */

import { type Html, html } from '../../../lib/html.ts'
import type { CustomerField } from '../../../model/people/customers/customer-columns.ts'
import type { CustomerOutcome, CustomerRow, CustomerTable } from '../../../model/people/customers/customer-table.ts'
import type { PersonPageRequest } from '../../page-request.ts'
import { columnLabel, lineFaultText } from './customer-fields.ts'

export interface Look {
  readonly table: CustomerTable
  /** The mark of what is shown, so that nothing else is made. */
  readonly seen: string
  /** Null if the table lacks a column that must be there. */
  readonly outcomes: readonly CustomerOutcome[] | null
  /** Whether the table or its columns were changed after the last look. */
  readonly isChanged: boolean
  /** How many are made by now. */
  readonly done: number
  /** How many lines wait for the next time, because this one has taken long. */
  readonly left: number
}

const mostShown = 100
const longestCell = 60

export function outcomesHtml(request: PersonPageRequest, look: Look): Html {
  const { table, outcomes } = look
  if (outcomes === null)
    return notice('wrong', html`Please choose below which column is the customer and which is the domain; a table needs both.`)
  const refused = outcomes.filter(({ outcome }) => outcome === 'refused')
  return html`
    ${refused.length > 0 ? faultsHtml(request, look, refused) : look.left > 0 ? goOnHtml(request, look) : readyHtml(request, look, outcomes)}
    ${outcomes.length > 0 && look.left === 0 ? rowsHtml(request, table, outcomes) : null}
  `
}

function readyHtml({ words }: PersonPageRequest, { isChanged }: Look, outcomes: readonly CustomerOutcome[]): Html {
  const made = outcomes.filter(({ outcome }) => outcome === 'made').length
  const there = outcomes.length - made
  const kept =
    there === 0
      ? ''
      : ` ${words.count(there, 'customer is', 'customers are')} there already and ${there === 1 ? 'stays' : 'stay'} as before.`
  if (made === 0) return notice('wrong', html`There is nothing to make.${kept}`)
  return html`
    ${isChanged ? notice('wrong', html`The table has changed since you looked at it: please look once more.`) : null}
    ${notice('', html`${words.count(made, 'customer')} can be made. Nothing is made yet.${kept}`)}
    <p class="w12"><button class="button" name="do" value="make">Make ${made === 1 ? 'this customer' : `these ${words.whole(made)} customers`}</button></p>
  `
}

function goOnHtml({ words }: PersonPageRequest, { done, left }: Look): Html {
  return html`
    ${notice('', html`${words.count(done, 'customer is', 'customers are')} added, and ${words.count(left, 'line is', 'lines are')} left.`)}
    <p class="w12"><button class="button" name="do" value="make">Go on with the next ones</button></p>
  `
}

function faultsHtml({ words }: PersonPageRequest, { done, left }: Look, refused: readonly CustomerOutcome[]): Html {
  const many = words.count(refused.length, 'line has', 'lines have')
  const others = left > 0 ? `${words.whole(done)} others are made, and ${words.whole(left)} wait` : 'all others are made'
  const rest = refused.length - mostShown
  return notice(
    'wrong',
    html`
      <p>${done > 0 ? `${many} a fault, which left ${refused.length === 1 ? 'it' : 'them'} out; ${others}.` : `Nothing is made: ${many} a fault.`}</p>
      <ul>
        ${refused
          .slice(0, mostShown)
          .map(
            ({ line, name, faults }) =>
              html`<li>Line ${line}${name === '' ? '' : `, ${cut(name)}`}: ${faults.map(lineFaultText).join(' ')}</li>`,
          )}
      </ul>
      ${rest > 0 ? html`<p>And ${words.count(rest, 'more line')}.</p>` : null}
    `,
  )
}

function notice(kind: 'wrong' | '', content: Html): Html {
  return html`<div class="notice w12${kind && ` ${kind}`}" role="${kind === 'wrong' ? 'alert' : 'status'}">${content}</div>`
}

const told = { made: 'will be made', there: 'is there already', refused: 'has a fault' } as const

function rowsHtml({ words }: PersonPageRequest, table: CustomerTable, outcomes: readonly CustomerOutcome[]): Html {
  const fields = [...new Set(table.columns.flatMap(({ field }) => field ?? []))]
  const rows = table.rows.slice(0, mostShown)
  const rest = table.rows.length - rows.length
  return html`
    <section class="card w12 long">
      <h2>What is in the table</h2>
      <div class="scroll" tabindex="0" role="region" aria-label="What is in the table">
        <table class="stacks">
          <caption class="sr">Lines of the table and what becomes of each</caption>
          <thead>
            <tr><th scope="col">Line</th><th scope="col">What happens</th>${fields.map((field) => html`<th scope="col">${columnLabel(field)}</th>`)}</tr>
          </thead>
          <tbody>${rows.map((row, at) => rowHtml(fields, row, outcomes[at]?.outcome ?? 'made'))}</tbody>
        </table>
      </div>
      ${rest > 0 ? html`<p class="quiet">And ${words.count(rest, 'more line')}.</p>` : null}
    </section>
  `
}

function rowHtml(fields: readonly CustomerField[], { line, values }: CustomerRow, outcome: CustomerOutcome['outcome']): Html {
  return html`
    <tr>
      <th scope="row">${line}</th>
      <td data-l="What happens">${told[outcome]}</td>
      ${fields.map((field) => html`<td class="wrap" data-l="${columnLabel(field)}">${cut(values[field] ?? '')}</td>`)}
    </tr>
  `
}

function cut(text: string): string {
  return text.length > longestCell ? `${text.slice(0, longestCell)}…` : text
}
