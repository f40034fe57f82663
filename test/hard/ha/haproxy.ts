/** HAProxy with the configuration of deploy/cluster: before processes of Marquee, and before the servers of the database. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../support/postgres.ts'
import { pause } from '../support/process.ts'
import { configuration } from './configurations.ts'
import { programPath, startProgram } from './programs.ts'

export interface Haproxy {
  /** Where Marquee answers. */
  readonly url: string
  /** Where the primary of the database answers. */
  readonly databasePort: number
  end(): Promise<void>
}

interface Behind {
  /** Ports of up to three processes of Marquee. */
  readonly services?: readonly number[]
  readonly servers?: readonly { readonly port: number; readonly apiPort: number }[]
}

/** Nobody answers there: whoever is not given is down. */
const nobody = 1

export async function startHaproxy(folder: string, { services = [], servers = [] }: Behind): Promise<Haproxy> {
  const [port, databasePort] = [await freePort(), await freePort()]
  const service = (index: number) => `127.0.0.1:${services[index] ?? nobody}`
  const server = (index: number) => `127.0.0.1:${servers[index]?.port ?? nobody} check port ${servers[index]?.apiPort ?? nobody}`
  const file = join(folder, `haproxy-${port}.cfg`)
  const text = configuration('haproxy.cfg', [
    ['10.0.0.20:8080', `127.0.0.1:${port}`],
    ['10.0.0.20:5000', `127.0.0.1:${databasePort}`],
    ['10.0.0.21:8080', service(0)],
    ['10.0.0.22:8080', service(1)],
    ['10.0.0.23:8080', service(2)],
    ['10.0.0.1:5432 check port 8008', server(0)],
    ['10.0.0.2:5432 check port 8008', server(1)],
  ])
  writeFileSync(file, text)
  const args = ['-db', '-f', file]
  const running = await startProgram({ command: programPath('haproxy'), args, log: join(folder, 'haproxy.log') })
  const url = `http://127.0.0.1:${port}`
  if (services.length > 0) await untilReady(url)
  return { url, databasePort, end: running.end }
}

async function untilReady(url: string): Promise<void> {
  for (const end = Date.now() + 30_000; Date.now() < end; await pause(20)) {
    const answer = await fetch(`${url}/health/ready`).catch(() => null)
    if (answer?.ok) return
  }
  throw new Error('No process was ready behind HAProxy within 30 seconds.')
}
