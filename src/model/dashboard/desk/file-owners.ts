/** Whose files are, in words: the name of a customer or the domain of one of its sites, as it is shown and written. */

import { readDomain } from '../../../lib/domains.ts'
import { batchesOf } from '../../../lib/work/batches.ts'
import type { StaffCaller } from '../../core/caller.ts'
import { sitesWithin } from '../../core/tenancy.ts'
import type { Looked } from '../../intakes/deliveries/look.ts'
import type { Whose } from '../../intakes/deliveries/whose.ts'
import { customerFinder, customerNames } from './customer-names.ts'

interface SiteName {
  readonly id: number
  readonly account_id: number
  readonly domain: string
}

/** What is written for one file. */
export interface WrittenOwner {
  readonly text: string
  readonly looked: Pick<Looked, 'namesSites'>
}

/** `fault` says what is wrong with what was written. */
export type FileOwner = { readonly whose: Whose; readonly fault?: undefined } | { readonly whose: null; readonly fault: string }

export interface FileOwners {
  /** For the list from which one chooses. */
  readonly names: readonly string[]
  textOf(whose: Whose | null): string
  /** Undefined if no customer or site is called so, or more than one. */
  calledSo(text: string): Whose | undefined
  ownerOf(written: WrittenOwner): FileOwner
}

const mostOffered = 500
const mostToldSites = 5
const perQuery = 500

/** `written` and `known` are all that will be asked for: the sites of a partner are too many to read them all. */
export async function fileOwners(caller: StaffCaller, written: readonly string[], known: readonly (Whose | null)[]): Promise<FileOwners> {
  const names = await customerNames(caller)
  const nameOf = new Map([...names].map(([name, id]) => [id, name]))
  const idOf = customerFinder(names)
  const accounts = new Set([...known.flatMap((whose) => whose?.account ?? []), ...written.flatMap((text) => idOf(text) ?? [])])
  const domains = new Set(written.flatMap((text) => readDomain(text) ?? []))
  const sites = [...(await sitesWhere(caller, 'account_id', [...accounts])), ...(await sitesWhere(caller, 'domain', [...domains]))]
  const ofAccount = Map.groupBy(new Map(sites.map((site) => [site.id, site])).values(), ({ account_id }) => account_id)
  const domainOf = new Map(sites.map(({ id, domain }) => [id, domain]))
  const byDomain = Map.groupBy(new Map(sites.map((site) => [site.id, site])).values(), ({ domain }) => domain)

  const calledSo = (text: string) => {
    const account = idOf(text)
    if (account !== undefined) return { account, site: null }
    const [site, ...others] = byDomain.get(readDomain(text) ?? '') ?? []
    return site === undefined || others.length > 0 ? undefined : { account: site.account_id, site: site.id }
  }
  const ofCustomer = (account: number, namesSites: boolean): FileOwner => {
    const own = ofAccount.get(account) ?? []
    if (namesSites) return { whose: { account, site: null } }
    if (own.length === 1) return { whose: { account, site: own[0]?.id ?? null } }
    return { whose: null, fault: own.length === 0 ? noSite : whichSite(own) }
  }
  return {
    names: [...names.keys()].slice(0, mostOffered),
    textOf: (whose) => domainOf.get(whose?.site ?? 0) ?? nameOf.get(whose?.account ?? 0) ?? '',
    calledSo,
    ownerOf({ text, looked: { namesSites } }) {
      const called = calledSo(text)
      if (called !== undefined) return called.site === null ? ofCustomer(called.account ?? 0, namesSites) : { whose: called }
      if (text.trim() !== '') return { whose: null, fault: 'No customer or site of yours is called so.' }
      return namesSites && caller.customers === 'all'
        ? { whose: { account: null, site: null } }
        : { whose: null, fault: 'Please say whose it is.' }
    },
  }
}

const noSite = 'This customer has no site yet: add a domain at the customer first.'

function whichSite(sites: readonly SiteName[]): string {
  const told = sites.slice(0, mostToldSites).map(({ domain }) => domain)
  return `It names no site: write which of ${told.join(', ')}${sites.length > told.length ? ' or another' : ''}.`
}

async function sitesWhere(caller: StaffCaller, column: 'account_id' | 'domain', values: readonly (number | string)[]): Promise<SiteName[]> {
  const found: SiteName[] = []
  for (const some of batchesOf(values, perQuery)) {
    const sites = sitesWithin(caller).select(['sites.id', 'sites.account_id', 'sites.domain'])
    found.push(...(await sites.where(`sites.${column}`, 'in', some as never).execute()))
  }
  return found
}
