/** The app holds what every caller needs: the store with its schema, the verified server secrets, password hashing and the clock. */

import { type Settings, workerCount } from '../../config.ts'
import { refuse } from '../../lib/failures.ts'
import { memoByObject } from '../../lib/memo.ts'
import { type Clock, systemClock } from '../../lib/time/clock.ts'
import { migrate, refuseLacking, refuseNewer, type SchemaState, schemaState } from '../../store/migrate.ts'
import { migrations } from '../../store/migrations.ts'
import { openStore, type Store } from '../../store/store.ts'
import { nameInstallation, refuseForeignDatabase, refuseMissingDatabase, refuseOtherEncoding } from './installation.ts'
import { refuseMovedDatabase } from './moving.ts'
import { openPasswords, type Passwords } from './password-hashing.ts'
import { openSecrets, type ServerSecrets } from './secrets/server-secret.ts'

export interface App {
  readonly store: Store
  readonly secrets: ServerSecrets
  readonly passwords: Passwords
  readonly clock: Clock
  readonly settings: Settings
  /** Functions that write pending data when the app is closed. */
  readonly beforeClose: (() => Promise<void>)[]
  close(): Promise<void>
}

interface Opening {
  /** `check` refuses a database that is missing, empty or older; `compare` also one that lacks something; `bring up` creates and migrates it. */
  readonly schema?: 'bring up' | 'check' | 'compare'
  readonly clock?: Clock
  /** Whether to open a database that is being moved or was moved away. */
  readonly isMove?: boolean
  /** `little` for a thread beside the requests. */
  readonly memory?: 'usual' | 'little'
}

export async function openApp(
  settings: Settings,
  { schema = 'check', clock = systemClock, isMove = false, memory = 'usual' }: Opening = {},
): Promise<App> {
  if (schema !== 'bring up') refuseMissingDatabase(settings)
  const store = openStore(settings, memory)
  try {
    await (schema === 'bring up' ? bringUp(store) : checkDatabase(settings, store, schema))
    if (!isMove) await refuseMovedDatabase(store)
    if (schema === 'bring up') await nameInstallation(store)
    return appOn(store, await openSecrets(settings, store, clock, schema === 'bring up'), clock, settings)
  } catch (error) {
    await store.close()
    throw error
  }
}

/** A value that belongs to one app and is made when it is first used. */
export function perApp<T>(make: (app: App) => T): (app: App) => T {
  return memoByObject(make)
}

/** Like `perApp`, but made again when another server secret becomes current. */
export function perSecret<T>(make: (app: App) => T): (app: App) => T {
  const kept = perApp((app) => ({ secret: app.secrets.current, value: make(app) }))
  return (app) => {
    const known = kept(app)
    if (known.secret !== app.secrets.current) Object.assign(known, { secret: app.secrets.current, value: make(app) })
    return known.value
  }
}

function appOn(store: Store, secrets: ServerSecrets, clock: Clock, settings: Settings): App {
  const beforeClose: App['beforeClose'] = []
  const close = async () => {
    for (const finish of beforeClose) await finish()
    await store.close()
  }
  return { store, secrets, passwords: openPasswords(secrets, workerCount(settings)), clock, settings, beforeClose, close }
}

async function bringUp(store: Store): Promise<void> {
  const { pending } = await schemaState(store)
  if (pending.length === migrations.length) await refuseOtherEncoding(store)
  await migrate(store)
}

/** Refuses a database without any of our migrations: it was just created on the server, or it is the wrong one. */
export async function refuseEmptyDatabase({ engine }: Store, { pending }: SchemaState): Promise<void> {
  if (pending.length < migrations.length) return
  const other = await engine.otherSchema()
  if (other !== null)
    refuse(
      'not_found',
      `The tables of Marquee in ${engine.place} are in the schema ${other.name}, and the search_path of this role leads to ${other.searched ?? 'no schema that exists'}: correct it with alter role ... in database ... set search_path = ${other.name}, or in the options of DATABASE_URL.`,
    )
  refuse('not_found', `The database ${engine.place} is empty: if it is the right one, run \`marquee migrate --init\` first.`)
}

async function checkDatabase(settings: Settings, store: Store, schema: 'check' | 'compare'): Promise<void> {
  const state = await schemaState(store)
  refuseNewer(state)
  await refuseEmptyDatabase(store, state)
  // Whoever is sent to `migrate` must not be refused there.
  if (schema === 'compare' || state.state === 'behind') await refuseLacking(store)
  if (state.state === 'behind') refuse('unavailable', 'The database is of an older version: run `marquee migrate` first.')
  await refuseForeignDatabase(settings, store)
}
