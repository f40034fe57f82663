/** What an unknown site in a file may have meant. */

import { nearest } from '../../../lib/nearest-name.ts'
import type { ImportError } from '../../../resources/imports/import-fault.ts'
import type { References } from '../references.ts'

/** Each is compared with thousands of names. */
const mostSuggestions = 10

export async function suggestSites(reach: References, faults: readonly ImportError[]): Promise<readonly ImportError[]> {
  const unknown = new Set(faults.filter(isUnknownSite).map(({ value }) => value))
  if (unknown.size === 0) return faults
  const domains = await reach.knownDomains()
  const near = new Map([...unknown].slice(0, mostSuggestions).map((value) => [value, nearSite(value ?? '', domains)]))
  return faults.map((fault) => {
    const like = isUnknownSite(fault) ? near.get(fault.value) : undefined
    return like === undefined ? fault : { ...fault, near: like }
  })
}

function isUnknownSite({ field, code }: ImportError): boolean {
  return field === 'site' && code === 'unknown'
}

function nearSite(value: string, domains: readonly string[]): string | undefined {
  const domain = value.replace(/^"|"$/g, '').toLowerCase()
  const bare = domain.replace(/^www\./, '')
  return domains.includes(bare) ? bare : (nearest(domain, domains) ?? nearest(bare, domains))
}
