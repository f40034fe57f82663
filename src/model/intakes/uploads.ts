/** Uploads: files of a partner that are imported in the background, recorded as intakes, and can be cancelled until they are done. */

import type { Kysely } from 'kysely'
import { refuse } from '../../lib/failures.ts'
import type { Tables } from '../../store/rows/tables.ts'
import { audit, auditAll } from '../core/audit.ts'
import type { Managing } from '../core/tenancy.ts'
import { change } from '../core/transaction.ts'
import type { MappingWords } from '../imports/csv/mappings.ts'
import { hasState, moveIntake } from '../imports/journal/intake-states.ts'
import { beginIntakes, type IntakeAbout } from '../imports/journal/record-intake.ts'
import type { Target } from '../imports/refs.ts'
import { type FileSender, type KeptSender, keptSender } from './file-senders.ts'
import { guessTool } from './guess.ts'
import { findIntake, type IntakeRecord } from './intakes.ts'
import { intakeWord } from './later-intakes.ts'
import { addTasks } from './tasks.ts'
import type { StoredFile } from './upload-files.ts'

/** The target of a file and how it is parsed. */
export interface UploadOptions {
  readonly target: Target
  readonly words: MappingWords
  readonly createMissing: boolean
  readonly isDryRun: boolean
  /** Absent in tasks of earlier versions, which go on as they were begun. */
  readonly lastWins?: boolean
  readonly skipsRefused?: boolean
  readonly counts: 'daily' | 'totals' | 'ask'
  readonly encoding?: 'windows-1252'
  /** Whether the encoding comes from a saved mapping. */
  readonly isRemembered?: boolean
  /** Whether it is an export of whole accounts. */
  readonly isWhole?: boolean
  /** Whether the file stays when it was read, because it is only tried out. */
  readonly isLent?: boolean
  /** How a saved report is read; absent in tasks of earlier versions. */
  readonly report?: UploadedReport
  /** Whether the operator has released it although its key was revoked. */
  readonly isReleased?: boolean
}

interface UploadedReport {
  /** The day of its figures. */
  readonly asOf: string
  readonly keepHyphens: boolean
  /** What ids in it are here, one `kind,old,new` a line. */
  readonly map: string
}

/** An undo knows nothing of what makes an account, because people build on it at once. */
export const undoOfWhole =
  'Undoing this intake takes back only what was measured: accounts, businesses, sites and users stay, with what makes them.'

/** The options as stored with the task, with who sent the file. */
export interface KeptOptions extends UploadOptions, KeptSender {}

const mostWaiting = 10

/** Called before the file is received, so that nobody sends a gigabyte in vain. */
export async function refuseWhenTooMany(caller: FileSender, db: Kysely<Tables> = caller.app.store.db): Promise<void> {
  const tasks = db
    .selectFrom('intake_tasks')
    .select('intake_id')
    .where('partner_id', '=', caller.partnerId)
    .where('task', 'not in', ['held', 'preview'])
    .where('parked_at', 'is', null)
  // What came together at the desk is limited there.
  const waiting = await tasks.where('delivery_id', 'is', null).limit(mostWaiting).execute()
  if (waiting.length >= mostWaiting)
    refuse('too_many_requests', `${mostWaiting} ${intakeWord(caller)}s of yours are waiting already; try again later`, {
      'retry-after': '60',
    })
}

/** Once this has returned, the file will be imported in its turn, even after a restart. A repetition of the request creates no second intake. */
export async function createUpload(
  caller: FileSender,
  file: StoredFile,
  fileName: string | undefined,
  options: UploadOptions,
): Promise<IntakeRecord> {
  const recognised = options.isWhole ? undefined : await guessTool(caller, file, options.words)
  return change(caller, async (tx) => {
    await refuseWhenTooMany(caller, tx)
    const [id] = await recordUploads(tx, caller, [{ file, fileName, options, recognised }])
    return findIntake(caller, id as number, tx)
  })
}

export interface NewUpload {
  readonly file: StoredFile
  readonly fileName: string | undefined
  readonly options: UploadOptions
  /** The presets by which it was recognised. */
  readonly recognised: string | undefined
}

/** The intakes that wait from now on, in the order of what is given. */
export async function recordUploads(
  tx: Kysely<Tables>,
  caller: FileSender,
  uploads: readonly NewUpload[],
  deliveryId: number | null = null,
): Promise<number[]> {
  const ids = await beginIntakes(
    tx,
    caller,
    uploads.map((upload) => ({ target: upload.options.target, about: aboutOf(upload) })),
    'waiting',
  )
  const tasks = uploads.map(({ file, options }, at) => ({
    intake_id: ids[at] as number,
    partner_id: caller.partnerId,
    task: 'store',
    host: file.host,
    file: file.name,
    options: JSON.stringify({ ...options, ...keptSender(caller) } satisfies KeptOptions),
    delivery_id: deliveryId,
  }))
  await addTasks(tx, caller, tasks)
  const changes = uploads.map(({ file: { bytes, sha256 }, options: { target } }, at) => {
    return { subject: { id: ids[at] as number, account_id: target.accountId }, after: { bytes, sha256 } }
  })
  await auditAll(tx, caller, 'intake.upload', changes)
  return ids
}

function aboutOf({ file: { bytes, sha256 }, fileName, options: { words, isWhole }, recognised }: NewUpload): IntakeAbout {
  return {
    via: 'upload',
    bytes,
    sha256,
    ...(Object.keys(words).length > 0 && { mapping: JSON.stringify(words) }),
    ...(fileName !== undefined && { file_name: fileName }),
    ...(recognised !== undefined && { recognised_as: recognised }),
    ...(isWhole && { notices: [undoOfWhole] }),
  }
}

/** Cancels a waiting intake at once; what was already stored is reverted first. A repetition changes nothing. */
export async function cancelIntake(caller: Managing, id: number): Promise<IntakeRecord> {
  const intake = await findIntake(caller, id)
  if (intake.state === 'cancelled' || intake.state === 'cancelling') return intake
  const ended_at = caller.app.clock.now()
  return change(caller, async (tx): Promise<IntakeRecord> => {
    await audit(tx, caller, 'intake.cancel', intake)
    if (await dropWaiting(tx, id, ended_at)) return { ...intake, state: 'cancelled', ended_at }
    if (await markCancelled(tx, id)) return { ...intake, state: 'cancelling' }
    return refuse('conflict', `This ${intakeWord(caller)} has ended: only what is unfinished can be cancelled`)
  })
}

/** Drops only what nobody has ever begun, or what rests; a process about to begin it finds it gone. What was begun may have stored something, which the task takes back. */
async function dropWaiting(tx: Kysely<Tables>, id: number, now: string): Promise<boolean> {
  if (!(await hasState(tx, id, ['waiting', 'parked'])) || !(await moveIntake(tx, id, 'cancelled', { ended_at: now }))) return false
  await tx.deleteFrom('intake_tasks').where('intake_id', '=', id).where('task', '=', 'store').execute()
  return true
}

async function markCancelled(tx: Kysely<Tables>, id: number): Promise<boolean> {
  const begun = tx.selectFrom('intake_tasks').select('intake_id').where('intake_id', '=', id).where('task', '=', 'store')
  return (await begun.executeTakeFirst()) !== undefined && (await moveIntake(tx, id, 'cancelling'))
}
