/** Everything that can be asked of a large world, one row after the other: each is judged by the longest turn of the main thread in the processor's time of our own code. */
import { cpSync } from 'node:fs'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { readSettings } from '../../../src/config.ts'
import { type App, openApp } from '../../../src/model/core/app.ts'
import type { Asking } from '../../guards/bystanders/endpoint-recipes.ts'
import { differencesOf, openRowbook, type Rowbook, type Rows } from '../../guards/bystanders/rows.ts'
import { makeWorld, type World } from '../../guards/bystanders/world.ts'
import type { EngineName } from '../../support/engines.ts'
import { openMailbox } from '../../support/mailbox.ts'
import { clientOf } from '../../support/service.ts'
import { catalogueRows, type Row, unasked } from './catalogue-rows.ts'
import { judgeCommands } from './command-holds.ts'
import { goalMilliseconds, isRestored, type Judged } from './judged.ts'
import { growLarge, type Largeness } from './large-world.ts'
import { type Env, startHard } from './process.ts'
import { slicesOf } from './slices.ts'
import { ownTree } from './tree.ts'

/** What is red is asked again: code is compiled at its first use, and a busy machine has cold caches. */
const tries = 4
export async function judgeCatalogue(engine: EngineName, place: Env, folder: string, size: Largeness): Promise<Judged[]> {
  const mailbox = await openMailbox()
  const socket = join(folder, 'slices')
  const mail = { MARQUEE_SMTP_URL: mailbox.url, MARQUEE_MAIL_FROM: 'reports@marquee.test' }
  const env = { ...place, BASE_URL: 'http://marquee.test', ...mail, LOG_LEVEL: 'silent', MARQUEE_ADMIN_PORT: '0' }
  const world = await makeLarge(env, size)
  const copy = join(folder, 'of-commands')
  // Only the embedded database has one lock for all.
  const isEmbedded = engine === 'sqlite'
  if (isEmbedded) cpSync(place.DATA_DIR ?? '', copy, { recursive: true })
  const app = await openApp(readSettings(env))
  const watching = { WATCH_SLICES: socket, NODE_OPTIONS: `--import ${join(import.meta.dirname, 'watch-slices.ts')}` }
  const service = await startHard(ownTree, { env: { ...env, ...watching } })
  const agent = new Agent({ keepAlive: true })
  const ground: Asking = {
    app,
    world: { ...world, operator: { ...world.operator, app } },
    mailbox,
    stranger: clientOf(service.url, agent, null),
  }
  try {
    const nobody = (await unasked(ground)).map((name) => ({
      name,
      own: 0,
      collected: 0,
      collections: 0,
      failure: 'nobody knows how to ask it',
    }))
    const commands = isEmbedded ? await judgeCommands(world, { ...env, DATA_DIR: copy }, copy) : []
    return [...nobody, ...(await judgeRows(app, engine, socket, await catalogueRows(ground))), ...commands]
  } finally {
    agent.destroy()
    await service.kill('SIGTERM')
    await app.close()
    await mailbox.close()
  }
}

async function makeLarge(env: Env, size: Largeness): Promise<World> {
  const app = await openApp(readSettings(env), { schema: 'bring up' })
  try {
    const world = await makeWorld(app)
    await growLarge(world, size)
    return world
  } finally {
    await app.close()
  }
}

async function judgeRows(app: App, engine: EngineName, socket: string, rows: readonly Row[]): Promise<Judged[]> {
  const book = await openRowbook(app.store, engine, isRestored)
  const start = await book.read()
  const judged: Judged[] = []
  for (const row of rows) {
    let best: Judged | undefined
    for (let left = row.last > 0 ? 1 : tries; left > 0 && !(best && (best.failure || best.own <= goalMilliseconds)); left -= 1) {
      const one = await judge(socket, row)
      if (best === undefined || (one.failure === undefined && one.own < best.own)) best = one
      await putBack(book, start)
    }
    if (best !== undefined) judged.push(best)
  }
  return judged
}

/** A job of the service may write between the reading and the restoring, for example find the site that was just made. */
async function putBack(book: Rowbook, start: Rows): Promise<void> {
  for (let left = 5; left > 0; left -= 1)
    try {
      return await book.restore(differencesOf(start, await book.read()))
    } catch (error) {
      if (left === 1) throw error
    }
}

async function judge(socket: string, { name, prepare, act }: Row): Promise<Judged> {
  await prepare?.()
  await slicesOf(socket)
  const failure = await act().then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
  const { own, collected, collections } = await slicesOf(socket)
  return { name, own: round(own), collected: round(collected), collections, ...(failure !== undefined && { failure }) }
}

function round(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10
}

/** The slowest first. */
export function tableOf(judged: readonly Judged[]): string {
  const lines = judged
    .toSorted((a, b) => b.own - a.own)
    .map(({ name, own, collected, collections, failure }) => {
      return `${String(own).padStart(8)} ${String(collected).padStart(8)} ${String(collections).padStart(4)}  ${name}${failure === undefined ? '' : `: ${failure}`}`
    })
  return ['     own  garbage  how many', ...lines].join('\n')
}
