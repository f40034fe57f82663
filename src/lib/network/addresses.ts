/** Addresses of the network: IP addresses in the one form in which they are compared, and addresses that name several hosts. */

/** An IPv4 address that a socket for both families wrote as IPv6 (`::ffff:127.0.0.1`) becomes plain. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}

const withHosts = /^(\w+:\/\/)([^@/]*@)?([^/?#]*)(.*)$/s

/** One address for each host of `scheme://user:password@one:5432,two:5433/name`, in that order; undefined when one of them cannot be read. */
export function expandHosts(given: string): readonly string[] | undefined {
  const [, scheme = '', credentials = '', hosts = '', rest = ''] = withHosts.exec(given) ?? []
  const urls = hosts.split(',').map((host) => `${scheme}${credentials}${host}${rest}`)
  return hosts !== '' && urls.every((url) => URL.canParse(url)) ? urls : undefined
}
