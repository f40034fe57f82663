/** The journal of erasures: who was erased when, by id or keyed hash and never by name, kept outside of the database so that a restored backup can forget them again. */

import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Settings } from '../../config.ts'
import { databaseFile } from '../../store/store.ts'
import type { App } from '../core/app.ts'

export interface Erasure {
  readonly at: string
  readonly user_id?: number
  /** HMAC of the reviewer's name. */
  readonly reviewer?: string
}

export const journalName = 'erasures.ndjson'

/** Beside the database; null where a server keeps it, because its own tools restore it. */
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

/** What the journals at these places say; a line that was cut off by a crash is left out. */
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
