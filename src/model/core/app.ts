/** The app holds what every caller needs: the store with its schema in place, the proven server secret, passwords and the clock. */

import type { Settings } from '../../config.ts'
import { type Clock, systemClock } from '../../lib/clock.ts'
import { refuse } from '../../lib/failures.ts'
import type { Secrets } from '../../lib/secrets.ts'
import { migrate, refuseNewer, schemaState } from '../../store/migrate.ts'
import { migrations } from '../../store/migrations.ts'
import { openStore, type Store } from '../../store/store.ts'
import { openPasswords, type Passwords } from './password-hashing.ts'
import { openSecrets } from './server-secret.ts'

export interface App {
  readonly store: Store
  readonly secrets: Secrets
  readonly passwords: Passwords
  readonly clock: Clock
  readonly settings: Settings
  /** What is still to be written when the app is closed. */
  readonly beforeClose: (() => Promise<void>)[]
  close(): Promise<void>
}

interface Opening {
  /** `check` brings up an empty database only: one that holds data is brought forward on purpose. */
  readonly schema?: 'bring up' | 'check'
  readonly clock?: Clock
}

export async function openApp(settings: Settings, { schema = 'check', clock = systemClock }: Opening = {}): Promise<App> {
  const store = openStore(settings)
  try {
    await (schema === 'check' ? checkSchema(store) : migrate(store))
    return groundOn(store, await openSecrets(settings, store), clock, settings)
  } catch (error) {
    await store.close()
    throw error
  }
}

/** A value that belongs to one app and is made when it is first asked for. */
export function perApp<T>(make: (app: App) => T): (app: App) => T {
  const made = new WeakMap<App, T>()
  return (app) => {
    const known = made.get(app)
    if (known !== undefined) return known
    const fresh = make(app)
    made.set(app, fresh)
    return fresh
  }
}

function groundOn(store: Store, secrets: Secrets, clock: Clock, settings: Settings): App {
  const beforeClose: App['beforeClose'] = []
  const close = async () => {
    for (const finish of beforeClose) await finish()
    await store.close()
  }
  return { store, secrets, passwords: openPasswords(secrets), clock, settings, beforeClose, close }
}

async function checkSchema(store: Store): Promise<void> {
  const state = await schemaState(store)
  refuseNewer(state)
  if (state.pending.length === migrations.length) await migrate(store)
  else if (state.state === 'behind') refuse('unavailable', 'The database is of an older version: run `marquee migrate` first.')
}
