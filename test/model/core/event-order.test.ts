/** The order of events: whoever follows it misses none, whenever the transactions that wrote them commit. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setImmediate as othersTurn } from 'node:timers/promises'
import { readSettings } from '../../../src/config.ts'
import { Failure } from '../../../src/lib/failures.ts'
import { secondsAfter } from '../../../src/lib/time/clock.ts'
import { type App, openApp } from '../../../src/model/core/app.ts'
import { audit } from '../../../src/model/core/audit.ts'
import type { OperatorCaller, PartnerCaller } from '../../../src/model/core/caller.ts'
import { placeEvents } from '../../../src/model/core/events/order.ts'
import { readFeed } from '../../../src/model/partners/events/feed.ts'
import { createPartner } from '../../../src/model/partners/partners.ts'
import { sweep } from '../../../src/model/upkeep/retention.ts'
import { onEachEngine, onEngine } from '../../support/engines.ts'

type Follow = (after: string | undefined) => Promise<{ readonly cursor: string; readonly ids: readonly number[] }>

async function refusalOf(work: Promise<unknown>): Promise<Failure> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof Failure)
  return error
}

async function placeAll(app: App): Promise<void> {
  while ((await placeEvents(app)) > 0);
}

onEachEngine('the order of events', (place) => {
  const apps: App[] = []
  let now = '2026-11-14T12:00:00Z'
  let caller: PartnerCaller
  const opened = async () => openApp(readSettings({ ...place.env, MARQUEE_KEEP_EVENTS_DAYS: '30' }), { clock: { now: () => now } })
  const operator = (app: App): OperatorCaller => ({ kind: 'operator', app, requestId: 'test' })
  const write = (app: App, id: number) =>
    app.store.write((tx) => audit(tx, operator(app), 'site.delete', { id, partner_id: caller.partnerId }, { before: { id } }))
  const drafts = ({ store }: App) => store.db.selectFrom('event_drafts').select('id').execute()
  const idsAfter = async (cursor: string | undefined) => {
    const { events, cursor: next } = await readFeed(caller, { after: cursor, types: 'site.deleted' })
    return { cursor: next, ids: events.map(({ record_id }) => record_id) }
  }

  before(async () => {
    apps.push(await opened(), await opened())
    const [app] = apps as [App]
    const { partner, account } = await createPartner(operator(app), 'Acme')
    caller = { kind: 'partner', app, partnerId: partner.id, accountId: account.id, accountIds: null } as PartnerCaller
  })
  after(() => Promise.all(apps.map((app) => app.close())))

  test('many writers, two who give places and four readers: everybody reads every event once, in one order', async () => {
    const [near, far] = apps as [App, App]
    const wanted = Array.from({ length: 8 }, (_, writer) => Array.from({ length: 25 }, (_, one) => writer * 100 + one + 1)).flat()
    let hasEnded = false
    const writing = Promise.all(
      Array.from({ length: 8 }, async (_, writer) => {
        for (const id of wanted.filter((one) => Math.floor(one / 100) === writer)) await write(writer % 2 === 0 ? near : far, id)
      }),
    ).finally(() => {
      hasEnded = true
    })
    const placing = apps.map(async (app) => {
      for (; !hasEnded || (await drafts(app)).length > 0; await othersTurn()) await placeEvents(app)
    })
    const reading = Array.from({ length: 4 }, async () => {
      const read: number[] = []
      for (let cursor: string | undefined; read.length < wanted.length; await othersTurn()) {
        const some = await idsAfter(cursor)
        read.push(...some.ids)
        cursor = some.cursor
      }
      return read
    })
    await writing
    const [first = [], ...others] = await Promise.all(reading)
    await Promise.all(placing)
    assert.deepEqual(
      first.toSorted((a, b) => a - b),
      wanted,
    )
    for (const other of others) assert.deepEqual(other, first)
    for (let writer = 0; writer < 8; writer++) {
      const own = first.filter((id) => Math.floor(id / 100) === writer)
      assert.deepEqual(
        own,
        own.toSorted((a, b) => a - b),
      )
    }
    assert.deepEqual(await drafts(near), [])
    const places = (await near.store.db.selectFrom('events').select('place').orderBy('place').execute()).map((row) => row.place)
    assert.deepEqual(
      places,
      places.map((_, index) => index + 1),
    )
  })

  test('an event is there if and only if its change is', async () => {
    const [app] = apps as [App]
    const before = await idsAfter(undefined)
    await assert.rejects(
      app.store.write(async (tx) => {
        await audit(tx, operator(app), 'site.delete', { id: 7_001, partner_id: caller.partnerId })
        throw new Error('taken back')
      }),
    )
    await write(app, 7_002)
    await placeAll(app)
    const { cursor } = await readFeed(caller, { after: before.cursor })
    const told = await allAfter(before.cursor)
    assert.ok(cursor)
    assert.deepEqual(
      told.filter((id) => id > 7_000),
      [7_002],
    )
  })

  const allAfter = async (from: string | undefined) => {
    const ids: number[] = []
    for (let cursor = from, more = true; more; ) {
      const some = await readFeed(caller, { after: cursor, types: 'site.deleted' })
      ids.push(...some.events.map(({ record_id }) => record_id))
      ;({ cursor, more } = some)
    }
    return ids
  }

  test('a cursor of before a restore is refused, also where its place is taken again', async () => {
    const [app] = apps as [App]
    const { cursor: kept } = await readFeed(caller, { after: await endOf() })
    await write(app, 8_001)
    await placeAll(app)
    const lost = await endOf()
    // The backup knew nothing of it.
    await app.store.write((tx) => tx.deleteFrom('events').where('record_id', '=', 8_001).execute())
    assert.equal((await refusalOf(readFeed(caller, { after: lost }))).code, 'gone')
    await write(app, 8_002)
    await placeAll(app)
    assert.equal((await refusalOf(readFeed(caller, { after: lost }))).code, 'gone')
    assert.deepEqual(await allAfter(kept), [8_002])
  })

  const endOf = async () => {
    let cursor: string | undefined
    for (let more = true; more; ) ({ cursor, more } = await readFeed(caller, { after: cursor }))
    return cursor as string
  }

  test('a cursor older than what is kept is refused with the first one, and the newest event stays', async () => {
    const [app] = apps as [App]
    const old = (await readFeed(caller, {})).events[0]?.cursor
    const end = await endOf()
    now = secondsAfter(now, 31 * 86_400)
    await sweep(operator(app))
    assert.deepEqual(await allAfter(end), [], 'whoever has read all goes on')
    await write(app, 9_001)
    await placeAll(app)
    assert.deepEqual(await allAfter(end), [9_001])
    const { code, details } = await refusalOf(readFeed(caller, { after: old }))
    assert.equal(code, 'gone')
    const first = details.headers?.['first-cursor'] as string
    assert.deepEqual(await allAfter(first), [8_002, 9_001])
    assert.equal((await refusalOf(readFeed(caller, { after: 'start' }))).code, 'gone')
    assert.equal((await refusalOf(readFeed(caller, { after: 'after-1' }))).code, 'bad_request')
  })
})

onEngine('postgres', 'a transaction that commits late', (place) => {
  let app: App
  before(async () => {
    app = await openApp(readSettings(place.env))
  })
  after(() => app.close())

  /** Commits its entry after a later one was committed and read. */
  const missedBy = async (follow: Follow, partnerId: number, ready: () => Promise<void>): Promise<number[]> => {
    const operator: OperatorCaller = { kind: 'operator', app, requestId: 'test' }
    const first = (await follow(undefined)).cursor
    const [drawn, read] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const late = app.store.write(async (tx) => {
      await audit(tx, operator, 'site.delete', { id: 1, partner_id: partnerId })
      drawn.resolve()
      await read.promise
    })
    await drawn.promise
    await app.store.write((tx) => audit(tx, operator, 'site.delete', { id: 2, partner_id: partnerId }))
    await ready()
    const some = await follow(first)
    read.resolve()
    await late
    await ready()
    const others = await follow(some.cursor)
    return [1, 2].filter((id) => ![...some.ids, ...others.ids].includes(id))
  }

  test('is missed by who follows the ids of rows, and by nobody who follows the places', async () => {
    const { partner, account } = await createPartner({ kind: 'operator', app, requestId: 'test' }, 'Acme')
    const caller = { kind: 'partner', app, partnerId: partner.id, accountId: account.id, accountIds: null } as PartnerCaller
    const byPlace: Follow = async (after) => {
      const { cursor, events } = await readFeed(caller, { after })
      return { cursor, ids: events.map(({ record_id }) => record_id) }
    }
    const byId: Follow = async (after) => {
      const entries = app.store.db
        .selectFrom('audit_entries')
        .select(['id', 'subject_id'])
        .where('id', '>', Number(after ?? 0))
      const rows = await entries.orderBy('id').execute()
      return { cursor: String(rows.at(-1)?.id ?? after ?? 0), ids: rows.map(({ subject_id }) => subject_id ?? 0) }
    }
    await placeAll(app)
    assert.deepEqual(await missedBy(byId, partner.id, async () => {}), [1])
    assert.deepEqual(await missedBy(byPlace, partner.id, () => placeAll(app)), [])
  })
})
