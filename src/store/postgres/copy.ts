/** COPY over a connection of the driver pg, which has no COPY query of its own: streams rows out with back-pressure, and in. */

import type pg from 'pg'
import { Batch } from '../bulk/bulk.ts'
import { endOfTuple } from '../bulk/tuples.ts'

/** Methods of pg's connection that its types lack. */
interface Wire extends pg.Connection {
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(reason: string): void
}

const signature = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1')
/** The COPY header: the signature, no flags, no extension. */
const header = Buffer.concat([signature, Buffer.alloc(8)])
const trailer = Buffer.from([0xff, 0xff])

/** Resolves when the server has received all tuples. */
export function copyIn(client: pg.ClientBase, text: string, tuples: readonly Buffer[]): Promise<void> {
  return new Promise((resolve, reject) => {
    let failure: Error | undefined
    client.query({
      ...ignoringRows,
      submit: (connection) => (connection as Wire).query(text),
      handleCopyInResponse(connection: Wire) {
        connection.sendCopyFromChunk(Buffer.concat([header, ...tuples, trailer]))
        connection.endCopyFrom()
      },
      handleError(error: Error) {
        failure = error
        reject(error)
      },
      handleReadyForQuery: () => (failure === undefined ? resolve() : undefined),
    } as pg.Submittable)
  })
}

/** Yields batches of tuples. While nobody reads them the socket is not read either, so that the server waits. */
export async function* copyOut(client: pg.ClientBase, text: string): AsyncGenerator<readonly Buffer[]> {
  const state = { batch: new Batch(), rest: Buffer.alloc(0), isOpen: true, failure: undefined as Error | undefined }
  let wire: Wire | undefined
  let wake = Promise.withResolvers<void>()
  const end = (failure?: Error) => {
    Object.assign(state, { isOpen: false, failure: state.failure ?? failure })
    wake.resolve()
  }
  let isBegun = false
  const take = (chunk: Buffer) => {
    const bytes = Buffer.concat([state.rest, chunk])
    let start = isBegun ? 0 : header.length
    isBegun = true
    for (let stop = nextTuple(bytes, start); stop !== undefined; stop = nextTuple(bytes, start)) {
      state.batch.add(bytes.subarray(start, stop))
      start = stop
    }
    state.rest = bytes.subarray(start)
  }
  client.query({
    ...ignoringRows,
    submit(connection: Wire) {
      wire = connection
      connection.query(text)
    },
    handleCopyData({ chunk }: { chunk: Buffer }) {
      take(chunk)
      if (!state.batch.isFull) return
      wire?.stream.pause()
      wake.resolve()
    },
    handleError: (error: Error) => end(error),
    handleReadyForQuery: () => end(),
  } as unknown as pg.Submittable)
  do {
    await wake.promise
    wake = Promise.withResolvers()
    if (state.failure !== undefined) throw state.failure
    if (!state.batch.isEmpty) yield state.batch.take()
    wire?.stream.resume()
    if (!state.isOpen) wake.resolve()
  } while (state.isOpen || !state.batch.isEmpty)
}

/** The end of the next complete tuple; the trailer, with -1 fields, is not a tuple. */
function nextTuple(bytes: Buffer, start: number): number | undefined {
  return bytes.length >= start + 2 && bytes.readInt16BE(start) >= 0 ? endOfTuple(bytes, start) : undefined
}

/** Handlers that pg requires of a query and that have nothing to do here. */
const ignoringRows = {
  handleRowDescription: () => {},
  handleDataRow: () => {},
  handleCommandComplete: () => {},
  handleEmptyQuery: () => {},
  handlePortalSuspended: () => {},
  handleCopyData: () => {},
  handleCopyInResponse: (connection: Wire) => connection.sendCopyFail('nothing is sent here'),
}
