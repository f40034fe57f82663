/** Prepared reads on PostgreSQL: the reads of one turn of the event loop are sent together over one connection, and equal ones are sent once (docs/decisions/2026-11-16-shared-reads.md). */

import type { Socket } from 'node:net'
import type pg from 'pg'
import type { Servers } from './servers.ts'
import { statementName } from './snapshots.ts'

interface Read {
  readonly name: string
  readonly text: string
  readonly values: readonly unknown[]
  readonly rows: PromiseWithResolvers<readonly unknown[]>
}

/** A connection gets at most this many reads at a time; the others go over the next connection. */
const mostTogether = 64

export class SharedReads {
  readonly #servers: Servers
  /** The reads that have not been sent, by statement and values. */
  readonly #unsent = new Map<string, Read>()
  #isSending = false

  constructor(servers: Servers) {
    this.#servers = servers
  }

  /** Joins an equal read only while that is unsent, so that every caller sees what was committed before it asked. */
  rows(text: string, values: readonly unknown[]): Promise<readonly unknown[]> {
    const name = statementName(text)
    const key = `${name} ${JSON.stringify(values)}`
    const equal = this.#unsent.get(key)
    if (equal !== undefined) return equal.rows.promise
    const rows = Promise.withResolvers<readonly unknown[]>()
    this.#unsent.set(key, { name, text, values, rows })
    if (!this.#isSending) this.#sendAfterTurn()
    return rows.promise
  }

  #sendAfterTurn(): void {
    this.#isSending = true
    setImmediate(() => void this.#send())
  }

  /** Reads that arrive while all connections are in use are sent together with those already waiting. */
  async #send(): Promise<void> {
    let client: pg.PoolClient
    try {
      client = await this.#servers.connect()
    } catch (error) {
      this.#isSending = false
      for (const { rows } of this.#take(Number.POSITIVE_INFINITY)) rows.reject(error)
      return
    }
    const reads = this.#take(mostTogether)
    this.#isSending = false
    if (this.#unsent.size > 0) this.#sendAfterTurn()
    const haveFailed = (await this.#answer(client, reads)).some(({ status }) => status === 'rejected')
    client.release(haveFailed)
  }

  #take(most: number): Read[] {
    const taken = [...this.#unsent.entries().take(most)]
    for (const [key] of taken) this.#unsent.delete(key)
    return taken.map(([, read]) => read)
  }

  #answer(client: pg.PoolClient, reads: readonly Read[]): Promise<PromiseSettledResult<void>[]> {
    const socket = socketOf(client)
    socket.cork()
    const answers = reads.map(({ rows, ...query }) => {
      const answer = this.#servers.run(client, query).then((result) => rows.resolve(result.rows))
      answer.catch(rows.reject)
      return answer
    })
    socket.uncork()
    return Promise.allSettled(answers)
  }
}

/** The types of pg leave out its connection, whose socket buffers what is written while it is corked. */
function socketOf(client: pg.PoolClient): Socket {
  return (client as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream
}
