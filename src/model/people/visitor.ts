/** Someone at the pages before we know who it is: where they come from and by which door. */

import { isIPv4, isIPv6 } from 'node:net'
import { plainAddress } from '../../lib/network/addresses.ts'
import type { App } from '../core/app.ts'

export interface Visitor {
  readonly app: App
  readonly requestId: string
  readonly network: string
  /** The partner whose host name was called; its people only are let in there. Null at the service's own address. */
  readonly hostPartnerId: number | null
}

/** An IPv4 address as it is, an IPv6 one by its /64: the part that one household or server cannot change at will. */
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
