/** Jobs beside the requests: each in its own rhythm, in one process at a time, and a failure of one ends neither it nor the service. */

import type { Log } from '../lib/log.ts'
import type { App } from '../model/core/app.ts'
import { keepLease, runLeased } from '../model/core/leases.ts'

export interface Job {
  readonly name: string
  /** How often each process asks whether there is something to do. */
  readonly everySeconds: number
  /** Asked before the lease is claimed, so that a process with nothing to do writes nothing. */
  readonly isDue: () => Promise<boolean>
  /** Once done to its end it rests this long, whichever process did it. A job without it must be short, and is done again and again. */
  readonly restSeconds?: number
  /** The signal says that another process has taken the job over. */
  readonly run: (signal: AbortSignal) => Promise<void>
}

export interface Jobs {
  /** Waits for what is running. */
  stop(): Promise<void>
}

/** After a process dies in the middle of a job, another one takes it up after this time. */
const leaseSeconds = 60

export function startJobs(app: App, jobs: readonly Job[], log: Log): Jobs {
  const running = jobs.map((job) => repeat(app, job, log))
  return {
    async stop() {
      await Promise.all(running.map((stop) => stop()))
    },
  }
}

interface Rounds {
  /** Does the job here if it is due and no other process does it. */
  round(): Promise<void>
  end(): Promise<void>
}

/** A job that rests is leased for one round; one that never does stays with its process. */
export function roundsOf(app: App, { name, isDue, restSeconds, run }: Job): Rounds {
  const terms = { name: `job:${name}`, seconds: leaseSeconds }
  const kept = keepLease(app, terms)
  const never = new AbortController().signal
  return {
    async round() {
      if (!(await isDue())) return
      if (restSeconds !== undefined) await runLeased(app, { ...terms, everySeconds: restSeconds }, run)
      else if (await kept.hold()) await run(never)
    },
    end: () => kept.release(),
  }
}

function repeat(app: App, job: Job, log: Log): () => Promise<void> {
  const { round, end } = roundsOf(app, job)
  let isStopped = false
  let current = Promise.resolve()
  let timer: NodeJS.Timeout
  const again = () => {
    timer = setTimeout(() => {
      current = once().then(() => {
        if (!isStopped) again()
      })
    }, job.everySeconds * 1000)
    timer.unref()
  }
  const once = async () => {
    try {
      await round()
    } catch (error) {
      log.error({ err: error, job: job.name }, 'a job failed')
    }
  }
  again()
  return async () => {
    isStopped = true
    clearTimeout(timer)
    await current
    await end().catch(() => {})
  }
}
