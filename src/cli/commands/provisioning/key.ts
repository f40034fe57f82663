/** `marquee key`: keys of partners; a key is named by its public part. */

import type { KeyScope } from '../../../model/core/caller.ts'
import { type FreshKey, issueKey, type Key, listKeys, revokeKey, rotateKey } from '../../../model/partners/keys/keys.ts'
import { findPartner } from '../../../model/partners/partners.ts'
import { type OperatorInput, type Output, UsageError } from '../../command.ts'

export async function issue({ caller, number, text, has }: OperatorInput): Promise<Output> {
  const [expires, scopes] = [text('expires'), text('scope')]
  if (expires !== undefined && expires <= caller.app.clock.now().slice(0, 10))
    throw new UsageError('This key would never be valid: --expires must be a day after today.')
  const fresh = await issueKey(caller, number('partner') ?? 0, {
    label: text('label') ?? '',
    ...(scopes !== undefined && { scopes: scopes.split(' ') as KeyScope[] }),
    ...(expires !== undefined && { expires_at: `${expires}T00:00:00Z` }),
    ...(has('direct-writes') && { writes_directly: 1 }),
  })
  return shownOnce(fresh)
}

export async function list({ caller, number }: OperatorInput): Promise<Output> {
  const only = number('partner')
  if (only !== undefined) await findPartner(caller, only)
  const keys = (await listKeys(caller, only)).map(shown)
  return { document: { keys }, columns: ['public_part', 'partner_id', 'label', 'scopes', 'last_used_at', 'expires_at', 'revoked_at'] }
}

export async function rotate({ caller, word, number }: OperatorInput): Promise<Output> {
  return shownOnce(await rotateKey(caller, word, number('grace')))
}

export async function revoke({ caller, word }: OperatorInput): Promise<Output> {
  return { document: { key: shown(await revokeKey(caller, word)) } }
}

function shownOnce({ key, password, record }: FreshKey): Output {
  return { document: { key, password, record: shown(record) }, note: 'The key and its password are shown this once: keep them now.' }
}

function shown(key: Key): object {
  return { ...key, scopes: key.scopes.split(' ') }
}
