/** Rules on users, abilities and businesses. They create one user and one business in the account that the operator names. */

import { xmlFieldName } from '../../fields/shape.ts'
import { business } from '../../resources/business.ts'
import { user } from '../../resources/user.ts'
import { type Element, type Probe, type Probed, parseAnswer } from './probe.ts'
import { type ConformanceRule, expected, matching } from './rule.ts'

const xml = { 'content-type': 'application/xml' }
const json = { 'content-type': 'application/json' }
const newName = `conformance-${Date.now().toString(36)}`

// biome-ignore format: a table reads by its columns
export const provisioningRules: readonly ConformanceRule[] = [
  { id: 'user.invalid',      writes: true, check: async (probe) => { const { status, text } = await post(probe, '/api/users.xml', '<user></user>'); return expected('the status', status, 422) ?? expected('the fields', parseAnswer(text).children.map(({ attributes }) => attributes['field']).toSorted(), ['account_id', 'email', 'login', 'password']) } },
  { id: 'user.malformed',    writes: true, check: async (probe) => expected('the status', (await post(probe, '/api/users.xml', '<user>')).status, 400) },
  { id: 'user.created',      writes: true, check: async (probe) => { const { status, headers } = await createdUser(probe); return expected('the status', status, 201) ?? matching('Location', headers.get('location'), /\/api\/users\/\d+/) } },
  { id: 'user.fields',       writes: true, check: async (probe) => expected('the fields', names(parseAnswer((await createdUser(probe)).text)), Object.keys(user).map(xmlFieldName)) },
  { id: 'user.passive',      writes: true, check: async (probe) => { const { text } = await createdUser(probe); return expected('the state', field(parseAnswer(text), 'state'), 'passive') ?? (text.includes('correct horse') ? 'the password is in the answer' : null) } },
  { id: 'user.taken',        writes: true, check: async (probe) => { await createdUser(probe); const { status, text } = await post(probe, '/api/users.xml', userXml(probe)); return expected('the status', status, 422) ?? matching('the answer', text, /code="taken"/) } },
  { id: 'abilities.none',    writes: true, check: async (probe) => expected('the abilities', await abilities(probe), []) },
  { id: 'abilities.put',     writes: true, check: async (probe) => expected('the abilities', (await put(probe, '')).map(({ scope_id }) => scope_id), [probe.accountId]) },
  { id: 'abilities.merge',   writes: true, check: async (probe) => { await put(probe, ''); return expected('the abilities', (await put(probe, '?merge=1', [])).length, 1) } },
  { id: 'abilities.remove',  writes: true, check: async (probe) => { await put(probe, ''); return expected('the abilities', (await put(probe, '?remove=1')).length, 0) } },
  { id: 'abilities.bad',     writes: true, check: async (probe) => expected('the status', (await probe.ask(`/api/users/${await userId(probe)}/abilities.json`, { method: 'PUT', headers: json, body: '{"abilities":[{"key":"edit","scope_type":"Account","scope_id":1}]}' })).status, 422) },
  { id: 'business.created',  writes: true, check: async (probe) => { const { status, text } = await createdBusiness(probe); return expected('the status', status, 201) ?? expected('the fields', names(parseAnswer(text)), Object.keys(business).map(xmlFieldName)) ?? expected('its state', field(parseAnswer(text), 'aasm-state'), 'active') } },
  { id: 'business.off',      writes: true, check: async (probe) => { const id = field(parseAnswer((await createdBusiness(probe)).text), 'id'); await probe.ask(`/api/businesses/${id}/deactivate.xml`); return expected('its state', field(parseAnswer((await probe.ask(`/api/businesses/${id}/deactivate.xml`)).text), 'aasm-state'), 'deactivated') } },
  { id: 'business.on',       writes: true, check: async (probe) => { const id = field(parseAnswer((await createdBusiness(probe)).text), 'id'); return expected('its state', field(parseAnswer((await probe.ask(`/api/businesses/${id}/reactivate.xml`)).text), 'aasm-state'), 'active') } },
]

function post(probe: Probe, path: string, body: string): Promise<Probed> {
  return probe.read(path, { method: 'POST', headers: xml, body })
}

/** Created once, because the answer is cached. */
function createdUser(probe: Probe): Promise<Probed> {
  return probe.read('/api/users.xml', { method: 'POST', headers: { ...xml, 'idempotency-key': newName }, body: userXml(probe) })
}

function createdBusiness(probe: Probe): Promise<Probed> {
  const body = `<business><name>${newName}</name><account-id type="integer">${probe.accountId}</account-id></business>`
  return probe.read('/api/businesses.xml', { method: 'POST', headers: { ...xml, 'idempotency-key': `${newName}-business` }, body })
}

function userXml({ accountId }: Probe): string {
  return `<user><email>${newName}@conformance.example</email><login>${newName}</login><password>correct horse</password><account-id type="integer">${accountId}</account-id></user>`
}

async function userId(probe: Probe): Promise<string> {
  return field(parseAnswer((await createdUser(probe)).text), 'id') ?? ''
}

async function abilities(probe: Probe): Promise<object[]> {
  return JSON.parse((await probe.read(`/api/users/${await userId(probe)}/abilities.json`)).text).abilities
}

interface AbilityEntry {
  readonly key: 'show'
  readonly scope_type: 'Account'
  readonly scope_id: number
}

async function put(probe: Probe, flags: string, entries?: readonly AbilityEntry[]): Promise<AbilityEntry[]> {
  const own: AbilityEntry = { key: 'show', scope_type: 'Account', scope_id: probe.accountId }
  const body = JSON.stringify({ abilities: entries ?? [own] })
  const { text } = await probe.ask(`/api/users/${await userId(probe)}/abilities.json${flags}`, { method: 'PUT', headers: json, body })
  return JSON.parse(text).abilities
}

function names({ children }: Element): string[] {
  return children.map(({ name }) => name)
}

function field({ children }: Element, name: string): string | undefined {
  return children.find((child) => child.name === name)?.text
}
