/** A thread for the test of calls: it answers, fails, waits until it is stopped, or dies. */
import { parentPort, threadId } from 'node:worker_threads'
import { refuse } from '../../../src/lib/failures.ts'
import { answerCalls } from '../../../src/lib/work/thread-calls.ts'

if (parentPort !== null)
  answerCalls(parentPort, async (question: string, stopped) => {
    if (question === 'refuse') refuse('conflict', 'No, thank you', { 'retry-after': '7' })
    if (question === 'fail') throw new Error('out of order')
    if (question === 'die') process.exit(1)
    if (question === 'wait') await new Promise((resolve) => stopped.addEventListener('abort', resolve))
    return `${question} in thread ${threadId}`
  })
