/** Confirmations: a dry run of a tool returns one, which allows the same call, and no other, for a while. Nothing is stored. */

import type { PartnerCaller } from '../../model/core/caller.ts'

const validSeconds = 600

/** `1794820000-3f…`: the time of expiry, and a keyed hash over the key, the tool, the arguments and that time. */
export function confirmationOf(caller: PartnerCaller, tool: string, given: object): string {
  const ends = Math.floor(Date.parse(caller.app.clock.now()) / 1000) + validSeconds
  return `${ends}-${caller.app.secrets.hmac('confirmation', signedText(caller, tool, given, ends))}`
}

export function confirms(caller: PartnerCaller, tool: string, given: object, confirmation: unknown): boolean {
  const [, ends = '0', signature = ''] = /^(\d{10})-([\w.]{64,80})$/.exec(String(confirmation)) ?? []
  const { secrets, clock } = caller.app
  const isOver = Number(ends) * 1000 < Date.parse(clock.now())
  return !isOver && secrets.isHmac(signature, 'confirmation', signedText(caller, tool, given, Number(ends)))
}

function signedText({ keyId }: PartnerCaller, tool: string, given: object, ends: number): string {
  return JSON.stringify([keyId, tool, canonical(given), ends])
}

/** The order of members does not matter. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, part]): [string, unknown] => [name, canonical(part)])
  return { members: members.toSorted(([a], [b]) => (a < b ? -1 : 1)) }
}
