/** All metrics that are read from parts of the service, in one table. */

import { ownVersion } from '../config.ts'
import type { Log } from '../lib/log.ts'
import type { QueueCounts } from '../lib/work/concurrency.ts'
import type { App } from '../model/core/app.ts'
import { lastBackupName, readStoredValue } from '../model/core/stored-values.ts'
import { requestLogCounts } from '../model/core/use/request-log.ts'
import { newestIntakeTime } from '../model/intakes/intakes.ts'
import { parkedByReason } from '../model/intakes/parked-uploads.ts'
import { mailPlaces } from '../model/mail/places.ts'
import { reportSources } from '../model/reports/open-report.ts'
import type { RequestLimits } from './concurrency-limits.ts'
import type { Measure } from './metrics.ts'
import type { Readiness } from './readiness.ts'

interface Parts {
  readonly app: App
  readonly limits: RequestLimits
  readonly log: Log
  readonly isReady: Readiness['isReady']
  readonly jobs: () => Readonly<Record<string, { runs: number; failures: number; succeededAt: number | null }>>
  readonly jobPlaces: () => QueueCounts
}

export function measuresOf({ app, limits, log, isReady, jobs, jobPlaces }: Parts): readonly Measure[] {
  const { store, passwords } = app
  const perJob = (figure: (job: { runs: number; failures: number; succeededAt: number | null }) => number | null) =>
    Object.fromEntries(Object.entries(jobs()).flatMap(([name, job]) => pairUnlessNull(name, figure(job))))
  const kinds = () => ({
    ...limits.counts,
    ...limits.uploads.counts,
    ...limits.waits.counts,
    login: passwords.pool,
    ...mailPlaces(app).counts,
    job: jobPlaces(),
  })
  const each = (figure: keyof QueueCounts) => Object.fromEntries(Object.entries(kinds()).map(([name, count]) => [name, count[figure]]))
  // biome-ignore format: a table reads by its columns
  return [
    { name: 'build_info',                         label: 'version', together: 'max', help: 'The version that runs; always 1.',                                  read: () => ({ [ownVersion()]: 1 }) },
    { name: 'ready',                              together: 'min', help: '1 when the service can do its work, as /health/ready says, else 0.',                  read: () => isReady().then(() => 1, () => 0) },
    { name: 'requests_in_progress',               label: 'kind', help: 'Requests, mails and jobs that are worked on now, by kind of work.',                          read: () => each('inside') },
    { name: 'requests_waiting',                   label: 'kind', help: 'Requests that wait for their turn, by kind of work.',                        read: () => each('waiting') },
    { name: 'requests_turned_away_total',         label: 'kind', help: 'Requests that found no place, at once or after having waited.',        read: () => each('refused') },
    { name: 'password_hashes_in_progress',        help: 'Passwords that are hashed now.',                                                      read: () => passwords.pool.inside },
    { name: 'password_hashes_waiting',            help: 'Passwords that wait to be hashed.',                                                   read: () => passwords.pool.waiting },
    { name: 'log_lines_total',                    label: 'outcome', help: 'Lines of the log that were written, and those that were dropped because nobody took them.', read: () => ({ written: log.lines.written, dropped: log.lines.dropped }) },
    { name: 'request_log_total',                  label: 'outcome', help: 'Answers for the log of each partner that were written, and those that were dropped because newer ones came or too many waited.', read: () => ({ ...requestLogCounts(app) }) },
    { name: 'job_runs_total',                     label: 'job', help: 'Runs of each job beside the requests.',                                 read: () => perJob(({ runs }) => runs) },
    { name: 'job_failures_total',                 label: 'job', help: 'Runs of each job that failed.',                                         read: () => perJob(({ failures }) => failures) },
    { name: 'job_last_success_timestamp_seconds', label: 'job', together: 'max', help: 'When each job last succeeded, in seconds since 1970.',                  read: () => perJob(({ succeededAt }) => succeededAt === null ? null : succeededAt / 1000) },
    { name: 'reports_read_total',                 label: 'source', help: 'Reports by where their data was read: the database, or its replica.', read: () => ({ ...reportSources(app) }) },
    { name: 'disk_free_bytes',                    together: 'min', help: 'Bytes left on the disk of the database; absent where a server keeps it.',             read: () => store.engine.freeBytes() },
    { name: 'last_backup_timestamp_seconds',      together: 'max', help: 'When marquee backup last succeeded, in seconds since 1970; absent before the first.', read: () => lastBackup(app) },
    { name: 'last_intake_timestamp_seconds',      together: 'max', help: 'When data last came in, by import, push or upload, in seconds since 1970; absent before the first.', read: () => lastIntake(app) },
    { name: 'parked_intakes',                     label: 'reason', together: 'max', help: 'Uploads that could not be stored for an hour and rest until somebody releases or cancels them, by reason.', read: () => parkedByReason(store.db).catch(() => ({})) },
    ...Object.keys(store.engine.gauges()).map((name) => ({ name: `store_${name}`, ...(ofOneFile.has(name) && { together: 'max' as const }), help: storeHelp[name] ?? `${name} of the store.`, read: () => store.engine.gauges()[name] })),
  ]
}

/** Metrics of the database file, which is the same for every worker. */
const ofOneFile = new Set(['wal_bytes', 'database_bytes'])

const storeHelp: Readonly<Record<string, string>> = {
  wal_bytes: 'Size of the write-ahead log.',
  database_bytes: 'Size of the database file.',
  writes_total: 'Writes that were begun.',
  commits_total: 'Durable commits; writes of one moment share one.',
  waiting_writes: 'Writes that wait for the one writer.',
  waiting_snapshots: 'Reads that wait for a snapshot.',
  pool_connections: 'Connections to the database server.',
  pool_idle: 'Connections to the database server that are not in use.',
  pool_waiting: 'Requests that wait for a connection to the database server.',
}

function pairUnlessNull(name: string, value: number | null): [string, number][] {
  return value === null ? [] : [[name, value]]
}

async function lastBackup({ store }: App): Promise<number | undefined> {
  const at = await readStoredValue(store.db, lastBackupName).catch(() => undefined)
  return at === undefined ? undefined : Date.parse(at) / 1000
}

/** The time of the newest intake, which shows a data source that has gone silent. */
async function lastIntake({ store }: App): Promise<number | undefined> {
  const at = await newestIntakeTime(store.db).catch(() => null)
  return at === null ? undefined : Date.parse(at) / 1000
}
