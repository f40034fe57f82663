/** Watches a service while something is done: a neighbour who reads all the time, the turns of the event loop, and the peak of memory. */
import { readFileSync, writeFileSync } from 'node:fs'
import { clientOf, percentile } from './client.ts'
import type { Neighbour } from './neighbour.ts'
import type { Hard } from './process.ts'
import { slicesOf } from './slices.ts'

export interface Seen<T> {
  readonly result: T
  readonly p99: number
  readonly live: number
  readonly loop: number
  /** The longest turn of the loop, in the processor's time: what other processes cost is not in it. */
  readonly slice: number
  /** What the main thread did while the neighbour waited, for itself and for others, in the processor's time; p99. */
  readonly work: number
  /** The peak of memory. */
  readonly megabytes: number
}

export class Watch {
  readonly #pid: number
  readonly #neighbour: Neighbour
  readonly #admin: string
  readonly #slices: string

  constructor(service: Hard, neighbour: Neighbour, adminPort: number, slices: string) {
    this.#pid = service.pid
    this.#neighbour = neighbour
    this.#admin = `http://127.0.0.1:${adminPort}`
    this.#slices = slices
  }

  async during<T>(work: () => Promise<T>): Promise<Seen<T>> {
    await this.#loopDelay()
    await slicesOf(this.#slices)
    forgetPeak(this.#pid)
    this.#neighbour.begin()
    const result = await work()
    const { reads, lives } = await this.#neighbour.end()
    const { longest: slice, waits } = await slicesOf(this.#slices)
    const times = { p99: percentile(reads, 0.99), live: percentile(lives, 0.99), loop: await this.#loopDelay() }
    return { result, ...times, slice, work: percentile(waits, 0.99), megabytes: statusMegabytes(this.#pid, 'VmHWM') }
  }

  /** Since it was last asked. */
  async #loopDelay(): Promise<number> {
    const client = clientOf(this.#admin)
    const text = String((await client.ask('/metrics'))?.body)
    client.close()
    return 1_000 * Number(/^\w*eventloop_lag_p99_seconds ([\d.e-]+)$/m.exec(text)?.[1] ?? 0)
  }
}

export function statusMegabytes(pid: number, name: 'VmRSS' | 'VmHWM'): number {
  return Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024)
}

/** From now on the peak of memory is measured anew. */
function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}
