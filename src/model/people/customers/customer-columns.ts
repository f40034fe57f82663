/** The columns of a table of customers: what each is called, and which field of a customer it holds. */

import { refuse } from '../../../lib/failures.ts'
import type { newCustomer } from '../../../resources/account.ts'
import { folded } from '../../imports/csv/folded.ts'

export type CustomerField = keyof typeof newCustomer | 'colleague'

/** What columns are called besides by the names of the fields. */
// biome-ignore format: a table reads by its columns
const called: Readonly<Record<CustomerField, readonly string[]>> = {
  name:        ['customer', 'client', 'account', 'company', 'business', 'customer_name', 'client_name', 'company_name', 'business_name'],
  domain:      ['website', 'web_site', 'url', 'site', 'homepage', 'domain_name'],
  domains:     ['more_domains', 'other_domains', 'further_domains', 'additional_domains'],
  keywords:    ['keyword', 'phrases', 'search_terms'],
  competitors: ['competitor', 'rivals', 'competitor_domains'],
  tags:        ['tag', 'labels', 'groups'],
  time_zone:   ['timezone', 'tz'],
  external_id: ['own_id', 'your_id', 'id', 'customer_id', 'client_id', 'reference', 'number', 'customer_number', 'client_number'],
  colleague:   ['looked_after_by', 'manager', 'account_manager', 'owner'],
  contact:     ['contact_name', 'person', 'contact_person'],
  email:       ['contact_email', 'e_mail', 'mail', 'email_address'],
  rhythm:      ['mail_rhythm', 'rhythm_of_mail', 'rhythm_of_mails', 'reports', 'report_rhythm', 'reports_by_mail'],
}

const fields = Object.keys(called) as CustomerField[]

export interface CustomerColumn {
  readonly name: string
  /** Undefined for a column that is not read. */
  readonly field: CustomerField | undefined
}

/** Which columns are called otherwise: by the name of the column, or by its place, where '' is a column that is not to be read. */
export interface ChosenColumns {
  readonly names?: Readonly<Record<string, string>>
  readonly places?: readonly (string | undefined)[]
}

export interface Header {
  isHeader(cells: readonly string[]): boolean
  columnsOf(cells: readonly string[]): readonly CustomerColumn[]
}

export function headerReader({ names = {}, places = [] }: ChosenColumns): Header {
  const known = new Map(fields.flatMap((field) => [field, ...called[field]].map((name) => [name, field] as const)))
  for (const [name, text] of Object.entries(names)) known.set(folded(name), fieldCalled(text))
  const recognised = (cell: string) => known.get(folded(cell))
  return {
    isHeader: (cells) => needed.every((field) => cells.some((cell) => recognised(cell) === field)),
    columnsOf: (cells) =>
      cells.map((name, at) => {
        const chosen = places[at]
        return { name, field: chosen === undefined ? recognised(name) : chosen === '' ? undefined : fieldCalled(chosen) }
      }),
  }
}

const needed: readonly CustomerField[] = ['name', 'domain']

/** A customer needs these in every table. */
export function refuseWithoutNeeded(columns: readonly CustomerColumn[]): void {
  if (needed.every((field) => columns.some((column) => column.field === field))) return
  const named = columns.map(({ name }) => name).join(', ')
  refuse('bad_request', `The first row must name the columns, with one for the customer and one for the domain; it has ${named}`)
}

function fieldCalled(text: string): CustomerField {
  const field = fields.find((one) => one === folded(text))
  return field ?? refuse('bad_request', `${text} is no field of a customer: there are ${fields.join(', ')}`)
}
