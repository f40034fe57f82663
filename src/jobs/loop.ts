/** Jobs beside the requests: each in its own rhythm, never twice at once, and a failure of one ends neither it nor the service. */

import type { Log } from '../lib/log.ts'

export interface Job {
  readonly name: string
  readonly everySeconds: number
  readonly run: () => Promise<void>
}

export interface Jobs {
  /** Waits for what is running. */
  stop(): Promise<void>
}

export function startJobs(jobs: readonly Job[], log: Log): Jobs {
  const running = jobs.map((job) => repeat(job, log))
  return {
    async stop() {
      await Promise.all(running.map((stop) => stop()))
    },
  }
}

function repeat({ name, everySeconds, run }: Job, log: Log): () => Promise<void> {
  let isStopped = false
  let current = Promise.resolve()
  let timer: NodeJS.Timeout
  const again = () => {
    timer = setTimeout(() => {
      current = once().then(() => {
        if (!isStopped) again()
      })
    }, everySeconds * 1000)
    timer.unref()
  }
  const once = async () => {
    try {
      await run()
    } catch (error) {
      log.error({ err: error, job: name }, 'a job failed')
    }
  }
  again()
  return async () => {
    isStopped = true
    clearTimeout(timer)
    await current
  }
}
