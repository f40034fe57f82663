/** `marquee restore`: replaces the database by a backup, or with `--check` verifies the backup in a temporary folder. */

import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Settings } from '../../../config.ts'
import { type App, openApp } from '../../../model/core/app.ts'
import { unreadableSentence } from '../../../model/core/secrets/sealed-values.ts'
import { secretPath } from '../../../model/core/secrets/secret-file.ts'
import { listPartners } from '../../../model/partners/partners.ts'
import type { Erasure } from '../../../model/people/erasures.ts'
import { eraseAgain } from '../../../model/people/personal-data.ts'
import { sealEntries, verifyAudit } from '../../../model/upkeep/audit-seals.ts'
import { erasedSince, restore as putBack } from '../../../model/upkeep/backups.ts'
import { type CommandInput, type Output, operatorOn } from '../../command.ts'
import { sentencesOf } from '../../error-messages.ts'
import { refuseOtherUser, runAsOwner } from '../../owner.ts'
import { passphraseFrom } from './backup.ts'

export async function restore(given: CommandInput): Promise<Output> {
  return given.has('check') ? prove(given) : replace(given)
}

/** Root reads the backup as root, and gives the result to the owner of the data. */
async function replace({ settings, word: file, has }: CommandInput): Promise<Output> {
  refuseOtherUser(settings)
  const restored = await putBack(settings, file, { askPassphrase: () => passphraseFrom(has), endsSessions: has('end-sessions') })
  const { aside, taken_at, warning } = restored
  const erasures = erasedSince(settings, file, taken_at)
  runAsOwner(settings)
  const notes = [
    `The database is as it was ${taken_at === null ? 'when the backup was made' : `on ${taken_at}`}.`,
    ...(aside === null ? [] : [`The database that was here lies in ${aside}.`]),
    has('end-sessions') ? 'All sessions are ended.' : 'Sessions that were open then are open again: --end-sessions would end them.',
    ...(warning === null ? [await forgetAgain(settings, erasures), ...(await unreadableIn(settings))] : [warning]),
  ]
  return { document: { restored: { file, aside, taken_at } }, note: notes.join('\n'), exitCode: warning === null ? 0 : 1 }
}

/** People erased after the backup are erased again, as far as the journal has them. */
async function forgetAgain(settings: Settings, erasures: readonly Erasure[]): Promise<string> {
  if (erasures.length === 0) return 'Nobody was erased since, as far as the journal of erasures knows.'
  try {
    const count = await within(settings, 'check', (app) => eraseAgain(operatorOn(app), erasures))
    return `People erased since then and erased again: ${count}.`
  } catch (error) {
    return `People erased since then are back (${sentencesOf(error).join(' ')}): ${erasures.length} erasures stand in the journal.`
  }
}

/** A backup of another schema is brought up by the next start, and its values are the doctor's. */
async function unreadableIn(settings: Settings): Promise<readonly string[]> {
  const sentence = await within(settings, 'check', unreadableSentence).catch(() => null)
  return sentence === null ? [] : [sentence]
}

async function prove({ settings, word: file, has }: CommandInput): Promise<Output> {
  const scratch = mkdtempSync(join(tmpdir(), 'marquee-check-'))
  const secret = secretPath(settings)
  const there = { ...settings, dataDir: scratch, secretFile: existsSync(secret) ? secret : undefined }
  try {
    const { taken_at, warning } = await putBack(there, file, { askPassphrase: () => passphraseFrom(has), endsSessions: false })
    if (warning !== null) return { document: { check: { file, taken_at, ok: false } }, note: warning, exitCode: 1 }
    const found = await within(there, 'bring up', examine)
    const isSound = found.faults.length === 0
    return {
      document: { check: { file, taken_at, ...found, ok: isSound } },
      note: isSound ? 'The backup is whole: it opens, its keys are known and its audit chain is unbroken.' : found.faults.join('\n'),
      exitCode: isSound ? 0 : 1,
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

async function examine(app: App) {
  while ((await sealEntries(app)) !== null);
  const [partners, { checked, faults }, unreadable] = [
    await listPartners(operatorOn(app)),
    await verifyAudit(app),
    await unreadableSentence(app),
  ]
  return { partners: partners.length, audit_entries: checked, faults: [...faults, ...(unreadable === null ? [] : [unreadable])] }
}

async function within<T>(settings: Settings, schema: 'bring up' | 'check', work: (app: App) => Promise<T>): Promise<T> {
  const app = await openApp(settings, { schema })
  try {
    return await work(app)
  } finally {
    await app.close()
  }
}
