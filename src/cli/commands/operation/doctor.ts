/** `marquee doctor`: examines the settings and the installation, and reports what is wrong in sentences. */

import { statSync } from 'node:fs'
import { type Settings, type Surroundings, settingTable } from '../../../config.ts'
import { refuseEmptyDatabase } from '../../../model/core/app.ts'
import { refuseMissingDatabase } from '../../../model/core/installation.ts'
import type { Finding } from '../../../store/engine.ts'
import { lackingIn, type SchemaState, schemaState, whoGoesOn } from '../../../store/migrate.ts'
import { openStore, type Store } from '../../../store/store.ts'
import type { CommandInput, Output } from '../../command.ts'
import { examineData } from '../../doctor/data.ts'
import { mailSettings, tryMail } from '../../doctor/mail.ts'
import { examineSecret } from '../../doctor/secret.ts'
import { complain, examineSettings, listens } from '../../doctor/settings.ts'
import { sentencesOf } from '../../error-messages.ts'
import { runAsOwner, userName } from '../../owner.ts'
import { shownValue } from './settings.ts'

const leastNode = 24

export async function doctor({ settings, surroundings }: CommandInput): Promise<Output> {
  // Comes before the switch of the user, because only root may be allowed to read the settings file.
  const stated = examineStated(settings, surroundings)
  const findings = [...stated, ...(becomeOwner(settings) ?? (await examineInstallation(settings)))]
  const complaints = findings.filter(({ complaint }) => complaint !== undefined)
  const document = {
    settings: Object.entries(settingTable).map(([key, { name }]) => ({ name, value: shownValue(settings, key as keyof Settings) })),
    findings,
    ok: complaints.length === 0,
  }
  return { document, ...verdict(complaints), columns: ['name', 'value'] }
}

/** Findings from the settings alone. */
export function examineStated(settings: Settings, surroundings: Surroundings): readonly Finding[] {
  return [runtime(), ...examineSettings(settings, surroundings), mailSettings(settings)]
}

/** Findings from trying things out. Nothing is created. */
export async function examineInstallation(settings: Settings): Promise<readonly Finding[]> {
  return [await listens(settings), ...(await tryMail(settings)), ...(await examineStore(settings))]
}

/** Checks as the service's user, because root may write what that user may not; null if the switch worked. */
function becomeOwner(settings: Settings): readonly Finding[] | null {
  try {
    runAsOwner(settings)
    return null
  } catch (error) {
    const found = { name: 'user', value: userName(process.geteuid?.() ?? 0) }
    const cause = 'Only the owner of the data can tell whether it can be used.'
    return [complain(found, sentencesOf(error).join(' '), cause, 'Run marquee doctor as root.')]
  }
}

function verdict(complaints: readonly Finding[]): Pick<Output, 'note' | 'exitCode'> {
  if (complaints.length === 0) return { note: 'All is well.' }
  const told = complaints.map(({ complaint, cause, cure }) => `${complaint}\n  Why: ${cause}\n  Do:  ${cure}`)
  return { note: told.join('\n'), exitCode: 1 }
}

function runtime(): Finding {
  const found = { name: 'Node.js', value: process.version }
  if (Number.parseInt(process.versions.node, 10) >= leastNode) return found
  return complain(
    found,
    `Marquee needs Node.js ${leastNode} or newer.`,
    `It was started with ${process.version}.`,
    'Start it with the command marquee, which brings its own.',
  )
}

async function examineStore(settings: Settings): Promise<readonly Finding[]> {
  const name = 'database'
  if (statSync(settings.dataDir, { throwIfNoEntry: false })?.isDirectory() === false)
    return [
      complain(
        { name, value: 'none' },
        `DATA_DIR names ${settings.dataDir}, which is no folder.`,
        'Something else stands in its place.',
        'Set DATA_DIR to a folder.',
      ),
    ]
  try {
    refuseMissingDatabase(settings)
    const store = openStore(settings)
    try {
      return await examineOpen(settings, store)
    } finally {
      await store.close()
    }
  } catch (error) {
    const cause = 'The database that these settings name cannot be used.'
    const cure = 'Do what it says; `marquee settings` shows where each value came from.'
    return [complain({ name, value: 'cannot be examined' }, sentencesOf(error).join(' '), cause, cure)]
  }
}

async function examineOpen(settings: Settings, store: Store): Promise<readonly Finding[]> {
  const state = await schemaState(store)
  await refuseEmptyDatabase(store, state)
  const lacking = await lackingIn(store)
  return [
    { name: 'database', value: store.engine.place },
    ...(await store.engine.inspect()),
    examineSchema(state, lacking, await whoGoesOn(store)),
    ...(state.state === 'current' && lacking.length === 0
      ? [...(await examineSecret(settings, store)), ...(await examineData(settings, store))]
      : []),
  ]
}

function examineSchema({ state, pending, barring }: SchemaState, lacking: readonly string[], cure: string): Finding {
  const found = { name: 'schema', value: state }
  if (lacking.length > 0)
    return complain(
      { name: 'schema', value: 'not as needed' },
      `The database is not as this version needs it: ${lacking.join('; ')}.`,
      'It was changed by other means than marquee migrate, or written by a version whose steps were others.',
      `Put back what was changed by hand; otherwise ${cure}`,
    )
  if (state === 'behind')
    return complain(
      found,
      `The database misses ${pending.join(', ')}.`,
      'A newer version of Marquee was installed, and the schema was not brought up.',
      'Run marquee migrate; marquee migrate --plan tells how long it takes.',
    )
  if (state === 'newer')
    return complain(
      found,
      `The database holds ${barring.join(', ')} of a newer Marquee.`,
      'Another version has brought the schema up.',
      'Install that version.',
    )
  return found
}
