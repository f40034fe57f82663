/** The doctor's checks of the server secret: whether it is the right one, who can read it, and which keys have not moved after a rotation. */

import { existsSync, statSync } from 'node:fs'
import type { Settings } from '../../config.ts'
import { secondsAfter, systemClock } from '../../lib/time/clock.ts'
import { countSealed } from '../../model/core/secrets/sealed-values.ts'
import { secretPath } from '../../model/core/secrets/secret-file.ts'
import { isSecretKnown, openSecrets, type ServerSecrets } from '../../model/core/secrets/server-secret.ts'
import { type IdleKey, listIdleKeys } from '../../model/upkeep/secret-rotation.ts'
import type { Finding } from '../../store/engine.ts'
import type { Store } from '../../store/store.ts'
import { sentencesOf } from '../error-messages.ts'
import { complain } from './settings.ts'

const name = 'server secret'

/** Keys in regular use have moved long before; a key that is left this late is forgotten or rarely used. */
const noticeDays = 14

/** A database that was never opened does not know its secret, and the doctor must not decide it. */
export async function examineSecret(settings: Settings, store: Store): Promise<readonly Finding[]> {
  const path = secretPath(settings)
  try {
    if (await isSecretKnown(store)) {
      const secrets = await openSecrets(settings, store, systemClock)
      return [secretFile(path), await idleKeys(store, secrets), await sealedValues(store, secrets)]
    }
    const isUnmade = settings.secretFile === undefined && !existsSync(path)
    return [isUnmade ? { name, value: 'none yet: the first start makes it' } : secretFile(path)]
  } catch (error) {
    const cause = 'Keys, sessions and the audit chain are made with one secret, and cannot be checked with another.'
    const cure = `Put the right one in ${path}, from its own copy or from a backup made with --with-secret.`
    return [complain({ name, value: 'cannot be used' }, sentencesOf(error).join(' '), cause, cure)]
  }
}

function secretFile(path: string): Finding {
  const found = { name, value: path }
  const mode = statSync(path).mode & 0o777
  if ((mode & 0o077) === 0) return found
  return complain(
    found,
    `The server secret ${path} can be read by other users.`,
    `Its mode is 0${mode.toString(8)}.`,
    `Run chmod 600 ${path}.`,
  )
}

async function idleKeys(store: Store, secrets: ServerSecrets): Promise<Finding> {
  const idle = await listIdleKeys({ app: { store, secrets, clock: systemClock } })
  const [first] = idle.flatMap(({ deadline }) => deadline ?? []).sort()
  if (first === undefined) return { name: 'idle keys', value: 'none' }
  const found = { name: 'idle keys', value: `${idle.length}, refused from ${first} on` }
  if (first > secondsAfter(systemClock.now(), noticeDays * 86_400)) return found
  return complain(
    found,
    `Keys that have not been used since the rotation of the server secret, and are refused from ${first} on: ${shown(idle)}.`,
    'A key moves to the new secret when it is next used with its password.',
    'Have the partner use each before then, issue a new one with marquee key rotate, or revoke it.',
  )
}

async function sealedValues(store: Store, secrets: ServerSecrets): Promise<Finding> {
  const { needing, unreadable } = await countSealed({ store, secrets })
  const amount = [...needing.values()].reduce((sum, count) => sum + count, 0)
  const found = {
    name: 'encrypted values',
    value: unreadable === 0 ? `${amount}, all can be read` : `${unreadable} of ${amount} cannot be read`,
  }
  if (unreadable === 0) return found
  return complain(
    found,
    `Encrypted values that cannot be read: ${unreadable} of ${amount}.`,
    'The server secret under which they were encrypted is not in its file, or they were changed.',
    'Put that secret back into the file. Where it is lost, take the second factors away with marquee user reset-second-factor.',
  )
}

function shown(keys: readonly IdleKey[]): string {
  const most = 10
  const named = keys.slice(0, most).map(({ public_part, partner_id }) => `${public_part} of partner ${partner_id}`)
  return [...named, ...(keys.length > most ? [`${keys.length - most} more`] : [])].join(', ')
}
