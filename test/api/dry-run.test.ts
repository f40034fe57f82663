/** `dry_run`: every write of the table answers as if it were done, faults included, and leaves the database as it was. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { endpoints } from '../../src/api/endpoints.ts'
import { onEachEngine } from '../support/engines.ts'
import { eventually } from '../support/eventually.ts'
import { withMail } from '../support/people-service.ts'
import { goodRequest, provoking, withQuery } from '../support/provoke.ts'
import { type SampleWorld, sampleWorld } from '../support/sample-world.ts'
import { serviceOn } from '../support/service.ts'

const writes = endpoints.filter(({ takesDryRun }) => takesDryRun)

/** What is written by asking alone, and by jobs. */
const asides = new Set(['facts', 'keys', 'leases', 'budgets', 'usage_days', 'requests', 'audit_seals', 'account_figures', 'site_figures'])

onEachEngine('a dry run', (place) => {
  const house = serviceOn(place, withMail)
  let world: SampleWorld
  let untouched: Record<string, string>

  before(async () => {
    world = await sampleWorld(house)
    // What waits to be sent changes by itself.
    await house.app.store.write((tx) => tx.deleteFrom('mails').execute())
    // Events of the world get their places soon after it was made.
    await eventually(async () => (await house.app.store.db.selectFrom('event_drafts').select('id').execute()).length === 0)
    untouched = await everything()
  })

  const credentials = () => `${world.env['KEY']}:${world.env['PASSWORD']}`

  /** A hash of the rows of each table. */
  async function everything(): Promise<Record<string, string>> {
    const { db } = house.app.store
    const tables = (await db.introspection.getTables()).map(({ name }) => name).filter((name) => !asides.has(name))
    const hashes = tables.map(async (name) => {
      const { rows } = await sql`select * from ${sql.table(name)}`.execute(db)
      return [
        name,
        createHash('sha256')
          .update(
            rows
              .map((row) => JSON.stringify(row))
              .sort()
              .join(),
          )
          .digest('hex'),
      ] as const
    })
    return Object.fromEntries(await Promise.all(hashes))
  }

  /** An undo is tried in the background, and what it would do is kept with its intake: nothing else. */
  async function forgetPreview(): Promise<void> {
    const { store } = house.app
    const working = () => store.db.selectFrom('intake_tasks').select('intake_id').where('task', '=', 'preview').executeTakeFirst()
    while ((await working()) !== undefined) await new Promise((resolve) => setTimeout(resolve, 50))
    const { preview } = await store.db.selectFrom('intakes').select('preview').where('preview', 'is not', null).executeTakeFirstOrThrow()
    assert.equal(JSON.parse(preview ?? '').state, 'done')
    await store.write((tx) => tx.updateTable('intakes').set({ preview: null }).execute())
  }

  test('is known to every write of a record', () => {
    const silent = endpoints.filter(
      (endpoint) => endpoint.changes && endpoint.method !== 'GET' && endpoint.query?.['dry_run'] === undefined,
    )
    assert.deepEqual(silent, [])
    assert.ok(writes.length > 20)
  })

  for (const endpoint of writes) {
    const name = `${endpoint.method} ${endpoint.path}`

    test(`of ${name} answers like the request itself, and changes nothing`, async () => {
      const { method, path, ...question } = goodRequest(endpoint, world.values, credentials())
      const tried = await house.stranger.ask(method, withQuery(path, 'dry_run=1'), {
        ...question,
        headers: { 'idempotency-key': `dry ${name}`.replace(/\W/g, '-') },
      })
      assert.ok(tried.status < 300, tried.text)
      assert.equal(tried.headers['dry-run'], 'true')
      assert.equal(tried.headers['location'], undefined)
      if (name === 'POST intakes/{intake_id}/undo') await forgetPreview()
      assert.deepEqual(await everything(), untouched)
      if (endpoint.body === undefined) return
      const wrong = provoking('validation_failed', endpoint, { method, path: withQuery(path, 'dry_run=1'), ...question })
      assert.notEqual(wrong, 'elsewhere')
      if (wrong !== 'elsewhere') assert.equal((await house.stranger.ask(wrong.method, wrong.path, wrong)).status, 422)
    })
  }

  test('through the client finds the faults of a user, and creates her afterwards under the same names', async () => {
    const client = house.client({ key: world.env['KEY'] ?? '', password: world.env['PASSWORD'] ?? '' })
    const dana = { email: 'dana@dry.example', login: 'dana-dry', password: 'correct horse', account_id: Number(world.values['account_id']) }
    const promised = await client.createUser(dana, { dryRun: true })
    assert.equal(await client.listUsers({ login: dana.login }).first(), undefined)
    await assert.rejects(client.createUser({ ...dana, login: 'no' }, { dryRun: true }), { code: 'validation_failed' })
    const { id: _promised, salt: _salt, crypted_password: _hash, created_at: _at, updated_at: _too, ...rest } = promised
    const { id, salt: _own, crypted_password: _real, created_at: _then, updated_at: _later, ...real } = await client.createUser(dana)
    assert.deepEqual(rest, real)
    assert.equal((await client.showUser(id)).login, dana.login)
  })
})
