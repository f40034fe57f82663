/** An empty database beside the one in use, on the same disk or server, for measurements; it is deleted afterwards. */

import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Settings } from '../config.ts'
import type { Address } from './address.ts'
import { openStore } from './store.ts'

export interface Scratch {
  readonly address: Address
  remove(): Promise<void>
}

export async function openScratch(settings: Settings): Promise<Scratch> {
  return settings.databaseUrl === undefined ? inFolder(settings.dataDir) : inSchema(settings, settings.databaseUrl)
}

function inFolder(parent: string): Scratch {
  const dataDir = mkdtempSync(join(parent, 'scratch-'))
  return { address: { databaseUrl: undefined, dataDir }, remove: async () => rmSync(dataDir, { recursive: true, force: true }) }
}

/** Uses a schema of its own, because the owner of a database may create one, and few users may create databases. */
async function inSchema(settings: Settings, databaseUrl: string): Promise<Scratch> {
  const schema = `marquee_scratch_${randomBytes(6).toString('hex')}`
  await administer(settings, `create schema ${schema}`)
  const options = `options=${encodeURIComponent(`-c search_path=${schema}`)}`
  return {
    address: { databaseUrl: `${databaseUrl}${databaseUrl.includes('?') ? '&' : '?'}${options}`, dataDir: settings.dataDir },
    remove: () => administer(settings, `drop schema ${schema} cascade`),
  }
}

async function administer(settings: Settings, text: string): Promise<void> {
  const store = openStore(settings)
  try {
    await store.write((tx) => sql.raw(text).execute(tx), 'unlimited')
  } finally {
    await store.close()
  }
}
