/** What is asked of a customer: the fields of its form, which are the columns of a table of customers too, each with its words. */

import type { FieldError } from '../../../lib/failures.ts'
import type { CustomerField } from '../../../model/people/customers/customer-columns.ts'
import { fieldErrorSentence } from '../../../resources/problem.ts'
import type { FormField } from '../../components/fields.ts'

type AskedField = FormField & { readonly name: CustomerField }

const aDomain = 'Please type a domain such as example.com.'
const domains = 'Please type domains such as example.com, separated by commas.'

// biome-ignore format: a table reads by its columns
export const customerGroups: readonly (readonly [title: string, fields: readonly AskedField[]])[] = [
  ['The customer', [
    { name: 'name',        label: 'Name', isRequired: true, sentences: { blank: 'A customer needs a name.' } },
    { name: 'domain',      label: 'Domain', hint: 'Of the site that is measured, such as example.com.', isRequired: true, sentences: { blank: 'A customer needs a domain.', invalid: aDomain, taken: 'A customer with this domain is there already.' } },
    { name: 'domains',     label: 'More domains', hint: 'Separated by commas: each becomes a site too.', sentences: { invalid: domains, taken: 'A customer with one of these domains is there already.' } },
    { name: 'external_id', label: 'Your number of the customer', hint: 'By which you know them in your own books.', sentences: { taken: 'Another customer has this number.' } },
    { name: 'tags',        label: 'Tags', hint: 'Separated by commas.' },
    { name: 'time_zone',   label: 'Time zone', hint: 'A name such as Europe/Berlin; without one, days are counted in UTC.', sentences: { invalid: 'There is no time zone of this name.' } },
  ]],
  ['The person who gets the reports', [
    { name: 'contact',     label: 'Name of the person' },
    { name: 'email',       label: 'Email', type: 'email', hint: 'They log in with it, and see every site of this customer. A mail with a link to choose a password goes to them.', sentences: { blank: 'This person needs an email address.', taken: 'Somebody with this email address is there already.' } },
    { name: 'rhythm',      label: 'Reports by mail', options: [['', 'none'], ['weekly', 'every Monday'], ['monthly', 'on the first of a month']] },
  ]],
  ['What is tracked', [
    { name: 'keywords',    label: 'Keywords', hint: 'One a line, or separated by commas.', rows: 5 },
    { name: 'competitors', label: 'Competitors', hint: 'Their domains, one a line, or separated by commas.', rows: 5, sentences: { invalid: domains } },
  ]],
]

export const colleagueField: AskedField = {
  name: 'colleague',
  label: 'Looked after by',
  sentences: { does_not_exist: 'This colleague is no longer there.' },
}

const asked: readonly AskedField[] = [...customerGroups.flatMap(([, fields]) => fields), colleagueField]

/** What a column of a table can be. */
export const columnOptions: readonly (readonly [field: CustomerField, label: string])[] = asked.map(({ name, label }) => [
  name,
  name === 'name' ? 'Customer' : label,
])

export function columnLabel(field: CustomerField): string {
  return columnOptions.find(([name]) => name === field)?.[1] ?? field
}

/** In a table two lines may have the same. */
export function lineFaultText(fault: FieldError): string {
  const field = asked.find(({ name }) => name === fault.field)
  const said = field?.sentences?.[fault.code] ?? `${columnLabel(field?.name ?? 'name')} ${fieldErrorSentence(fault)}.`
  return fault.code === 'taken' ? said.replace(/\.$/, ', or stands in a line above.') : said
}
