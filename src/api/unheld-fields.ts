/** Names the fields of a request that have a character which the database cannot hold: the database itself names the character only. */

import type { Node } from '../lib/body/tree.ts'
import { Failure, type FieldError, refuse, shownCharacter, unheldCharacter } from '../lib/failures.ts'
import type { Call, Endpoint } from './endpoint.ts'

/** In a query that only asks, such a text names nothing that is there; everywhere else it is a field that breaks a rule. */
export async function namingUnheld<T>(
  endpoint: Endpoint,
  { body, query }: Pick<Call, 'body' | 'query'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const unheld = unheldCharacter(error)
    if (unheld === undefined) throw error
    const fields = Object.entries(query).flatMap(([field, value]) =>
      typeof value === 'string' && value.includes(unheld) ? [{ field }] : [],
    )
    if (endpoint.body !== undefined) throw withFields(error, unheld, [...placesInAll(body, unheld), ...fields])
    return refuse(
      'bad_request',
      `${fields[0]?.field ?? 'The request'} has the character ${shownCharacter(unheld)}, which the database cannot hold`,
    )
  }
}

/** The same for one operation of many. Any other error is returned as it is. */
export function withUnheldFields(error: unknown, sent: Node): unknown {
  const unheld = unheldCharacter(error)
  return unheld === undefined ? error : withFields(error, unheld, placesInAll(sent, unheld))
}

type Place = Pick<FieldError, 'field' | 'pointer'>

function withFields(error: unknown, unheld: string, places: readonly Place[]): unknown {
  if (places.length === 0) return error
  return new Failure('validation_failed', { faults: places.map((place) => ({ ...place, code: 'invalid', unheld })) })
}

function placesInAll(body: Node, unheld: string): Place[] {
  return body.children.flatMap((node) => placesIn(node, unheld))
}

/** Of a list, the entries and the fields in them. */
function placesIn(node: Node, unheld: string): Place[] {
  if (node.kind !== 'list') return has(node, unheld) ? [{ field: node.name }] : []
  return node.children.flatMap((entry, index) => {
    const pointer = `/${node.name}/${index}`
    const fields = entry.children
      .filter((part) => has(part, unheld))
      .map(({ name }) => ({ field: node.name, pointer: `${pointer}/${name}` }))
    return fields.length === 0 && has(entry, unheld) ? [{ field: node.name, pointer }] : fields
  })
}

function has({ text, children }: Node, unheld: string): boolean {
  return text.includes(unheld) || children.some((child) => has(child, unheld))
}
