/** A service in a process of its own, and a desk from which its data is changed under it, so that no answer comes from memory. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSettings } from '../src/config.ts'
import { type App, openApp } from '../src/model/core/app.ts'
import type { OperatorCaller } from '../src/model/core/caller.ts'
import { renewMeasuredVersions } from '../src/model/core/report-version.ts'
import { createPartner, setPartner } from '../src/model/partners/partners.ts'
import { startWatchedService, type WatchedService } from '../test/support/watched-service.ts'
import type { Ask } from './client.ts'

export interface Desk {
  readonly app: App
  readonly operator: OperatorCaller
  readonly partnerId: number
  readonly service: WatchedService
  readonly folder: string
  ask(path: string, headers?: Record<string, string>): Ask
  /** As if something had been measured. */
  touch(accountId: number): Promise<void>
  close(): Promise<void>
}

/** On SQLite, or on the PostgreSQL database at the address. */
export async function openDesk(fill: (operator: OperatorCaller, partnerId: number) => Promise<void>, databaseUrl?: string): Promise<Desk> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-bench-'))
  const env = { DATA_DIR: folder, ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl, MARQUEE_SECRET_FILE: secretIn(folder) }) }
  const app = await openApp(readSettings(env), { schema: 'bring up' })
  const operator: OperatorCaller = { kind: 'operator', app, requestId: 'bench' }
  const { partner, key, password } = await createPartner(operator, 'Bench')
  await setPartner(operator, partner.id, { reads_per_minute: 0, writes_per_minute: 0 })
  await fill(operator, partner.id)
  const service = await startWatchedService(env)
  const authorization = `Basic ${Buffer.from(`${key}:${password}`).toString('base64')}`
  return {
    app,
    operator,
    partnerId: partner.id,
    service,
    folder,
    ask: (path, headers = {}) => ({ url: `${service.url}${path}`, headers: { authorization, ...headers } }),
    touch: (accountId) => app.store.write((tx) => renewMeasuredVersions(tx, [accountId])),
    async close() {
      await service.stop()
      await app.close()
    },
  }
}

function secretIn(folder: string): string {
  const file = join(folder, 'server-secret')
  writeFileSync(file, `${'ab'.repeat(32)}\n`, { mode: 0o600 })
  return file
}
