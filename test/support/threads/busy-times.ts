/** A thread that is busy twice, and says when what each time left behind was collected. */
import { parentPort } from 'node:worker_threads'
import { collectWhenIdle } from '../../../src/lib/idle-memory.ts'

const left = new FinalizationRegistry<number>((time) => {
  parentPort?.postMessage(time)
  if (time === 1) setImmediate(work, 2)
})
setInterval(() => {}, 60_000)
collectWhenIdle(50)
work(1)

function work(time: number): void {
  left.register({ of: 'a busy time' }, time)
  const end = performance.now() + 100
  while (performance.now() < end);
}
