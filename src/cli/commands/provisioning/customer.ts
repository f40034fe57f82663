/** `marquee customer`: accounts as their partners look after them. */

import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { draftOf } from '../../../fields/read.ts'
import { refuse } from '../../../lib/failures.ts'
import type { OperatorCaller } from '../../../model/core/caller.ts'
import {
  archiveCustomer,
  changeCustomer,
  deactivateCustomer,
  findCustomer,
  reactivateCustomer,
  unarchiveCustomer,
} from '../../../model/partners/customers.ts'
import { findPartner } from '../../../model/partners/partners.ts'
import { makeCustomers, readCustomerTable } from '../../../model/people/customers/customer-table.ts'
import { createCustomer } from '../../../model/people/customers/new-customers.ts'
import { type CustomerRecord, changedCustomer, newCustomer } from '../../../resources/account.ts'
import { fullSentence } from '../../../resources/problem.ts'
import { type OperatorInput, type Output, UsageError } from '../../command.ts'
import { counted } from '../../print.ts'

export async function add({ caller, number, text }: OperatorInput): Promise<Output> {
  const partner = await findPartner(caller, number('partner') ?? 0)
  const given = Object.fromEntries(Object.keys(newCustomer).map((name) => [name, text(name.replaceAll('_', '-'))]))
  const { id: _, ...customer } = await createCustomer(caller, partner.id, draftOf(newCustomer, given), { colleague: text('colleague') })
  return { document: { customer } }
}

/** What will be made is told with --dry-run; without it, it is told and made. */
export async function importTable({ caller, number, word, text, has }: OperatorInput): Promise<Output> {
  const partner = await findPartner(caller, number('partner') ?? 0)
  const { size } = await stat(word)
  if (size > largestTable)
    refuse('bad_request', `The table has ${counted(size, 'byte')}: at most ${counted(largestTable, 'byte')} are taken at once`)
  const table = await readCustomerTable(createReadStream(word), { names: columnsIn(text('columns') ?? '') })
  const outcomes = await makeCustomers(has('dry-run') ? { ...caller, isDryRun: true } : caller, partner.id, table)
  const customers = outcomes.map(({ faults, ...row }) => ({ ...row, faults: faults.map(fullSentence).join('; ') }))
  const refused = customers.filter(({ outcome }) => outcome === 'refused').length
  const made = customers.filter(({ outcome }) => outcome === 'made').length
  const ignored = table.columns.filter(({ name, field }) => field === undefined && name.trim() !== '').map(({ name }) => name)
  const notRead = ignored.length === 0 ? '' : ` These columns were not read: ${ignored.join(', ')}.`
  const note =
    refused > 0
      ? `Nothing was made, because ${counted(refused, 'line')} must be mended.`
      : `${counted(made, 'customer')} ${has('dry-run') ? 'would be' : made === 1 ? 'was' : 'were'} made.`
  const columns = ['line', 'name', 'domain', 'outcome', 'account_id', 'faults']
  return { document: { customers }, columns, note: note + notRead, exitCode: refused > 0 ? 1 : 0 }
}

const largestTable = 1 << 20

/** `Firma=name,Seite=domain` */
function columnsIn(text: string): Record<string, string> {
  const pairs = text.split(',').filter((pair) => pair.trim() !== '')
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.lastIndexOf('=')
      if (at < 1) throw new UsageError(`A column is told as "Name of the column=field", not as ${pair}.`)
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
    }),
  )
}

export const show = printed(findCustomer)
export const deactivate = printed(deactivateCustomer)
export const reactivate = printed(reactivateCustomer)
export const archive = printed(archiveCustomer)
export const unarchive = printed(unarchiveCustomer)

export async function set({ caller, id, text }: OperatorInput): Promise<Output> {
  const tags = text('tags')
  return { document: { customer: await changeCustomer(caller, id, draftOf(changedCustomer, tags === undefined ? {} : { tags })) } }
}

function printed(act: (caller: OperatorCaller, id: number) => Promise<CustomerRecord>) {
  return async ({ caller, id }: OperatorInput): Promise<Output> => ({ document: { customer: await act(caller, id) } })
}
