/**
 * The journal of erasures: who was erased and when, by id or keyed hash and never by name. It is outside of the database, so that people can be erased again
 * after a backup is restored.
 */

import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Settings } from '../../config.ts'
import { refuse } from '../../lib/failures.ts'
import { makeFolder } from '../../lib/folders.ts'
import type { App } from '../core/app.ts'
import { hashesOf } from '../mail/suppressions.ts'

export interface Erasure {
  readonly at: string
  readonly user_id?: number
  /** An HMAC of the user's address, where it was taken out of every partner's reports by mail. */
  readonly address?: string
  /** An HMAC of the reviewer's name. */
  readonly reviewer?: string
}

export const journalName = 'erasures.ndjson'

/** In the data folder of the host that erases, whatever the database. */
export function journalPath({ dataDir }: Pick<Settings, 'dataDir'>): string {
  return join(dataDir, journalName)
}

/** Called before people are erased: an erasure that is not noted would be undone by the next restore. */
export function refuseWithoutJournal(settings: Pick<Settings, 'dataDir'>): void {
  const path = journalPath(settings)
  try {
    makeFolder(dirname(path))
    append(path, '')
  } catch {
    refuse('conflict', `Erasures are noted in ${path}, which cannot be written: let this user write it, or set DATA_DIR to another folder.`)
  }
}

export function noteErasures(app: App, erased: readonly Omit<Erasure, 'at'>[]): void {
  if (erased.length === 0) return
  const lines = erased.map((erasure) => `${JSON.stringify({ at: app.clock.now(), ...erasure })}\n`)
  append(journalPath(app.settings), lines.join(''))
}

function append(path: string, lines: string): void {
  appendFileSync(path, lines, { mode: 0o600, flush: true })
}

/** Reads the journals at these paths; an incomplete line left by a crash is skipped. */
export function readErasures(paths: readonly string[]): readonly Erasure[] {
  const lines = paths.filter((path) => existsSync(path)).flatMap((path) => readFileSync(path, 'utf8').split('\n'))
  return [...new Set(lines)].flatMap((line) => {
    try {
      return [JSON.parse(line) as Erasure]
    } catch {
      return []
    }
  })
}

/** Whether the address was erased, by the hashes of the journal. */
export function isErasedAddress(app: App, email: string, addresses: ReadonlySet<string>): boolean {
  return hashesOf(app, email).some((hash) => addresses.has(hash))
}
