/** Asks a service that has `watch-slices.ts` in it for the longest turn of its event loop, and the waits of a neighbour, since it was last asked. */
import { request } from 'node:http'
import { text } from 'node:stream/consumers'

/** In milliseconds of the processor's time. */
export interface Slices {
  readonly longest: number
  /** The longest turn without the garbage that was collected in it. */
  readonly own: number
  /** The longest collection of garbage, by the clock, and how many there were. */
  readonly collected: number
  readonly collections: number
  readonly waits: readonly number[]
}

const nothing: Slices = { longest: 0, own: 0, collected: 0, collections: 0, waits: [] }

export function slicesOf(socketPath: string): Promise<Slices> {
  return new Promise((resolve) => {
    const sent = request({ socketPath, path: '/' }, async (response) => resolve(JSON.parse(await text(response))))
    // A service that has gone is told elsewhere.
    sent.on('error', () => resolve(nothing))
    sent.end()
  })
}
