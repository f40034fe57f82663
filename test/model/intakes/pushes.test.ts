/** A push ends with its client: what is taken as a whole leaves nothing, and nothing more is begun. */
import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { test } from 'node:test'
import { Failure } from '../../../src/lib/failures.ts'
import { type Push, storePush } from '../../../src/model/intakes/pushes/store-push.ts'
import type { BuiltStatement } from '../../../src/store/statements.ts'
import { exported, type World, worldAt } from '../../support/data.ts'
import { onEachEngine } from '../../support/engines.ts'
import { receivedOf } from '../../support/received.ts'

const never = new AbortController().signal

onEachEngine('a push whose client goes', (place) => {
  const world = worldAt(place)

  test('is not begun where the client has gone before', async () => {
    const before = await exported(world)
    await assert.rejects(storePush(world.app, pushOf(world, 'early', 10), AbortSignal.abort()), wentAway)
    assert.equal(await exported(world), before)
  })

  test('leaves nothing in one transaction, and all of it where nobody goes', async () => {
    const before = await exported(world)
    const push = { ...pushOf(world, 'late', 3_000), isAtomic: true }
    await assert.rejects(
      untilStep(10, (stopped) => storePush(world.app, push, stopped)),
      wentAway,
    )
    assert.equal(await exported(world), before)
    const { lines, refused, isApplied } = await storePush(world.app, push, never)
    assert.deepEqual([lines, refused, isApplied], [3_000, 0, true])
  })

  test('keeps by itself what was stored before, and stores no more', async () => {
    await assert.rejects(
      untilStep(10, (stopped) => storePush(world.app, pushOf(world, 'part', 3_000), stopped)),
      wentAway,
    )
    const stored = (await exported(world)).split('\n').filter((line) => line.includes('"ranking"') && line.includes('part ')).length
    assert.ok(stored > 0 && stored < 3_000, `${stored} rankings were stored`)
  })
})

/** Aborts while this step is stored: those before create the keywords, and then some of the rankings. */
async function untilStep<T>(step: number, work: (stopped: AbortSignal) => Promise<T>): Promise<T> {
  const gone = new AbortController()
  let steps = 0
  const look = (message: unknown) => {
    const { node } = message as BuiltStatement
    if (node.kind === 'InsertQueryNode' && node.into?.table.identifier.name === 'intake_steps' && ++steps === step) gone.abort()
  }
  subscribe('marquee:statement', look)
  try {
    return await work(gone.signal)
  } finally {
    unsubscribe('marquee:statement', look)
  }
}

function pushOf({ partnerId, accountId }: World, words: string, count: number): Push {
  const records = Array.from({ length: count }, (_, i) => ({
    type: 'ranking',
    site: 'example.com',
    phrase: `${words} ${i}`,
    search_engine: 'Google',
    locale: 'en-us',
    ranked_at: '2026-11-01 00:00:00',
    rank: 1,
  }))
  const contents = receivedOf(Buffer.from(records.map((record) => JSON.stringify(record)).join('\n')))
  const key = { accountId, accountIds: null, keyId: 1, keyName: 'test', requestId: 'test' }
  return { partnerId, key, body: { contents, encoding: 'identity' }, mapping: null, isAtomic: false, isDryRun: false, createMissing: true }
}

function wentAway(error: unknown): boolean {
  return error instanceof Failure && error.code === 'malformed_body' && error.message === 'The client went away'
}
