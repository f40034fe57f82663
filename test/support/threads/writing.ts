/** A thread that writes in a row of transactions, as one that stores much, until it is told to stop holding or to die. */
import { setImmediate as otherWork } from 'node:timers/promises'
import { parentPort } from 'node:worker_threads'
import { giveWriteTurn, takeWriteTurn } from '../../../src/lib/work/write-turns.ts'

const port = parentPort
port?.on('message', async (message: 'hold' | 'repeat' | 'die') => {
  if (message === 'die') process.exit(1)
  await takeWriteTurn()
  port.postMessage('holds')
  if (message === 'hold') return
  for (let turn = 0; turn < 1_000; turn++) {
    await otherWork()
    giveWriteTurn()
    await takeWriteTurn()
  }
  giveWriteTurn()
  port.postMessage('done')
})
