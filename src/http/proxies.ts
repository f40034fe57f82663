/** Which peers are our own proxies: only they are believed when they say whom they speak for. */

import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { plainAddress } from '../lib/network/addresses.ts'
import type { Exchange } from './exchange.ts'

export type IsTrusted = (address: string | undefined) => boolean

export function trusting(networks: readonly string[]): IsTrusted {
  const list = new BlockList()
  for (const network of networks) add(list, network)
  return (address = '') => {
    const plain = plainAddress(address)
    const family = isIP(plain)
    return family !== 0 && list.check(plain, family === 4 ? 'ipv4' : 'ipv6')
  }
}

function add(list: BlockList, network: string): void {
  const [address = '', prefix] = network.split('/')
  const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
  if (prefix === undefined) list.addAddress(address, family)
  else list.addSubnet(address, Number(prefix), family)
}

/** Who is at the other end, and how they came: what trusted proxies say of them, else what the socket says. */
export interface Peer {
  readonly address: string
  readonly protocol: 'http' | 'https'
}

export function peerOf({ request, isTrusted }: Exchange): Peer {
  const direct = request.socket.remoteAddress ?? ''
  const isEncrypted = (request.socket as TLSSocket).encrypted === true
  if (!isTrusted(direct)) return { address: direct, protocol: isEncrypted ? 'https' : 'http' }
  const protocol = listed(request, 'x-forwarded-proto').at(-1)
  return {
    // The last address that is none of our proxies': whatever stands before it, the client may have made up.
    address: listed(request, 'x-forwarded-for').findLast((address) => !isTrusted(address)) ?? direct,
    protocol: protocol === 'https' || (protocol === undefined && isEncrypted) ? 'https' : 'http',
  }
}

function listed({ headers }: IncomingMessage, name: string): string[] {
  return String(headers[name] ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}
