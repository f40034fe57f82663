/** A small world with everything in it that a partner or a person can hold in their hands, for moves of its database. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readSettings } from '../../src/config.ts'
import { openApp } from '../../src/model/core/app.ts'
import { issueKey } from '../../src/model/partners/keys/keys.ts'
import { logIn } from '../../src/model/people/logins.ts'
import { findSession } from '../../src/model/people/sessions.ts'
import { sealEntries, verifyAudit } from '../../src/model/upkeep/audit-seals.ts'
import { proveTable } from '../../src/store/bulk/copy-table.ts'
import { migrations } from '../../src/store/migrations.ts'
import { openStore } from '../../src/store/store.ts'
import { marquee } from './command.ts'
import type { Place } from './engines.ts'
import { makePeople, measurePeople, type PeopleWorld, password } from './people.ts'
import { startTestService } from './service.ts'

const preload = join(import.meta.dirname, 'kill-at-statement.ts')

export interface MovingWorld extends PeopleWorld {
  readonly credentials: string
  readonly session: string
}

/** Everything a partner or a person can hold in their hands. */
export async function look(place: Place, { credentials, session, accountId, chicago, users }: MovingWorld): Promise<object> {
  const service = await startTestService(place)
  const { app } = service
  const visitor = { app, requestId: 'test', network: '192.0.2.1', hostPartnerId: null }
  try {
    const paths = [
      `seo_report.xml?account_id=${accountId}`,
      `seo_report.json?site_id=${chicago}`,
      `reputation_report.xml?account_id=${accountId}`,
      `users/${users['kim-one-site']}.json`,
    ]
    const answers = []
    for (const path of paths) {
      const { status, headers, text } = await service.stranger.get(`/api/${path}`, { credentials })
      answers.push([path, status, headers.etag, text])
    }
    while ((await sealEntries(app)) !== null);
    const opened = await findSession(visitor, session)
    const dana = (await logIn(visitor, { name: 'dana-owner', password, isRemembered: false })).token
    return { answers, faults: (await verifyAudit(app)).faults, person: opened?.person.userId === users['dana-owner'], entered: dana !== '' }
  } finally {
    await service.stop()
  }
}

export async function makeMovingWorld(place: Place, isHeld?: (line: string) => boolean): Promise<MovingWorld> {
  const app = await openApp(readSettings(place.env), { schema: 'bring up' })
  const operator = { kind: 'operator', app, requestId: 'test' } as const
  const people = await makePeople(operator)
  await measurePeople(operator, people.partnerId, isHeld)
  const { key, password: keyPassword } = await issueKey(operator, people.partnerId, {})
  // The last id was given to a row that is gone, and one row is larger than a batch.
  await app.store.write(async (tx) => {
    const note = {
      account_id: people.accountId,
      site_id: null,
      day: '2026-11-01',
      text: 'gone',
      created_at: app.clock.now(),
      created_by: null,
    }
    await tx.insertInto('annotations').values(note).execute()
    await tx.deleteFrom('annotations').execute()
    await tx
      .insertInto('brand_pictures')
      .values({ id: 'large', type: 'image/png', bytes: randomBytes(5_000_000) })
      .execute()
  })
  const visitor = { app, requestId: 'test', network: '192.0.2.1', hostPartnerId: null }
  const session = (await logIn(visitor, { name: 'dana-owner', password, isRemembered: false })).token
  await app.close()
  return { ...people, credentials: `${key}:${keyPassword}`, session }
}

export async function contentOf(place: Place): Promise<{ proofs: Record<string, object>; counters: object }> {
  const store = openStore(readSettings(place.env))
  const bulk = store.engine.bulk()
  try {
    const proofs: Record<string, object> = {}
    for (const table of await bulk.tables()) proofs[table.name] = await proveTable(bulk, table)
    return { proofs, counters: Object.fromEntries(await bulk.idCounters()) }
  } finally {
    await bulk.close()
    await store.close()
  }
}

export function moveTo(from: Place, to: Place, ...more: (string | { env: Record<string, string> })[]) {
  return marquee(from, 'move --to-file', addressFile(to), ...more)
}

const lastMigration = migrations.at(-1)?.name as string

/** Whether the move was still under way at that statement, counted from its first or from the one with which the tables are there. */
export async function killed(from: Place, to: Place, when: 'first' | 'tables', step: number): Promise<boolean> {
  const after = when === 'tables' ? { KILL_AFTER: lastMigration } : {}
  const { code, stderr } = await moveTo(from, to, { env: { KILL_AT: String(step), ...after, NODE_OPTIONS: `--import ${preload}` } })
  assert.ok(code === null || code === 0, stderr)
  return code === null
}

export function addressFile(place: Place): string {
  const file = join(place.folder, 'address')
  writeFileSync(file, place.env['DATABASE_URL'] ?? `sqlite://${place.folder}`)
  return file
}
