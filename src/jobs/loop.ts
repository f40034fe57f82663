/** Jobs beside the requests: each in its own rhythm, in one process at a time, and a failure of one ends neither it nor the service. */

import type { Log } from '../lib/log.ts'
import { workBudget } from '../lib/work/budget.ts'
import { limitConcurrency, type QueueCounts } from '../lib/work/concurrency.ts'
import type { App } from '../model/core/app.ts'
import { keepLease, runLeased } from '../model/core/leases.ts'

export interface Job {
  readonly name: string
  /** How often each process asks whether there is something to do. */
  readonly everySeconds: number
  /** Asked before the lease is claimed, so that a process with nothing to do writes nothing. */
  readonly isDue: () => Promise<boolean>
  /** Done by every process that has something to do: the job claims by itself what no two may do at once. */
  readonly isEverywhere?: true
  /** Whose deadline it has, where that is not the one of jobs. */
  readonly kind?: 'job' | 'intake'
  /** Once done to its end it rests this long, whichever process did it. A job without it must be short, and is done again and again. */
  readonly restSeconds?: number
  /** The signal says that another process has taken the job over, that this one stops, or that its time is up. */
  readonly run: (signal: AbortSignal) => Promise<void>
}

/** How often a job ran and failed since the start, for the metrics. */
export interface JobCounts {
  runs: number
  failures: number
  /** Milliseconds since 1970 at which it last succeeded. */
  succeededAt: number | null
}

export interface Jobs {
  readonly counts: Readonly<Record<string, JobCounts>>
  /** How many run now. */
  readonly places: QueueCounts
  /** Waits for what is running. */
  stop(): Promise<void>
}

/** After a process dies in the middle of a job, another one takes it up after this time. */
const leaseSeconds = 60
/** A job that fails again and again runs less and less often, down to once in this time. */
const longestPauseSeconds = 60

export function startJobs(app: App, jobs: readonly Job[], log: Log): Jobs {
  const counts = Object.fromEntries(jobs.map(({ name }) => [name, { runs: 0, failures: 0, succeededAt: null } as JobCounts]))
  const { places, queue: waiting, patienceSeconds, share } = workBudget.job
  const limit = limitConcurrency({ inside: places, insidePerParty: share, ranks: { job: { inside: places, waiting, patienceSeconds } } })
  const inPlace = (job: Job): Job => ({ ...job, run: (signal) => limit.pass('job', job.name, () => job.run(inTime(job, signal))) })
  const running = jobs.map((job) => repeat(app, inPlace(job), log, counts[job.name] as JobCounts))
  return {
    counts,
    places: limit.counts.job,
    async stop() {
      await Promise.all(running.map((stop) => stop()))
    },
  }
}

/** A job that is told to stop ends with what it is at, and goes on in its next round. */
function inTime({ kind = 'job' }: Job, signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(workBudget[kind].deadlineSeconds * 1000)])
}

interface Rounds {
  /** Does the job here if it is due and no other process does it. */
  round(): Promise<void>
  /** Tells the round that is running to come to an end. */
  stop(): void
  end(): Promise<void>
}

/** A job that rests is leased for one round; one that never does stays with its process. */
export function roundsOf(app: App, { name, isDue, isEverywhere, restSeconds, run }: Job): Rounds {
  const terms = { name: `job:${name}`, seconds: leaseSeconds }
  const kept = keepLease(app, terms)
  const stopping = new AbortController()
  const until = (lost: AbortSignal) => run(AbortSignal.any([lost, stopping.signal]))
  return {
    async round() {
      if (!(await isDue())) return
      if (restSeconds !== undefined) await runLeased(app, { ...terms, everySeconds: restSeconds }, until)
      else if (isEverywhere || (await kept.hold())) await run(stopping.signal)
    },
    stop: () => stopping.abort(),
    end: () => kept.release(),
  }
}

function repeat(app: App, job: Job, log: Log, counts: JobCounts): () => Promise<void> {
  const { round, stop, end } = roundsOf(app, counted(job, counts))
  let failuresInRow = 0
  let isStopped = false
  let current = Promise.resolve()
  let timer: NodeJS.Timeout
  const again = () => {
    timer = setTimeout(() => {
      current = once().then(() => {
        if (!isStopped) again()
      })
    }, pauseSeconds(job.everySeconds, failuresInRow) * 1000)
    timer.unref()
  }
  const once = async () => {
    try {
      await round()
      if (failuresInRow > 0) log.info({ job: job.name, failures: failuresInRow }, 'a job works again')
      failuresInRow = 0
    } catch (error) {
      counts.failures += 1
      failuresInRow += 1
      logFailure(log, job.name, error, failuresInRow)
    }
  }
  again()
  return async () => {
    isStopped = true
    stop()
    clearTimeout(timer)
    await current
    await end().catch(() => {})
  }
}

/** Counts what is done here; a round in which another process has the job is none. */
function counted(job: Job, counts: JobCounts): Job {
  const run = async (signal: AbortSignal) => {
    counts.runs += 1
    await job.run(signal)
    counts.succeededAt = Date.now()
  }
  return { ...job, run }
}

function pauseSeconds(everySeconds: number, failuresInRow: number): number {
  return Math.max(everySeconds, Math.min(longestPauseSeconds, everySeconds * 2 ** failuresInRow))
}

/** The first failure with its stack; then the 2nd, 4th, 8th and so on in a line each, with how many there were. */
function logFailure(log: Log, job: string, error: unknown, failures: number): void {
  if (failures === 1) log.error({ err: error, job }, 'a job failed')
  else if (Number.isInteger(Math.log2(failures)))
    log.error({ job, failures, reason: error instanceof Error ? error.message : String(error) }, 'a job failed again')
}
