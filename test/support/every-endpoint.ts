/** Asks every endpoint of the table, with our ids and with those of others, and looks at all rows before and after. */
import assert from 'node:assert/strict'
import type { Endpoint } from '../../src/api/endpoint.ts'
import { endpoints } from '../../src/api/endpoints.ts'
import { sampleQuery, sampleSent } from '../../src/api/reference/samples.ts'
import { differencesOf, openRowbook, type TableName } from '../guards/bystanders/rows.ts'
import type { EngineName } from './engines.ts'
import type { SampleWorld } from './sample-world.ts'
import type { Question, Reply, TestService } from './service.ts'

/** What answers to tools and to keys that only read leave out of a user. */
// biome-ignore format: in the order of the interface
export const fieldsLeftOut = [
  'crypted_password', 'salt', 'activation_code', 'cached_slug', 'current_step_id', 'invitation_count', 'is_seo_pro', 'is_web_dev',
  'opt_out_dashboard', 'promotion_pending', 'rank_id', 'password_reset_code', 'remember_token', 'remember_token_expires_at', 'twitter_account',
]

interface Trial {
  readonly isOpen: (endpoint: Endpoint) => boolean
  readonly own: SampleWorld
  /** Of a partner whose name is a canary. */
  readonly foreign: SampleWorld
  readonly engine: EngineName
}

/** What is written of each request, whatever it asks, and by jobs in the background. */
export const passingTables: readonly TableName[] = [
  'usage_days',
  'requests',
  'keys',
  'audit_seals',
  'event_drafts',
  'events',
  'leases',
  'site_figures',
  'account_figures',
]

export async function tryAll(house: TestService, how: Question, { isOpen, own, foreign, engine }: Trial) {
  const book = await openRowbook(house.app.store, engine, (table) => !passingTables.includes(table))
  const before = await book.read()
  let [opened, refused] = [0, 0]
  for (const endpoint of endpoints) {
    const name = `${endpoint.method} ${endpoint.path}`
    const reply = await askOne(house, how, endpoint, own.values)
    if (isOpen(endpoint)) {
      assert.ok(reply.status < 300, `${name}: ${reply.text}`)
      assert.doesNotMatch(reply.text, /canary/i, name)
      opened += 1
      if (!endpoint.path.includes('{')) continue
      const { status, text } = await askOne(house, how, endpoint, foreign.values)
      assert.equal(status, 404, `${name} with foreign ids: ${text}`)
      assert.doesNotMatch(text, /canary/i, name)
    } else {
      assert.ok([401, 403].includes(reply.status), `${name}: ${reply.status} ${reply.text}`)
      refused += 1
    }
  }
  assert.deepEqual(differencesOf(before, await book.read()), [], 'nothing changes')
  return { opened, refused }
}

export async function nothingIsOpen(house: TestService, how: Question, { values }: SampleWorld): Promise<void> {
  for (const endpoint of endpoints)
    assert.equal((await askOne(house, how, endpoint, values)).status, 401, `${endpoint.method} ${endpoint.path}`)
}

function askOne(house: TestService, how: Question, endpoint: Endpoint, values: SampleWorld['values']): Promise<Reply> {
  const { method, path } = endpoint
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? 1))
  const search = new URLSearchParams(sampleQuery(endpoint, values) ?? {})
  const body = endpoint.body === undefined && endpoint.takes === undefined ? undefined : JSON.stringify(sampleSent(endpoint, values))
  const sent = body === undefined ? {} : { body, type: 'application/json' }
  return house.stranger.ask(method, `/api/${address}.json${search.size === 0 ? '' : `?${search}`}`, { ...how, ...sent })
}
