/** Calls of a thread: a question goes to it as plain data, and its answer or its failure comes back. */

import type { MessagePort, Worker } from 'node:worker_threads'
import { failureOf, type SentFailure, sentFailure } from '../sent-failures.ts'

type ToThread<Q> = { readonly id: number; readonly question: Q } | { readonly id: number; readonly isStopped: true }

type FromThread<A> = { readonly id: number; readonly answer: A } | { readonly id: number; readonly failure: SentFailure }

interface Waiting<A> {
  readonly resolve: (answer: A) => void
  readonly reject: (error: unknown) => void
}

export class ThreadCalls<Q, A> {
  readonly #start: () => Worker
  readonly #waiting = new Map<number, Waiting<A>>()
  #worker: Worker | null = null
  #lastId = 0

  /** The thread is started with the first question, and again after it has died. */
  constructor(start: () => Worker) {
    this.#start = start
  }

  /** Settles once the thread has done with it, also after it was stopped. */
  ask(question: Q, stopped: AbortSignal): Promise<A> {
    this.#worker ??= this.#launch()
    const worker = this.#worker
    const id = ++this.#lastId
    const { promise, resolve, reject } = Promise.withResolvers<A>()
    const stop = () => worker.postMessage({ id, isStopped: true } satisfies ToThread<Q>)
    this.#waiting.set(id, { resolve, reject })
    worker.postMessage({ id, question } satisfies ToThread<Q>)
    if (stopped.aborted) stop()
    else stopped.addEventListener('abort', stop, { once: true })
    return promise.finally(() => stopped.removeEventListener('abort', stop))
  }

  async close(): Promise<void> {
    await this.#worker?.terminate()
  }

  #launch(): Worker {
    const worker = this.#start()
    worker.on('message', (message: FromThread<A>) => this.#hear(message))
    worker.on('error', (error) => this.#lose(worker, error))
    worker.on('exit', () => this.#lose(worker, new Error('the thread has ended')))
    worker.unref()
    return worker
  }

  #hear(message: FromThread<A>): void {
    const waiting = this.#waiting.get(message.id)
    this.#waiting.delete(message.id)
    if ('answer' in message) waiting?.resolve(message.answer)
    else waiting?.reject(failureOf(message.failure, 'the thread failed'))
  }

  #lose(worker: Worker, error: unknown): void {
    if (this.#worker !== worker) return
    this.#worker = null
    const lost = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const { reject } of lost) reject(error)
  }
}

/** The side of the thread. The signal of a question aborts when nobody waits for its answer any more. */
export function answerCalls<Q, A>(port: MessagePort, answer: (question: Q, stopped: AbortSignal) => Promise<A>): void {
  const stops = new Map<number, AbortController>()
  const post = (message: FromThread<A>) => port.postMessage(message)
  port.on('message', (message: ToThread<Q>) => {
    const { id } = message
    if (!('question' in message)) return stops.get(id)?.abort()
    const stop = new AbortController()
    stops.set(id, stop)
    answer(message.question, stop.signal)
      .then(
        (given) => post({ id, answer: given }),
        (error: unknown) => post({ id, failure: sentFailure(error) }),
      )
      .finally(() => stops.delete(id))
  })
}
