/** Trusted proxies: only their X-Forwarded headers are believed. */

import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { plainAddress } from '../lib/network/addresses.ts'
import type { Exchange, IsTrusted } from './exchange.ts'

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

/** The client's address and protocol: as trusted proxies report them, otherwise as the socket does. */
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
    // The last address that is not one of our proxies; the client may have made up those before it.
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
