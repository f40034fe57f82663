/** `marquee doctor`: examines the settings and the installation, and reports what is wrong in sentences. */

import { existsSync, statSync } from 'node:fs'
import { type Settings, type Surroundings, settingTable } from '../../../config.ts'
import { systemClock } from '../../../lib/time/clock.ts'
import { refuseEmptyDatabase } from '../../../model/core/app.ts'
import { refuseMissingDatabase } from '../../../model/core/installation.ts'
import { secretPath } from '../../../model/core/secret-file.ts'
import { isSecretKnown, openSecrets } from '../../../model/core/server-secret.ts'
import type { Finding } from '../../../store/engine.ts'
import { type SchemaState, schemaState } from '../../../store/migrate.ts'
import { openStore, type Store } from '../../../store/store.ts'
import type { Given, Output } from '../../command.ts'
import { examineData } from '../../doctor/data.ts'
import { examineSettings, tryOut } from '../../doctor/settings.ts'
import { sentencesOf } from '../../error-messages.ts'
import { shownValue } from './settings.ts'

const leastNode = 24

export async function doctor({ settings, surroundings }: Given): Promise<Output> {
  const findings = await diagnose(settings, surroundings)
  const complaints = findings.filter(({ complaint }) => complaint !== undefined)
  const document = {
    settings: Object.entries(settingTable).map(([key, { name }]) => ({ name, value: shownValue(settings, key as keyof Settings) })),
    findings,
    ok: complaints.length === 0,
  }
  return { document, ...verdict(complaints), columns: ['name', 'value'] }
}

/** All findings, each with a complaint if something is wrong. */
export async function diagnose(settings: Settings, surroundings: Surroundings): Promise<readonly Finding[]> {
  return [runtime(), ...examineSettings(settings, surroundings), ...(await tryOut(settings)), ...(await examineStore(settings))]
}

function verdict(complaints: readonly Finding[]): Pick<Output, 'note' | 'exitCode'> {
  if (complaints.length === 0) return { note: 'All is well.' }
  const told = complaints.map(({ complaint, cause, cure }) =>
    [complaint, ...(cause === undefined ? [] : [`  Why: ${cause}`]), ...(cure === undefined ? [] : [`  Do:  ${cure}`])].join('\n'),
  )
  return { note: told.join('\n'), exitCode: 1 }
}

function runtime(): Finding {
  const finding = { name: 'Node.js', value: process.version }
  return Number.parseInt(process.versions.node, 10) >= leastNode
    ? finding
    : { ...finding, complaint: `Marquee needs Node.js ${leastNode} or newer.` }
}

/** Examines without creating anything. */
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
        ...(state.state === 'current' ? [...(await examineSecret(settings, store)), ...(await examineData(settings, store))] : []),
      ]
    } finally {
      await store.close()
    }
  } catch (error) {
    return [{ name: 'database', value: 'cannot be examined', complaint: sentencesOf(error).join(' ') }]
  }
}

function examineSchema({ state, pending, barring }: SchemaState): Finding {
  const finding = { name: 'schema', value: state }
  if (state === 'behind') return { ...finding, complaint: `The database misses ${pending.join(', ')}: run marquee migrate.` }
  if (state === 'newer') return { ...finding, complaint: `The database holds ${barring.join(', ')} of a newer Marquee: run that version.` }
  return finding
}

/** A database that was never opened does not know its secret, and the doctor must not decide it. */
async function examineSecret(settings: Settings, store: Store): Promise<readonly Finding[]> {
  const name = 'server secret'
  try {
    const path = secretPath(settings)
    if (await isSecretKnown(store)) await openSecrets(settings, store, systemClock)
    else if (!existsSync(path) && settings.secretFile === undefined) return [{ name, value: 'none yet: the first start makes it' }]
    const isOpen = (statSync(path).mode & 0o077) !== 0
    const complaint = `The server secret ${path} can be read by others: run chmod 600 ${path}.`
    return [{ name, value: path, ...(isOpen && { complaint }) }]
  } catch (error) {
    return [{ name, value: 'cannot be used', complaint: sentencesOf(error).join(' ') }]
  }
}
