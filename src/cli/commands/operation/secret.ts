/** `marquee secret`: the server secrets, their rotation, and which keys still depend on an old one. */

import { secretPath } from '../../../model/core/secrets/secret-file.ts'
import { listIdleKeys, listSecrets, retireSecret, rotateSecret } from '../../../model/upkeep/secret-rotation.ts'
import type { OperatorInput, Output } from '../../command.ts'

export async function list({ caller }: OperatorInput): Promise<Output> {
  const [secrets, idle_keys] = [await listSecrets(caller), await listIdleKeys(caller)]
  const note =
    idle_keys.length === 0
      ? 'No key depends on an old secret.'
      : 'Each idle key moves to the current secret when it is next used with its password; after its deadline it is refused.'
  return { document: { secrets, idle_keys }, note }
}

export async function rotate({ caller, number, settings }: OperatorInput): Promise<Output> {
  const [graceDays, startsInSeconds] = [number('grace'), number('in')]
  const secret = await rotateSecret(caller, {
    ...(graceDays !== undefined && { graceDays }),
    ...(startsInSeconds !== undefined && { startsInSeconds }),
  })
  const notes = [
    `The server secret ${secret.id} takes over at ${secret.starts_at}. Running services notice it by themselves.`,
    ...(settings.databaseUrl === undefined ? [] : [`Copy ${secretPath(settings)} to every machine that runs Marquee before then.`]),
    'Keys move to it when they are next used; `marquee secret list` shows those that have not, and their deadline.',
    `Back up ${secretPath(settings)}: it holds the old secrets too, which old backups and the audit chain need.`,
  ]
  return { document: { secret }, note: notes.join('\n') }
}

export async function retire({ caller, id, has }: OperatorInput): Promise<Output> {
  const secret = await retireSecret(caller, id, has('force'))
  return {
    document: { secret },
    note: 'What it made is refused from now on. It stays in its file, because the audit chain and old backups need it.',
  }
}
