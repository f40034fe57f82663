/** Each kind of record that can be imported: its fields by their table, and an example. */

import type { Incoming } from '../../../fields/incoming.ts'
import type { Block } from '../../../lib/document.ts'
import { type ObservationKind, observations, plural } from '../../../resources/observation.ts'

export function kindBlocks(kind: ObservationKind): Block[] {
  const { about, key, fields } = observations[kind]
  const rows = Object.entries<Incoming>(fields).map(([name, field]) => [`\`${name}\``, typeOf(field), whenAbsent(field), field.note])
  return [
    { heading: plural(kind), level: 3 },
    { text: `${about} A record is identified by ${key.map(named).join(', ')}.` },
    { table: { head: ['Field', 'Type', 'When left out', 'Note'], rows } },
  ]
}

function typeOf({ type, nullable }: Incoming): string {
  return nullable ? `${type}, or null` : type
}

function whenAbsent({ required, initially }: Incoming): string {
  return required ? 'refused' : initially === undefined ? '' : `${initially} when new`
}

function named(field: string): string {
  return field.includes('`') ? field : `\`${field}\``
}

export function exampleOf(kind: ObservationKind): Record<string, unknown> {
  const fields = Object.entries<Incoming>(observations[kind].fields).filter(([name, { example }]) => name !== 'account' && example !== null)
  return { type: kind, ...Object.fromEntries(fields.map(([name, { example }]) => [name, example])) }
}
