/**
 * Loaded into the service before anything else: tells how much processor time the main thread used between two turns of its event loop.
 *
 * A delay by the clock says as much about the machine as about the service. Processor time of the thread is the same on a busy
 * machine, so that the short form of a goal can judge it beside other tests.
 */
import { rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { isMainThread } from 'node:worker_threads'

const path = process.env.WATCH_SLICES
if (isMainThread && path !== undefined) {
  let longest = 0
  let before = usedMilliseconds()
  setInterval(() => {
    const now = usedMilliseconds()
    longest = Math.max(longest, now - before)
    before = now
  }, 1).unref()
  // The service begins again under the same process id, and finds the socket of its first beginning.
  rmSync(path, { force: true })
  createServer((_request, response) => {
    response.end(String(longest))
    longest = 0
  })
    .listen(path)
    .unref()
}

function usedMilliseconds(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
