/** How the service itself is, for the admins of an agency that has it to itself: by the same facts as `marquee doctor`. */

import { statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { sendsMail } from '../../../lib/network/smtp.ts'
import { dayNumber, dayText } from '../../../lib/time/days.ts'
import { firstStepTime } from '../../../store/migrate.ts'
import { databaseFile } from '../../../store/store.ts'
import type { StaffCaller } from '../../core/caller.ts'
import { lastBackupName, readStoredValue } from '../../core/stored-values.ts'

const longestDays = 2 * 365

export interface ServiceState {
  /** Null if none was made; backups of a database server are made by its own tools. */
  readonly backup: { readonly isOwn: boolean; readonly at: string | null }
  readonly mail: { readonly isSet: boolean; readonly sentAt: string | null; readonly failing: number }
  /** Null where a server keeps the disk. The day when it is full if the database goes on growing as it has; null if that is years away. */
  readonly disk: { readonly freeBytes: number; readonly fullOn: string | null } | null
}

/** Null where there are other partners than tests, and for members and the staff of a test. */
export async function readServiceState(caller: StaffCaller): Promise<ServiceState | null> {
  const { db } = caller.app.store
  const tests = db.selectFrom('test_partners').select('partner_id')
  const [only, ...others] = await db.selectFrom('partners').select('id').where('id', 'not in', tests).limit(2).execute()
  if (caller.role !== 'admin' || only?.id !== caller.partnerId || others.length > 0) return null
  const { settings } = caller.app
  const mails = db.selectFrom('mails').where('partner_id', '=', caller.partnerId)
  const sent = mails.select('settled_at').where('state', '=', 'sent').orderBy('id', 'desc').limit(1)
  const failing = mails
    .select(({ fn }) => fn.countAll<number>().as('many'))
    .where('state', '=', 'queued')
    .where('error', 'is not', null)
  return {
    backup: { isOwn: settings.databaseUrl === undefined, at: (await readStoredValue(db, lastBackupName)) ?? null },
    mail: {
      isSet: sendsMail(settings),
      sentAt: (await sent.executeTakeFirst())?.settled_at ?? null,
      failing: Number((await failing.executeTakeFirst())?.many ?? 0),
    },
    disk: await readDisk(caller),
  }
}

async function readDisk({ app }: StaffCaller): Promise<ServiceState['disk']> {
  const file = databaseFile(app.settings)
  if (file === null) return null
  const { bavail, bsize } = await statfs(app.settings.dataDir)
  const today = dayNumber(app.clock.now().slice(0, 10))
  const days = Math.max(1, today - dayNumber((await firstStepTime(app.store.db)).slice(0, 10)))
  const left = Math.floor((bavail * bsize) / (statSync(file).size / days))
  return { freeBytes: bavail * bsize, fullOn: left > longestDays ? null : dayText(today + left) }
}
