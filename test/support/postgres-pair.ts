/** A PostgreSQL with a standby that follows it, to be killed and promoted. */
import { chmodSync, chownSync, cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { findBinaries, freePort, initialise, launch, serverIdentity, stop, untilReady } from './postgres.ts'

export interface PostgresPair {
  readonly primary: string
  readonly standby: string
  stopPrimary(): Promise<void>
  stopStandby(): Promise<void>
  /** Makes the standby accept writes. */
  promote(): Promise<void>
  stop(): Promise<void>
}

/** The standby begins as a copy of the stopped primary, so that no tool beyond the server itself is needed. */
export async function startPair(): Promise<PostgresPair> {
  const identity = serverIdentity()
  const folder = mkdtempSync(join(tmpdir(), 'marquee-pair-'))
  const own = (path: string) => identity && chownSync(path, identity.uid, identity.gid)
  own(folder)
  const bin = findBinaries(folder, identity)
  const [one, two] = [join(folder, 'one'), join(folder, 'two')]
  initialise(bin, one, identity)
  cpSync(one, two, { recursive: true, preserveTimestamps: true })
  const ports = [await freePort(), await freePort()] as const
  chmodSync(two, 0o700)
  writeFileSync(join(two, 'standby.signal'), '')
  if (identity) ownAll(two, identity)
  const following = { primary_conninfo: `host=127.0.0.1 port=${ports[0]} user=postgres application_name=two`, hot_standby: 'on' }
  const urlOf = (port: number) => `postgres://postgres@127.0.0.1:${port}/postgres`
  const first = launch(bin, join(folder, 'none'), one, ports[0], identity, { wal_level: 'replica' })
  await untilReady(urlOf(ports[0]), first)
  const second = launch(bin, join(folder, 'none'), two, ports[1], identity, following)
  try {
    await untilReady(urlOf(ports[1]), second)
  } catch (error) {
    await stop(first)
    throw error
  }
  return {
    primary: urlOf(ports[0]),
    standby: urlOf(ports[1]),
    stopPrimary: () => stop(first),
    stopStandby: () => stop(second),
    promote: () => ask(urlOf(ports[1]), 'select pg_promote(true, 30)'),
    async stop() {
      await Promise.all([stop(first), stop(second)])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function ownAll(folder: string, { uid, gid }: { uid: number; gid: number }): void {
  for (const path of globAll(folder)) chownSync(path, uid, gid)
}

function globAll(folder: string): string[] {
  return [folder, ...readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)))]
}

async function ask(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(text)
  await client.end()
}
