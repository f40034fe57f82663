/** Someone at the pages before login: their network and the host name they used. */

import { isIPv4, isIPv6 } from 'node:net'
import { plainAddress } from '../../lib/network/addresses.ts'
import type { App } from '../core/app.ts'

export interface Visitor {
  readonly app: App
  readonly requestId: string
  readonly network: string
  /** `Firefox on Windows`; null or absent where nobody knows. */
  readonly browser?: string | null
  /** The partner whose host name was used, where only its people may log in. Null at the service's own address. */
  readonly hostPartnerId: number | null
}

/** An IPv4 address as it is, an IPv6 address by its /64 prefix, which one household or server cannot change at will. */
export function networkOf(address: string): string {
  const plain = plainAddress(address).replace(/%.*$/, '')
  if (isIPv4(plain)) return plain
  return isIPv6(plain) ? `${groupsOf(plain).slice(0, 4).join(':')}::/64` : 'unknown'
}

function groupsOf(address: string): string[] {
  const [head = '', tail] = address.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => '0')
  return [...left, ...zeros, ...right].map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
}
