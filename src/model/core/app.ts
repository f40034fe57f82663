/** The app holds what every caller needs: the store with its schema, the verified server secrets, password hashing and the clock. */

import { type Settings, workerCount } from '../../config.ts'
import { refuse } from '../../lib/failures.ts'
import { memoByObject } from '../../lib/memo.ts'
import { type Clock, systemClock } from '../../lib/time/clock.ts'
import { migrate, refuseNewer, type SchemaState, schemaState } from '../../store/migrate.ts'
import { migrations } from '../../store/migrations.ts'
import { openStore, type Store } from '../../store/store.ts'
import { nameInstallation, refuseForeignDatabase, refuseMissingDatabase } from './installation.ts'
import { refuseMovedDatabase } from './moving.ts'
import { openPasswords, type Passwords } from './password-hashing.ts'
import { openSecrets, type ServerSecrets } from './server-secret.ts'

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
  /** `check` refuses a database that is missing, empty or older; `bring up` creates and migrates it. */
  readonly schema?: 'bring up' | 'check'
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
  if (schema === 'check') refuseMissingDatabase(settings)
  const store = openStore(settings, memory)
  try {
    await (schema === 'check' ? checkDatabase(settings, store) : migrate(store))
    if (!isMove) await refuseMovedDatabase(store)
    if (schema === 'bring up') await nameInstallation(store)
    return appOn(store, await openSecrets(settings, store, clock), clock, settings)
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

/** Refuses a database without any of our migrations: it was just created on the server, or it is the wrong one. */
export function refuseEmptyDatabase({ engine }: Store, { pending }: SchemaState): void {
  if (pending.length < migrations.length) return
  refuse('not_found', `The database ${engine.place} is empty: if it is the right one, run \`marquee migrate --init\` first.`)
}

async function checkDatabase(settings: Settings, store: Store): Promise<void> {
  const state = await schemaState(store)
  refuseNewer(state)
  refuseEmptyDatabase(store, state)
  if (state.state === 'behind') refuse('unavailable', 'The database is of an older version: run `marquee migrate` first.')
  await refuseForeignDatabase(settings, store)
}
