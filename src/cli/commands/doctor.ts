/** `marquee doctor`: the settings in force and what is wrong with this installation, in sentences. */

import { existsSync, statSync } from 'node:fs'
import { type Settings, settingTable } from '../../config.ts'
import { refuseEmptyDatabase } from '../../model/core/app.ts'
import { refuseMissingDatabase } from '../../model/core/installation.ts'
import { checkName, openSecrets, secretPath } from '../../model/core/server-secret.ts'
import { readStoredValue } from '../../model/core/stored-values.ts'
import type { Finding } from '../../store/engine.ts'
import { type SchemaState, schemaState } from '../../store/migrate.ts'
import { openStore, type Store } from '../../store/store.ts'
import type { Given, Output } from '../command.ts'
import { sentencesOf } from '../error-messages.ts'
import { isLoopback } from './serve.ts'
import { shownValue } from './settings.ts'

const leastNode = 24

export async function doctor({ settings }: Given): Promise<Output> {
  const findings = [runtime(), exposure(settings), ...(await examineStore(settings))]
  const complaints = findings.flatMap(({ complaint }) => complaint ?? [])
  const document = {
    settings: Object.entries(settingTable).map(([key, { name }]) => ({ name, value: shownValue(settings, key as keyof Settings) })),
    findings,
    ok: complaints.length === 0,
  }
  return { document, ...verdict(complaints), columns: ['name', 'value'] }
}

function verdict(complaints: readonly string[]): Pick<Output, 'note' | 'exitCode'> {
  return complaints.length === 0 ? { note: 'All is well.' } : { note: complaints.join('\n'), exitCode: 1 }
}

function runtime(): Finding {
  const finding = { name: 'Node.js', value: process.version }
  return Number.parseInt(process.versions.node, 10) >= leastNode
    ? finding
    : { ...finding, complaint: `Marquee needs Node.js ${leastNode} or newer.` }
}

function exposure({ host, baseUrl }: Settings): Finding {
  const isPlain = baseUrl.startsWith('http:')
  const finding = { name: 'reached over', value: isPlain ? 'plain HTTP' : 'HTTPS' }
  if (isLoopback(host) || !isPlain) return finding
  return {
    ...finding,
    complaint: `HOST ${host} is reachable from outside and BASE_URL is plain HTTP: keys and passwords would travel readable. Put a TLS proxy in front and set BASE_URL to its https address.`,
  }
}

/** Looks without making anything. */
async function examineStore(settings: Settings): Promise<readonly Finding[]> {
  if (statSync(settings.dataDir, { throwIfNoEntry: false })?.isDirectory() === false)
    return [{ name: 'database', value: 'none', complaint: `DATA_DIR names ${settings.dataDir}, which is no folder.` }]
  try {
    refuseMissingDatabase(settings)
    const store = openStore(settings)
    try {
      const state = await schemaState(store)
      refuseEmptyDatabase(store, state)
      return [
        { name: 'database', value: store.engine.place },
        ...(await store.engine.inspect()),
        examineSchema(state),
        ...(await examineSecret(settings, store)),
      ]
    } finally {
      await store.close()
    }
  } catch (error) {
    return [{ name: 'database', value: 'cannot be examined', complaint: sentencesOf(error).join(' ') }]
  }
}

function examineSchema({ state, pending, unknown }: SchemaState): Finding {
  const finding = { name: 'schema', value: state }
  if (state === 'behind') return { ...finding, complaint: `The database misses ${pending.join(', ')}: run marquee migrate.` }
  if (state === 'newer') return { ...finding, complaint: `The database holds ${unknown.join(', ')} of a newer Marquee: run that version.` }
  return finding
}

/** A database that nobody has opened yet does not know its secret, and the doctor must not decide it. */
async function examineSecret(settings: Settings, store: Store): Promise<readonly Finding[]> {
  const name = 'server secret'
  try {
    const path = secretPath(settings)
    const isKnown = (await readStoredValue(store.db, checkName)) !== undefined
    if (isKnown) await openSecrets(settings, store)
    else if (!existsSync(path) && settings.secretFile === undefined) return [{ name, value: 'none yet: the first start makes it' }]
    const isOpen = (statSync(path).mode & 0o077) !== 0
    const complaint = `The server secret ${path} can be read by others: run chmod 600 ${path}.`
    return [{ name, value: path, ...(isOpen && { complaint }) }]
  } catch (error) {
    return [{ name, value: 'cannot be used', complaint: sentencesOf(error).join(' ') }]
  }
}
