/** The fields of a brand, and what is looked at: what was typed, or else what is saved. */

import type { Brand } from '../../../../model/partners/brands.ts'
import type { OwnBrand } from '../../../../model/partners/own-brand.ts'
import type { FormField } from '../../../components/fields.ts'
import type { PersonPageRequest } from '../../../page-request.ts'

export const typedFields = ['name', 'sender_name', 'support', 'accent'] as const
type Typed = Readonly<Record<string, string>>

/** What is called otherwise than in the table of fields. */
export function brandFields(nameNow: string): readonly FormField[] {
  return [
    {
      name: 'name',
      label: 'Name',
      hint: `What pages and mails say. Empty: ${nameNow}.`,
      sentences: { not_one_line: 'The name is one line.', too_long: 'The name has at most 100 characters.' },
    },
    { name: 'sender_name', label: 'Sender of mails', hint: 'Empty: like the name.' },
    {
      name: 'support',
      label: 'Where people get help',
      hint: 'An email address, or a page such as https://acme.example/help.',
      sentences: { invalid: 'This is neither an email address nor a page that begins with https://.' },
    },
    {
      name: 'accent',
      label: 'Colour',
      hint: 'Written as # and six digits or letters, such as #0a7d5b.',
      sentences: { invalid: 'A colour is written as # and six digits or letters from a to f, such as #0a7d5b.' },
    },
  ]
}

export interface LookedAt {
  readonly typed: Typed
  /** Whether this is not what is saved. */
  readonly isUnsaved: boolean
  /** Null for the colour of the service. */
  readonly accent: string | null
  readonly seen: Brand | undefined
}

export function lookIn({ query, form }: PersonPageRequest, brand: OwnBrand): LookedAt {
  const held = Object.fromEntries(typedFields.map((name) => [name, brand[name] ?? '']))
  const given = form.has('name') ? form : query.has('look') ? query : null
  const typed = given === null ? held : Object.fromEntries(typedFields.map((name) => [name, given.get(name) ?? '']))
  return {
    typed,
    isUnsaved: typedFields.some((name) => typed[name] !== held[name]),
    accent: colorIn(typed['accent']),
    seen: brand.seen,
  }
}

/** Null for whatever is no colour. */
export function colorIn(text: string | null | undefined): string | null {
  return text && /^#[0-9a-f]{6}$/i.test(text) ? text.toLowerCase() : null
}
