/** A service in a process of its own with large reports in it, and what they cost it while they go out. */
import { setTimeout as sleep } from 'node:timers/promises'
import { addAccount, type WorldSize } from '../../bench/world.ts'
import { readSettings } from '../../src/config.ts'
import { openApp } from '../../src/model/core/app.ts'
import { createPartner, setPartner } from '../../src/model/partners/partners.ts'
import { open, type Reader } from './downloads.ts'
import { startWatchedService, type WatchedService } from './watched-service.ts'

const megabyte = 1024 * 1024

export interface ReportLoad {
  service: WatchedService
  /** One of each of two partners, who have reports of the same size. */
  acme: Reader
  globex: Reader
  idleBytes: number
}

export async function startReportLoad(env: Readonly<Record<string, string>>, size: WorldSize): Promise<ReportLoad> {
  const app = await openApp(readSettings(env), { schema: 'bring up' })
  const operator = { kind: 'operator', app, requestId: 'test' } as const
  const credentials: string[] = []
  for (const name of ['acme', 'globex']) {
    const { partner, key, password } = await createPartner(operator, name)
    await setPartner(operator, partner.id, { reads_per_minute: 0 })
    await addAccount(operator, partner.id, name, size)
    credentials.push(`${key}:${password}`)
  }
  await app.close()
  const service = await startWatchedService(env)
  const [acme, globex] = credentials.map((own) => ({ url: service.url, credentials: own })) as [Reader, Reader]
  await (await open(acme, '/health/ready')).toArray()
  return { service, acme, globex, idleBytes: await idleMemory(service) }
}

/** The reader threads load their program while the service already answers, so its memory counts once it grows no more. */
async function idleMemory(service: WatchedService): Promise<number> {
  let [before, now] = [0, service.memory()]
  while (now - before > megabyte / 4) {
    await sleep(500)
    ;[before, now] = [now, service.memory()]
  }
  return now
}

/** How many megabytes more than idle the service held at most while the work was done. */
export async function memoryWhile({ service, idleBytes }: ReportLoad, work: () => Promise<unknown>): Promise<number> {
  let most = 0
  let isDone = false
  const working = work().finally(() => {
    isDone = true
  })
  while (!isDone) {
    most = Math.max(most, service.memory())
    await sleep(20)
  }
  await working
  return Math.round((most - idleBytes) / megabyte)
}
