/** Makes customers from the rows of a table: each row in a transaction of its own, and nothing before every row is found to be good. */

import { draftOf } from '../../../fields/read.ts'
import { readDomain } from '../../../lib/domains.ts'
import { Failure, type FieldError, refuse } from '../../../lib/failures.ts'
import { newCustomer } from '../../../resources/account.ts'
import { importErrorSentence } from '../../../resources/imports/import-fault.ts'
import { accountsWithin, type Managing } from '../../core/tenancy.ts'
import { rowsOf, Unreadable } from '../../imports/csv/csv-rows.ts'
import type { ImportLine } from '../../imports/import-line.ts'
import { foldName } from '../users.ts'
import { unknownPassword } from './clients.ts'
import { type ChosenColumns, type CustomerColumn, type CustomerField, headerReader, refuseWithoutNeeded } from './customer-columns.ts'
import { checkCustomer, createCustomer, entriesOf, plainDomain } from './new-customers.ts'

const mostCells = 100
const mostRows = 5_000

export interface CustomerRow {
  readonly line: number
  readonly values: Partial<Record<CustomerField, string>>
}

export interface CustomerTable {
  readonly columns: readonly CustomerColumn[]
  /** The cells of the first row. */
  readonly examples: readonly string[]
  readonly rows: readonly CustomerRow[]
}

export async function readCustomerTable(bytes: AsyncIterable<Uint8Array>, chosen: ChosenColumns = {}): Promise<CustomerTable> {
  const { isHeader, columnsOf } = headerReader(chosen)
  const rows: CustomerRow[] = []
  let columns: readonly CustomerColumn[] | undefined
  let examples: readonly string[] = []
  try {
    for await (const { record, line } of rowsOf(bytes, { maxCells: mostCells, isHeader, skipLines: 0 })) {
      if (columns === undefined) columns = columnsOf(record)
      else if (record.some((cell) => cell.trim() !== '')) {
        if (rows.length === 0) examples = record
        rows.push({ line, values: valuesIn(columns, record) })
      }
      if (rows.length > mostRows) refuse('bad_request', `A table may have at most ${mostRows} rows`)
    }
  } catch (error) {
    throw error instanceof Unreadable ? unreadableTable(error.arrival) : error
  }
  return { columns: columns ?? [], examples, rows }
}

function unreadableTable({ line, fault }: ImportLine): Failure {
  const says = fault === undefined ? 'cannot be read' : importErrorSentence(fault)
  return new Failure('bad_request', { sentence: `Line ${line} ${says}` })
}

