/** Built from the endpoint table: every id that stands in an answer can be found through a list, and shown by its own address. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '../../src/api/endpoints.ts'
import { contentOf } from '../../src/api/reference/named-records.ts'
import { type Field, isKeyed, isList, type List, type Shape } from '../../src/fields/shape.ts'
import { bulkKinds } from '../../src/resources/bulk.ts'

/** Whose id a field is, where its name does not say it. */
const named: Readonly<Record<string, readonly string[]>> = {
  owner_id: ['user'],
  current_site_id: ['site'],
  scope_id: ['account', 'business', 'site'],
  'external id': ['account', 'user', 'business', 'site'],
  'result id': bulkKinds,
  'fresh_key id': ['key'],
  'fresh_share_link id': ['share_link'],
  'fresh_token id': ['token'],
  'staff_member id': ['staff'],
  'staff_invitation id': ['invitation'],
  record_id: ['account', 'business', 'intake', 'key', 'site', 'user'],
  // Events, and the sites of a source, are read by cursors.
  'event id': [],
  'source_site id': [],
  // The interface names these; they have one value and mean no record.
  current_step_id: [],
  rank_id: [],
}

/** Nouns by id, in all that an endpoint answers. */
function nounsIn(of: Shape | List, noun: string): { noun: string; field: string }[] {
  if (isList(of)) return isKeyed(of.of) ? fieldNouns(of.item, of.of.of) : nounsIn(of.of, of.item)
  return Object.entries(of).flatMap(([name, field]) => (field.is === 'scalar' ? scalarNouns(noun, name) : fieldNouns(name, field)))
}

function fieldNouns(name: string, field: Field): { noun: string; field: string }[] {
  if (field.is === 'scalar') return []
  return field.is === 'one' ? nounsIn(field.of, name) : nounsIn(field, name)
}

function scalarNouns(noun: string, name: string): { noun: string; field: string }[] {
  if ((name !== 'id' && !name.endsWith('_id')) || name === 'external_id') return []
  const meant = named[name] ?? named[`${noun} ${name}`] ?? [name === 'id' ? noun : name.replace(/_id$/, '')]
  return meant.map((one) => ({ noun: one, field: `${noun}.${name}` }))
}

const gets = endpoints.filter(({ method, changes }) => method === 'GET' && !changes).map(({ path }) => path)
const isShown = (noun: string) => gets.some((path) => path.endsWith(`/{${noun}_id}`))
const isListed = (noun: string) => gets.some((path) => gets.includes(`${path}/{${noun}_id}`))

test('every id in an answer has a list and an address', (context) => {
  const found = endpoints.flatMap((endpoint) => {
    const content = contentOf(endpoint)
    return content === undefined ? [] : nounsIn(content.of, content.root)
  })
  for (const { noun, field } of found) {
    assert.ok(isShown(noun), `${field}: no address shows a ${noun}`)
    assert.ok(isListed(noun), `${field}: no list tells of a ${noun}`)
  }
  const nouns = new Set(found.map(({ noun }) => noun))
  assert.ok(nouns.size >= 13, [...nouns].join())
  context.diagnostic([...nouns].toSorted().join(', '))
})

test('an id without an address is found', () => {
  assert.equal(isShown('recipient'), false)
  assert.deepEqual(
    nounsIn({ recipients: { is: 'list', item: 'recipient', of: { id: { is: 'scalar', kind: 'integer', note: '' } } } }, 'x'),
    [{ noun: 'recipient', field: 'recipient.id' }],
  )
})
