/** The service: the ground, the doors and the jobs, started and stopped in order. */

import type { AddressInfo } from 'node:net'
import { refuseAtDoor, registerApi } from './api/door.ts'
import { addressOf, type Settings } from './config.ts'
import { createServer } from './http/server.ts'
import { type Log, openLog } from './lib/log.ts'
import { writeTimesIn } from './lib/times.ts'
import { type Ground, openGround } from './model/ground.ts'
import { schemaState } from './store/migrate.ts'

export interface Service {
  readonly url: string
  readonly ground: Ground
  stop(): Promise<void>
}

export async function startService(settings: Settings, log: Log = openLog(settings.logLevel)): Promise<Service> {
  writeTimesIn(settings.timeZone)
  const ground = await openGround(settings)
  let isDraining = false
  const isReady = () => (isDraining ? Promise.reject(new Error('draining')) : ready(ground))
  const server = createServer({ log, isReady, refuse: refuseAtDoor(ground) })
  registerApi(server, ground)
  await server.listen({ host: settings.host, port: settings.port })
  const { port } = server.server.address() as AddressInfo
  return {
    url: addressOf(settings.host, port),
    ground,
    async stop() {
      isDraining = true
      await server.close()
      await ground.close()
    },
  }
}

async function ready({ store }: Ground): Promise<void> {
  await store.readyProbe()
  const { state } = await schemaState(store)
  if (state !== 'current') throw new Error(`the schema is ${state}`)
}
