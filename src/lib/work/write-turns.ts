/**
 * The turns in which the threads of a process write to a file that takes one writer at a time: a thread that stores much lets the main thread go first, for whose writes somebody
 * waits. Without turns each would ask the file again and again whether it is free, and meet the short moments in which it is by chance.
 */

import { getEnvironmentData, isMainThread, setEnvironmentData, threadId, type Worker } from 'node:worker_threads'

const name = 'marquee write turns'
/** Two words: who writes, as its thread's number counted from 1, and how often the main thread waits. */
const [holder, urgent] = [0, 1]
const free = 0
const own = threadId + 1
/** A thread that died while it was waited for has told nobody. */
const longestWaitMilliseconds = 1_000

/** Threads inherit the environment data of the thread that starts them. */
const words = (getEnvironmentData(name) as Int32Array | undefined) ?? fresh()

function fresh(): Int32Array {
  const made = new Int32Array(new SharedArrayBuffer(8))
  setEnvironmentData(name, made)
  return made
}

export async function takeWriteTurn(): Promise<void> {
  if (!isMainThread) return takePatiently()
  if (Atomics.compareExchange(words, holder, free, own) === free) return
  Atomics.add(words, urgent, 1)
  while (Atomics.compareExchange(words, holder, free, own) !== free) await changeOf(holder)
  Atomics.sub(words, urgent, 1)
  Atomics.notify(words, urgent)
}

export function giveWriteTurn(): void {
  release(own)
}

/** For a thread that writes: what it holds when it ends is given back for it. */
export function givingBackTurns(worker: Worker): Worker {
  const its = worker.threadId + 1
  return worker.once('exit', () => release(its))
}

async function takePatiently(): Promise<void> {
  for (;;) {
    if (Atomics.load(words, urgent) > 0) await changeOf(urgent)
    else if (Atomics.compareExchange(words, holder, free, own) === free) return
    else await changeOf(holder)
  }
}

function release(by: number): void {
  if (Atomics.compareExchange(words, holder, by, free) === by) Atomics.notify(words, holder)
}

/** Resolves once the word is another one than now, or free. */
async function changeOf(word: typeof holder | typeof urgent): Promise<void> {
  const now = Atomics.load(words, word)
  if (now === free) return
  const { async: isLater, value } = Atomics.waitAsync(words, word, now, longestWaitMilliseconds)
  if (isLater) await value
}
