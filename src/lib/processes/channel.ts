/** Requests, answers and notices between two processes, over Node's channel between a parent and a forked child. */

import { Failure, type FailureCode } from '../failures.ts'

/** A forked process, or `process` itself in the child. */
export interface Port {
  send?(message: object): unknown
  on(event: 'message', listener: (message: unknown) => void): unknown
  once(event: 'disconnect', listener: () => void): unknown
}

export interface Channel {
  /** Sends a request. Rejects with the error that the other process threw, or when that process has ended. */
  ask<T>(about: string, content?: unknown): Promise<T>
  /** Sends a notice without waiting for it to arrive. */
  tell(about: string, content?: unknown): void
  /** Registers the function that answers the other process's requests. */
  answer(about: string, answer: (content: never) => unknown): void
  /** Registers a listener for the other process's notices. */
  hear(about: string, listener: (content: never) => void): void
}

type Message =
  | { readonly marquee: 'question'; readonly id: number; readonly about: string; readonly content: unknown }
  | { readonly marquee: 'answer'; readonly id: number; readonly content: unknown; readonly error?: SentError }
  | { readonly marquee: 'notice'; readonly about: string; readonly content: unknown }

interface SentError {
  readonly code: FailureCode | null
  readonly details: Failure['details']
  readonly message: string
}

interface Waiting {
  resolve(content: never): void
  reject(error: unknown): void
}

export function openChannel(port: Port): Channel {
  const waiting = new Map<number, Waiting>()
  const answers = new Map<string, (content: never) => unknown>()
  const listeners = new Map<string, (content: never) => void>()
  let lastId = 0
  let isClosed = false
  const send = (message: Message) => {
    if (isClosed) return
    try {
      port.send?.(message)
    } catch {
      // The channel was just closed; pending requests are rejected by its `disconnect` event.
    }
  }
  const reply = async (id: number, about: string, content: unknown) => {
    try {
      const answer = answers.get(about)
      if (answer === undefined) throw new Error(`Nobody answers about ${about} yet.`)
      send({ marquee: 'answer', id, content: await answer(content as never) })
    } catch (error) {
      send({ marquee: 'answer', id, content: null, error: sentError(error) })
    }
  }
  port.on('message', (given) => {
    const message = given as Message
    if (message.marquee === 'question') void reply(message.id, message.about, message.content)
    else if (message.marquee === 'notice') listeners.get(message.about)?.(message.content as never)
    else if (message.marquee === 'answer') settle(waiting, message)
  })
  port.once('disconnect', () => {
    isClosed = true
    for (const { reject } of waiting.values()) reject(new Error('The other process is gone.'))
    waiting.clear()
  })
  return {
    ask: (about, content = null) =>
      new Promise((resolve, reject) => {
        lastId += 1
        if (isClosed) return reject(new Error('The other process is gone.'))
        waiting.set(lastId, { resolve, reject })
        send({ marquee: 'question', id: lastId, about, content })
      }),
    tell: (about, content = null) => send({ marquee: 'notice', about, content }),
    answer: (about, answer) => void answers.set(about, answer),
    hear: (about, listener) => void listeners.set(about, listener),
  }
}

function settle(waiting: Map<number, Waiting>, { id, content, error }: Extract<Message, { marquee: 'answer' }>): void {
  const one = waiting.get(id)
  waiting.delete(id)
  if (error === undefined) one?.resolve(content as never)
  else one?.reject(error.code === null ? new Error(error.message) : new Failure(error.code, error.details))
}

function sentError(error: unknown): SentError {
  if (error instanceof Failure) return { code: error.code, details: error.details, message: error.message }
  return { code: null, details: {}, message: error instanceof Error ? error.message : String(error) }
}
