/** The networks to which no address that a stranger gives may lead: all that is not the public internet. */

import { BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { plainAddress } from './addresses.ts'

export type ClosedNetwork =
  | 'this machine'
  | 'a private network'
  | 'a local link'
  | 'a metadata service'
  | 'a translated address'
  | 'a reserved network'

// biome-ignore format: a table reads by its columns
const closedNetworks: readonly (readonly [kind: ClosedNetwork, networks: readonly string[]])[] = [
  ['a metadata service',   ['169.254.169.254/32', '169.254.170.2/32', '168.63.129.16/32', '100.100.100.200/32', '192.0.0.192/32', 'fd00:ec2::254/128', 'fd20:ce::254/128']],
  ['this machine',         ['0.0.0.0/8', '127.0.0.0/8', '::/128', '::1/128']],
  ['a private network',    ['10.0.0.0/8', '100.64.0.0/10', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7', 'fec0::/10']],
  ['a local link',         ['169.254.0.0/16', 'fe80::/10']],
  ['a translated address', ['::/96', '::ffff:0:0/96', '::ffff:0:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48', '2001::/32', '2002::/16', '192.88.99.0/24']],
  ['a reserved network',   ['192.0.0.0/24', '192.0.2.0/24', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4',
                            '2001::/23', '2001:db8::/32', '3fff::/20', '100::/64', '5f00::/16', 'ff00::/8']],
]
/** All other addresses of IPv6 are not given to anybody yet. */
const publicV6 = blockList(['2000::/3'])
const listed = closedNetworks.map(([kind, networks]) => [kind, blockList(networks)] as const)

/** What an address belongs to if it is not public; undefined for one that anybody may reach. An address of this machine is its own wherever it lies. */
export function closedNetworkOf(address: string): ClosedNetwork | undefined {
  const plain = plainAddress(address)
  if (ownAddresses().has(plain)) return 'this machine'
  return (
    listed.find(([, list]) => isWithin(list, plain))?.[0] ??
    (isIP(plain) === 6 && !isWithin(publicV6, plain) ? 'a reserved network' : undefined)
  )
}

export function liesIn(networks: readonly string[], address: string): boolean {
  return networks.length > 0 && isWithin(blockList(networks), plainAddress(address))
}

/** Each rule holds for its own family: a list would otherwise also find the IPv4 address that is written within one of IPv6. */
function isWithin(list: Readonly<Record<4 | 6, BlockList>>, address: string): boolean {
  const family = isIP(address)
  return family === 4 ? list[4].check(address, 'ipv4') : family === 6 && list[6].check(address, 'ipv6')
}

function blockList(networks: readonly string[]): Readonly<Record<4 | 6, BlockList>> {
  const lists = { 4: new BlockList(), 6: new BlockList() }
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    if (isIP(address) === 4) lists[4].addSubnet(address, Number(prefix ?? 32), 'ipv4')
    else lists[6].addSubnet(address, Number(prefix ?? 128), 'ipv6')
  }
  return lists
}

function ownAddresses(): ReadonlySet<string> {
  return new Set(Object.values(networkInterfaces()).flatMap((known) => (known ?? []).map(({ address }) => address)))
}
