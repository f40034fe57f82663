/** A service whose settings all stand in its file, so that a test can change them and reload. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Running, serving } from './command.ts'
import type { Place } from './engines.ts'

export interface Reloadable extends Running {
  readonly adminUrl: string
  /** Makes this the whole settings file, beside what the service began with; null takes the file away. */
  change(settings: Readonly<Record<string, string>> | string | null): void
  /** Sends SIGHUP and returns the line of the log that tells what came of it. */
  reload(): Promise<string>
  /** What every reload so far came to. */
  outcomes(): string[]
}

export async function reloadable(place: Place, words: string, given: Readonly<Record<string, string>> = {}): Promise<Reloadable> {
  const file = join(place.folder, 'marquee.env')
  const first: Record<string, string> = {
    ...place.env,
    PORT: String(await freePort()),
    MARQUEE_ADMIN_PORT: String(await freePort()),
    LOG_LEVEL: 'error',
    ...given,
  }
  const change = (settings: Readonly<Record<string, string>> | string | null) => {
    const { MARQUEE_ENV_FILE, ...all } = { ...first, ...(typeof settings === 'object' && settings) }
    const lines = Object.entries(all).map(([name, value]) => `${name}=${value}`)
    if (settings === null) rmSync(file)
    else writeFileSync(file, [...lines, typeof settings === 'string' ? settings : ''].join('\n'))
  }
  change({})
  // An empty value counts as none, so that the file has its say.
  const service = await serving({ ...place, env: { MARQUEE_ENV_FILE: file } }, words, { PORT: '', MARQUEE_ADMIN_PORT: '', LOG_LEVEL: '' })
  const outcomes = () =>
    service
      .printed()
      .split('\n')
      .flatMap((line) => /"msg":"(The settings were .*)"\}$/.exec(line)?.[1] ?? [])
  const reload = async () => {
    const before = outcomes().length
    process.kill(service.pid, 'SIGHUP')
    // Throws when the process has ended.
    for (; outcomes().length === before; process.kill(service.pid, 0)) await sleep(20)
    return outcomes()[before] ?? ''
  }
  return { ...service, adminUrl: `http://127.0.0.1:${first.MARQUEE_ADMIN_PORT}`, change, reload, outcomes }
}

/** Asks on kept connections without a pause until the work is done; the status of every answer, or the error in its place. */
export async function statusesWhile(
  work: () => Promise<void>,
  url: string,
  path: string,
  authorization: string,
): Promise<(number | string)[]> {
  const agent = new Agent({ keepAlive: true })
  const { hostname, port } = new URL(url)
  const statuses: (number | string)[] = []
  let isOver = false
  const ask = () =>
    new Promise<number | string>((resolve) => {
      request({ agent, hostname, port, path, headers: { authorization } }, (response) => {
        response
          .resume()
          .on('end', () => resolve(response.statusCode ?? 0))
          .on('error', (error) => resolve(error.message))
      })
        .on('error', (error) => resolve(error.message))
        .end()
    })
  const client = async () => {
    while (!isOver) {
      statuses.push(await ask())
      await sleep(5)
    }
  }
  const clients = Array.from({ length: 4 }, client)
  try {
    await work()
  } finally {
    isOver = true
    await Promise.all(clients)
    agent.destroy()
  }
  return statuses
}

/** The processes whose parent the service is. */
export function workersOf({ pid }: Pick<Running, 'pid'>): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
}

export async function freePort(): Promise<number> {
  const server = await listener()
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** A port that is taken by somebody who never says anything. */
export async function listener(): Promise<Server> {
  const server = createServer((socket) => void socket.on('error', () => {})).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return server
}
