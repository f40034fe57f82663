/** Which peers are our own proxies: only they are believed when they say whom they speak for. */

import { BlockList, isIP } from 'node:net'

export type IsTrusted = (address: string | undefined) => boolean

export function trusting(networks: readonly string[]): IsTrusted {
  const list = new BlockList()
  for (const network of networks) add(list, network)
  return (address = '') => {
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
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
