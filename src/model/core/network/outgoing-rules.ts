/** What holds for every request of this installation to an address that a stranger has given. */

import { usualAdminPort } from '../../../config.ts'
import type { OutgoingRules } from '../../../lib/network/outgoing.ts'
import type { App } from '../app.ts'

export function outgoingRules({ store, settings }: App): OutgoingRules {
  const { dnsServers, allowedNetworks, port, adminPort, baseUrl } = settings
  const ownHost = new URL(baseUrl).hostname
  return {
    dnsServers,
    allowedNetworks,
    ownPorts: [port, adminPort ?? usualAdminPort],
    async isOwnHost(host) {
      if (host === ownHost) return true
      const brands = store.db.selectFrom('brands').select('host_name').where('host_name', '=', host)
      return (await brands.executeTakeFirst()) !== undefined
    },
  }
}
