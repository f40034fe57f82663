/** Makes customers from the rows of a table: each row in a transaction of its own, and nothing before every row is found to be good. */

import { draftOf } from '../../../fields/read.ts'
import { readDomain } from '../../../lib/domains.ts'
import { Failure, type FieldError, refuse } from '../../../lib/failures.ts'
import { newCustomer } from '../../../resources/account.ts'
import type { Managing } from '../../core/tenancy.ts'
import { rowsOf } from '../../imports/csv/csv-rows.ts'
import { folded } from '../../imports/csv/folded.ts'
import { createCustomer } from './new-customers.ts'

type Field = keyof typeof newCustomer | 'colleague'

/** What columns are called besides by the names of the fields. */
// biome-ignore format: a table reads by its columns
const called: Readonly<Record<Field, readonly string[]>> = {
  name:        ['customer', 'client', 'account', 'company', 'business', 'customer_name', 'client_name', 'company_name', 'business_name'],
  domain:      ['website', 'web_site', 'url', 'site', 'homepage', 'domain_name'],
  domains:     ['more_domains', 'other_domains', 'further_domains', 'additional_domains'],
  keywords:    ['keyword', 'phrases', 'search_terms'],
  competitors: ['competitor', 'rivals', 'competitor_domains'],
  tags:        ['tag', 'labels', 'groups'],
  time_zone:   ['timezone', 'tz'],
  external_id: ['own_id', 'your_id', 'id', 'customer_id', 'client_id', 'reference'],
  colleague:   ['looked_after_by', 'manager', 'account_manager', 'owner'],
  contact:     ['contact_name', 'person', 'contact_person'],
  email:       ['contact_email', 'e_mail', 'mail', 'email_address'],
  rhythm:      ['mail_rhythm', 'rhythm_of_mail', 'reports', 'report_rhythm'],
}

const fields = Object.keys(called) as Field[]
const mostCells = 100
const mostRows = 5_000

export interface CustomerRow {
  readonly line: number
  readonly values: Partial<Record<Field, string>>
}

export interface CustomerTable {
  readonly rows: readonly CustomerRow[]
  /** Columns that are not read. */
  readonly ignored: readonly string[]
}

/** `chosen` maps names of columns to fields, for columns that are called otherwise. */
export async function readCustomerTable(
  bytes: AsyncIterable<Uint8Array>,
  chosen: Readonly<Record<string, string>> = {},
): Promise<CustomerTable> {
  const fieldOf = fieldsByName(chosen)
  const isHeader = (cells: readonly string[]) => ['name', 'domain'].every((field) => cells.some((cell) => fieldOf(cell) === field))
  const rows: CustomerRow[] = []
  let header: readonly string[] | undefined
  for await (const { record, line } of rowsOf(bytes, { maxCells: mostCells, isHeader, skipLines: 0 })) {
    if (header === undefined) header = checkedHeader(record, isHeader)
    else if (record.some((cell) => cell.trim() !== '')) rows.push({ line, values: valuesIn(header, record, fieldOf) })
    if (rows.length > mostRows) refuse('bad_request', `A table may have at most ${mostRows} rows`)
  }
  return { rows, ignored: (header ?? []).filter((name) => fieldOf(name) === undefined && name.trim() !== '') }
}

function fieldsByName(chosen: Readonly<Record<string, string>>): (name: string) => Field | undefined {
  const known = new Map(fields.flatMap((field) => [field, ...called[field]].map((name) => [name, field] as const)))
  for (const [name, text] of Object.entries(chosen)) {
    const field = fields.find((one) => one === folded(text))
    if (field === undefined) refuse('bad_request', `${text} is no field of a customer: there are ${fields.join(', ')}`)
    known.set(folded(name), field)
  }
  return (name) => known.get(folded(name))
}

function checkedHeader(cells: readonly string[], isHeader: (cells: readonly string[]) => boolean): readonly string[] {
  return isHeader(cells)
    ? cells
    : refuse(
        'bad_request',
        `The first row must name the columns, with one for the customer and one for the domain; it has ${cells.join(', ')}`,
      )
}

/** How cells of a field are written in tables, beside how the field is. */
const written: Partial<Record<Field, (cell: string) => string>> = {
  domain: (cell) => cell.replace(/^https?:\/\//i, '').replace(/[/?#].*$/, ''),
  rhythm: (cell) => cell.toLowerCase(),
}

function valuesIn(
  header: readonly string[],
  cells: readonly string[],
  fieldOf: (name: string) => Field | undefined,
): CustomerRow['values'] {
  const values: Partial<Record<Field, string>> = {}
  for (const [at, name] of header.entries()) {
    const field = fieldOf(name)
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

/** Tries every row first; if one is refused, none is made. Rows of a run before are found again, so that a table can be given twice. */
export async function makeCustomers(caller: Managing, partnerId: number, { rows }: CustomerTable): Promise<CustomerOutcome[]> {
  const tried = await makeEach({ ...caller, isDryRun: true }, partnerId, rows)
  const isGood = tried.every(({ outcome }) => outcome !== 'refused')
  return isGood && !caller.isDryRun ? makeEach(caller, partnerId, rows) : tried
}

async function makeEach(caller: Managing, partnerId: number, rows: readonly CustomerRow[]): Promise<CustomerOutcome[]> {
  const seen = new Set<string>()
  const outcomes: CustomerOutcome[] = []
  for (const row of rows) outcomes.push(await makeOne(caller, partnerId, row, seen))
  return outcomes
}

async function makeOne(caller: Managing, partnerId: number, { line, values }: CustomerRow, seen: Set<string>): Promise<CustomerOutcome> {
  const { name = '', domain = '' } = values
  const told = { line, name, domain }
  const known = await customerCalled(caller, partnerId, name, readDomain(domain) ?? '')
  if (known !== undefined) return { ...told, outcome: 'there', account_id: known, faults: [] }
  const doubled = doubledIn(values, seen)
  if (doubled.length > 0) return { ...told, outcome: 'refused', account_id: null, faults: doubled }
  try {
    const { colleague, ...wanted } = values
    const { id } = await createCustomer(caller, partnerId, draftOf(newCustomer, wanted), colleague)
    return { ...told, outcome: 'made', account_id: caller.isDryRun ? null : id, faults: [] }
  } catch (error) {
    if (!(error instanceof Failure) || error.details.faults === undefined) throw error
    return { ...told, outcome: 'refused', account_id: null, faults: error.details.faults }
  }
}

async function customerCalled({ app }: Managing, partnerId: number, name: string, domain: string): Promise<number | undefined> {
  const named = app.store.db
    .selectFrom('accounts')
    .innerJoin('sites', 'sites.account_id', 'accounts.id')
    .select('accounts.id')
    .where('accounts.partner_id', '=', partnerId)
    .where('accounts.name', '=', name)
  return (await named.where('sites.domain', '=', domain).executeTakeFirst())?.id
}

/** What an earlier row of the table has already. */
function doubledIn({ domain, email, external_id }: CustomerRow['values'], seen: Set<string>): FieldError[] {
  const unique = { domain: domain && (readDomain(domain) ?? domain), email: email?.toLowerCase(), external_id }
  return Object.entries(unique).flatMap(([field, value]): FieldError[] => {
    if (value === undefined) return []
    const word = `${field} ${value}`
    const isSeen = seen.has(word)
    seen.add(word)
    return isSeen ? [{ field, code: 'taken' }] : []
  })
}