/** How cells of a field are written in tables, beside how the field is. */
const written: Partial<Record<CustomerField, (cell: string) => string>> = {
  domain: (cell) => cell.replace(/^https?:\/\//i, '').replace(/[/?#].*$/, ''),
  rhythm: (cell) => cell.toLowerCase(),
}

function valuesIn(columns: readonly CustomerColumn[], cells: readonly string[]): CustomerRow['values'] {
  const values: Partial<Record<CustomerField, string>> = {}
  for (const [at, { field }] of columns.entries()) {
    const cell = cells[at]?.trim() ?? ''
    if (field !== undefined && cell !== '' && values[field] === undefined) values[field] = written[field]?.(cell) ?? cell
  }
  return values
}

export interface CustomerOutcome {
  readonly line: number
  readonly name: string
  readonly domain: string
  /** `there` if a run before has made it. */
  readonly outcome: 'made' | 'there' | 'refused'
  readonly account_id: number | null
  readonly faults: readonly FieldError[]
}

interface Making {
  /** Whether all rows were found to be good just now: a row that is refused since is left out. */
  readonly isChecked?: boolean
  /** After so long no further row is made, so that whoever waits is answered; the outcomes then end where it stopped. */
  readonly milliseconds?: number
}

/** Checks every row first; if one is refused, none is made. Rows of a run before are found again, so that a table can be given twice. */
export async function makeCustomers(
  caller: Managing,
  partnerId: number,
  { columns, rows }: CustomerTable,
  { isChecked = false, milliseconds }: Making = {},
): Promise<CustomerOutcome[]> {
  refuseWithoutNeeded(columns)
  if (isChecked) return makeEach(caller, partnerId, rows, await unknownPassword(caller), milliseconds)
  const checked = await makeEach({ ...caller, isDryRun: true }, partnerId, rows, '')
  const isGood = checked.every(({ outcome }) => outcome !== 'refused')
  return isGood && !caller.isDryRun ? makeEach(caller, partnerId, rows, await unknownPassword(caller)) : checked
}

/** Nobody knows the password, so that all people of a table can have the same, which is hashed once. */
async function makeEach(
  caller: Managing,
  partnerId: number,
  rows: readonly CustomerRow[],
  verifier: string,
  milliseconds = Number.POSITIVE_INFINITY,
): Promise<CustomerOutcome[]> {
  const end = performance.now() + milliseconds
  const seen = new Set<string>()
  const outcomes: CustomerOutcome[] = []
  for (const row of rows) {
    outcomes.push(await makeOne(caller, partnerId, row, { seen, verifier }))
    if (performance.now() > end) break
  }
  return outcomes
}

interface Row {
  readonly seen: Set<string>
  readonly verifier: string
}

async function makeOne(caller: Managing, partnerId: number, row: CustomerRow, { seen, verifier }: Row): Promise<CustomerOutcome> {
  const { line, values } = row
  const { name = '', domain = '' } = values
  const told = { line, name, domain }
  const known = await customerCalled(caller, partnerId, name, readDomain(domain) ?? '')
  if (known !== undefined) return { ...told, outcome: 'there', account_id: known, faults: [] }
  const doubled = doubledIn(values, seen)
  if (doubled.length > 0) return { ...told, outcome: 'refused', account_id: null, faults: doubled }
  try {
    const { colleague, ...wanted } = values
    const draft = draftOf(newCustomer, wanted)
    if (caller.isDryRun) await checkCustomer(caller, partnerId, draft, { colleague, verifier })
    const made = caller.isDryRun ? null : await createCustomer(caller, partnerId, draft, { colleague, verifier })
    return { ...told, outcome: 'made', account_id: made?.id ?? null, faults: [] }
  } catch (error) {
    if (!(error instanceof Failure) || error.details.faults === undefined) throw error
    return { ...told, outcome: 'refused', account_id: null, faults: error.details.faults }
  }
}

/** One that the caller reaches. */
async function customerCalled(caller: Managing, partnerId: number, name: string, domain: string): Promise<number | undefined> {
  const named = accountsWithin(caller)
    .innerJoin('sites', 'sites.account_id', 'accounts.id')
    .select('accounts.id')
    .where('accounts.partner_id', '=', partnerId)
    .where('accounts.name', '=', name)
  return (await named.where('sites.domain', '=', domain).executeTakeFirst())?.id
}

/** What an earlier row of the table has already. */
function doubledIn({ domain, domains, email, external_id }: CustomerRow['values'], seen: Set<string>): FieldError[] {
  const first = domain === undefined ? [] : [plainDomain(domain)]
  const further = entriesOf(domains).map(plainDomain)
  const unique = {
    domain: first,
    domains: [...new Set(further)].filter((one) => one !== first[0]),
    email: email === undefined ? [] : [foldName(email)],
    external_id: external_id === undefined ? [] : [external_id],
  }
  return Object.entries(unique).flatMap(([field, values]): FieldError[] => {
    const words = values.map((value) => `${field === 'domains' ? 'domain' : field} ${value}`)
    const isSeen = words.some((word) => seen.has(word))
    for (const word of words) seen.add(word)
    return isSeen ? [{ field, code: 'taken' }] : []
  })
}
