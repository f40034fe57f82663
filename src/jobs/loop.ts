/** Runs the background jobs: each at its own interval, in one process at a time. A failure ends neither the job nor the service. */

import type { Log } from '../lib/log.ts'
import { workBudget } from '../lib/work/budget.ts'
import { limitConcurrency, type QueueCounts } from '../lib/work/concurrency.ts'
import type { App } from '../model/core/app.ts'
import { keepLease, runLeased } from '../model/core/leases.ts'

export interface Job {
  readonly name: string
  /** How often each process checks whether the job is due. */
  readonly everySeconds: number
  /** Checked before the lease is claimed, so that a process with nothing to do writes nothing. */
  readonly isDue: () => Promise<boolean>
  /** Every process may run it at the same time; the job itself claims what must not be done twice. */
  readonly isEverywhere?: true
  /** The kind of work whose deadline applies; `job` by default. */
  readonly kind?: 'job' | 'intake'
  /** After completion, the job is not run again for this long, in any process. A job without it must be short and runs at every interval. */
  readonly restSeconds?: number
  /** The signal aborts when another process has taken over the job, this process stops, or the deadline has passed. */
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
  /** How many jobs are running now. */
  readonly places: QueueCounts
  /** Stops and waits for running jobs. */
  stop(): Promise<void>
}

/** When a process dies in the middle of a job, another one may take over after this time. */
const leaseSeconds = 60
/** A job that keeps failing is retried at growing intervals, up to this one. */
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

/** A job that is aborted finishes its current piece of work and continues in its next round. */
function inTime({ kind = 'job' }: Job, signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(workBudget[kind].deadlineSeconds * 1000)])
}

interface Rounds {
  /** Runs the job here if it is due and no other process is running it. */
  round(): Promise<void>
  /** Aborts the running round. */
  stop(): void
  end(): Promise<void>
}

/** A job with a rest time takes its lease for one round; a job without keeps its lease. */
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

/** Counts the rounds of this process; a round in which another process has the job does not count. */
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

/** Logs the first failure with its stack, then the 2nd, 4th, 8th and so on in one line with the count. */
function logFailure(log: Log, job: string, error: unknown, failures: number): void {
  if (failures === 1) log.error({ err: error, job }, 'a job failed')
  else if (Number.isInteger(Math.log2(failures)))
    log.error({ job, failures, reason: error instanceof Error ? error.message : String(error) }, 'a job failed again')
}
