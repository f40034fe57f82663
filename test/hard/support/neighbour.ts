/** A neighbour in a process of its own: it reads all the time and measures, undisturbed by what its parent sends. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { clientOf } from './client.ts'
import { pause } from './process.ts'

/** In milliseconds by the clock. */
export interface Waits {
  readonly reads: readonly number[]
  readonly lives: readonly number[]
}

export interface Neighbour {
  begin(): void
  end(): Promise<Waits>
  leave(): void
}

const url = process.env.NEIGHBOUR_OF
if (url !== undefined && process.send !== undefined) live(url, process.env.NEIGHBOUR_AUTHORIZATION ?? '')

export function startNeighbour(serviceUrl: string, authorization: string): Neighbour {
  const child = fork(import.meta.filename, { env: { ...process.env, NEIGHBOUR_OF: serviceUrl, NEIGHBOUR_AUTHORIZATION: authorization } })
  raise(child.pid ?? 0)
  return {
    begin: () => void child.send('begin'),
    async end() {
      child.send('end')
      const [waits] = await once(child, 'message')
      return waits as Waits
    },
    leave: () => void child.kill(),
  }
}

/** It takes little of the processor, and what it waits for one is not the service's fault. Only root may ask for that. */
function raise(pid: number): void {
  try {
    setPriority(pid, -10)
  } catch {
    // Then it waits like everybody else.
  }
}

function live(serviceUrl: string, authorization: string): void {
  const client = clientOf(serviceUrl, authorization, 2)
  let state = { isOver: false, reads: [] as number[], lives: [] as number[] }
  process.on('message', (message) => {
    state.isOver = true
    if (message === 'end') process.send?.({ reads: state.reads, lives: state.lives })
    state = { isOver: message === 'end', reads: [], lives: [] }
    void look(client, state)
  })
  process.once('disconnect', () => process.exit())
}

async function look(client: ReturnType<typeof clientOf>, state: { isOver: boolean; reads: number[]; lives: number[] }): Promise<void> {
  while (!state.isOver) {
    state.reads.push(await wait(client, '/api/businesses.json'))
    state.lives.push(await wait(client, '/health/live'))
    await pause(5)
  }
}

async function wait(client: ReturnType<typeof clientOf>, path: string): Promise<number> {
  const headers = { 'x-sent-at': String(Number(process.hrtime.bigint()) / 1e6) }
  const answer = await client.ask(path, { headers })
  // JSON knows no infinity.
  return answer?.milliseconds ?? 1e9
}
