/** Normalizes and recognizes IP addresses, and expands addresses that name several hosts. */

import { isIP } from 'node:net'

/** Removes the prefix that a dual-stack socket puts before an IPv4 address (`::ffff:127.0.0.1`). */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}

/** Whether only this machine reaches what listens there. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

const withHosts = /^(\w+:\/\/)([^@/]*@)?([^/?#]*)(.*)$/s

/** Returns one address for each host of `scheme://user:password@one:5432,two:5433/name`, in that order; undefined when one of them cannot be parsed. */
export function expandHosts(given: string): readonly string[] | undefined {
  const [, scheme = '', credentials = '', hosts = '', rest = ''] = withHosts.exec(given) ?? []
  const urls = hosts.split(',').map((host) => `${scheme}${credentials}${host}${rest}`)
  return hosts !== '' && urls.every((url) => URL.canParse(url)) ? urls : undefined
}
