/** The doctor's checks of the data: whether it is writable, its owner, its disk, the clock and the backups. */

import { existsSync, readFileSync, statSync } from 'node:fs'
import type { Settings } from '../../config.ts'
import { markerPath, refuseForeignDatabase } from '../../model/core/installation.ts'
import { refuseMovedDatabase } from '../../model/core/moving.ts'
import { lastBackupName, readStoredValue } from '../../model/core/stored-values.ts'
import { newestAuditTime } from '../../model/upkeep/audit-entries.ts'
import type { Finding } from '../../store/engine.ts'
import { firstStepTime } from '../../store/migrate.ts'
import { databaseFile, type Store } from '../../store/store.ts'
import { userName } from '../owner.ts'
import { connections } from './connections.ts'
import { examineSenders } from './mail.ts'
import { complain, finding } from './settings.ts'

const leastFreeBytes = 512 * 1024 * 1024
const backupHours = 48
const leastOpenFiles = 4096

/** Findings about the open database and its location. */
export async function examineData(settings: Settings, store: Store): Promise<readonly Finding[]> {
  return [
    await finding(
      'writing',
      'works',
      () => store.readyProbe(),
      'What the service asks of the database before it is ready does not work.',
      'Mend what it says: until then the service is not ready and refuses writes.',
    ),
    await finding(
      'installation',
      markerPath(settings),
      () => refuseForeignDatabase(settings, store),
      'The marker and the database differ.',
      'Do what it says.',
    ),
    await finding(
      'move',
      'none under way',
      () => refuseMovedDatabase(store),
      'This database is not the one to be served.',
      'Do what it says.',
    ),
    ...(await connections(settings, store)),
    ...(await diskSpace(store)),
    ...openFiles(),
    ...fileOwners(settings),
    await examineSenders(store),
    await clock(store),
    await backupAge(settings, store),
    ...(await monthsAhead(store)),
  ]
}

async function diskSpace({ engine }: Store): Promise<readonly Finding[]> {
  const free = await engine.freeBytes()
  if (free === undefined) return []
  const found = { name: 'free disk', value: `${Math.round(free / 1024 / 1024)} MB` }
  if (free >= leastFreeBytes) return [found]
  return [
    complain(
      found,
      `Only ${found.value} are left on the disk of the database.`,
      'Writes are refused when it is full.',
      'Make room, or move DATA_DIR to a larger disk.',
    ),
  ]
}

/** Each connection needs a file descriptor; Node raises its soft limit to the hard one by itself. */
function openFiles(): readonly Finding[] {
  const limits = '/proc/self/limits'
  const [, hard] = existsSync(limits) ? (/^Max open files\s+\S+\s+(\S+)/m.exec(readFileSync(limits, 'utf8')) ?? []) : []
  if (hard === undefined) return []
  const found = { name: 'open files', value: hard }
  if (hard === 'unlimited' || Number(hard) >= leastOpenFiles) return [found]
  return [
    complain(
      found,
      `This process may open only ${hard} files.`,
      'Each connection is one: beyond that clients are turned away.',
      `Set LimitNOFILE in the unit, or ulimit -n, to ${leastOpenFiles} or more.`,
    ),
  ]
}

/** The service cannot open a file that root created. */
function fileOwners(settings: Settings): readonly Finding[] {
  const file = databaseFile(settings)
  if (file === null) return []
  const { uid } = statSync(settings.dataDir)
  const foreign = [file, `${file}-wal`, `${file}-shm`, `${settings.dataDir}/secret`].find(
    (path) => (statSync(path, { throwIfNoEntry: false })?.uid ?? uid) !== uid,
  )
  const found = { name: 'owner of the data', value: userName(uid) }
  if (foreign === undefined) return [found]
  return [
    complain(
      found,
      `${foreign} belongs to ${userName(statSync(foreign).uid)}, and the data folder to ${found.value}: the service cannot open it.`,
      'Somebody worked on the data as another user.',
      `Run chown ${found.value}: ${foreign}.`,
    ),
  ]
}

async function clock(store: Store): Promise<Finding> {
  const newest = await newestAuditTime(store.db)
  const found = { name: 'clock', value: new Date().toISOString() }
  if (newest === null || Date.parse(newest) < Date.now() + 60_000) return found
  return complain(
    found,
    `The clock of this machine is behind: the newest audit entry is of ${newest}.`,
    'It was set back, or another machine that writes here is ahead.',
    'Let a time service such as chrony or systemd-timesyncd set it.',
  )
}

/** A database younger than two days needs no backup yet. */
async function backupAge({ databaseUrl }: Settings, store: Store): Promise<Finding> {
  const at = await readStoredValue(store.db, lastBackupName)
  const found = { name: 'last backup', value: at ?? (databaseUrl === undefined ? 'never' : 'made by the tools of the server') }
  const since = at ?? (await firstStepTime(store.db))
  if (databaseUrl !== undefined || Date.now() - Date.parse(since) < backupHours * 3_600_000) return found
  return complain(
    found,
    `The last good backup is older than ${backupHours} hours: ${found.value}.`,
    'The timer does not run, or its backups fail.',
    'Run marquee backup --to /var/backups/marquee --keep 14 and look at systemctl status marquee-backup.',
  )
}

/** A database without measurements needs no months yet. */
async function monthsAhead({ engine }: Store): Promise<readonly Finding[]> {
  const months = (await engine.months?.list())?.filter(({ table }) => table === 'ranking_months') ?? []
  if (months.length === 0) return []
  const isMade = (time: number) => months.some(({ from, to }) => from * 1000 <= time && time < to * 1000)
  const found = { name: 'months of rankings', value: isMade(Date.now()) ? 'made ahead' : 'the current one is missing' }
  if (isMade(Date.now())) return [found]
  return [
    complain(
      found,
      'The months of rankings are not made ahead of the data.',
      'No service has run on this database for weeks, or its job `months` fails.',
      'Start the service and look for the job in its log. Data is taken meanwhile, but the first of each month takes longer.',
    ),
  ]
}
