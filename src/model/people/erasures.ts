/**
 * The journal of erasures: who was erased and when, by id or keyed hash and never by name. It is outside of the database, so that people can be erased again
 * after a backup is restored.
 */

import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Settings } from '../../config.ts'
import { databaseFile } from '../../store/store.ts'
import type { App } from '../core/app.ts'

export interface Erasure {
  readonly at: string
  readonly user_id?: number
  /** An HMAC of the reviewer's name. */
  readonly reviewer?: string
}

export const journalName = 'erasures.ndjson'

/** Beside the database file; null with a database server, which is restored by its own tools. */
export function journalPath(settings: Pick<Settings, 'databaseUrl' | 'dataDir'>): string | null {
  const file = databaseFile(settings)
  return file === null ? null : join(dirname(file), journalName)
}

export function noteErasures(app: App, erased: readonly Omit<Erasure, 'at'>[]): void {
  const path = journalPath(app.settings)
  if (path === null || erased.length === 0) return
  const lines = erased.map((erasure) => `${JSON.stringify({ at: app.clock.now(), ...erasure })}\n`)
  appendFileSync(path, lines.join(''), { mode: 0o600, flush: true })
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
