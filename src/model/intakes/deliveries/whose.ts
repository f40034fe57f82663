/** Whose a file is: guessed by the sites that it names and by its own name, among the customers that somebody reaches. */

import type { Kysely } from 'kysely'
import { oneLine } from '../../../lib/one-line.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import type { StaffCaller } from '../../core/caller.ts'
import { accountsWithin, sitesWithin } from '../../core/tenancy.ts'
import type { Looked } from './look.ts'

/** For whom a file is stored; without an account for all customers, without a site for those that it names. */
export interface Whose {
  readonly account: number | null
  readonly site: number | null
}

export type WhoseGuess = (name: string, looked: Looked) => Whose | null

const mostWords = 30
const mostWordsTogether = 8
const leastLetters = 4

/** Reads the customers once for many files; null where nobody is meant, or more than one. */
export async function guessWhose(caller: StaffCaller, db: Kysely<Tables>): Promise<WhoseGuess> {
  const accounts = await accountsWithin(caller, db).select(['id', 'name']).where('archived_at', 'is', null).execute()
  const sites = await sitesWithin(caller, db).select(['id', 'account_id', 'domain']).execute()
  const byDomain = Map.groupBy(sites, ({ domain }) => domain)
  const ofAccount = Map.groupBy(sites, ({ account_id }) => account_id)
  const named = new Map<string, Whose | null>()
  const name = (text: string, whose: Whose) => {
    const key = wordsOf(text).join('')
    if (key.length >= leastLetters) named.set(key, named.has(key) && named.get(key)?.account !== whose.account ? null : whose)
  }
  for (const { id, account_id, domain } of sites) name(domain, { account: account_id, site: id })
  for (const { id, name: own } of accounts) name(oneLine(own), { account: id, site: null })
  const siteAt = (host: string) => {
    const found = byDomain.get(host) ?? byDomain.get(host.replace(/^www\./, '')) ?? []
    return found.length === 1 ? found[0] : undefined
  }
  return (file, looked) => {
    const found = looked.hosts.flatMap((host) => siteAt(host) ?? [])
    const [first, ...others] = found
    const isOne = first !== undefined && others.every(({ account_id }) => account_id === first.account_id)
    if (looked.namesSites && isOne) return { account: first.account_id, site: null }
    if (looked.namesSites && first !== undefined) return caller.customers === 'all' ? { account: null, site: null } : null
    if (first !== undefined) return { account: first.account_id, site: first.id }
    const whose = longestNamed(file, named)
    if (whose === null || looked.namesSites) return whose && { ...whose, site: null }
    const own = ofAccount.get(whose.account ?? 0) ?? []
    return whose.site === null && own.length === 1 ? { ...whose, site: own[0]?.id ?? null } : whose
  }
}

/** `2026 Harbor-Dental_ranks.csv` names Harbor Dental. */
function longestNamed(file: string, named: ReadonlyMap<string, Whose | null>): Whose | null {
  const words = wordsOf(file).slice(0, mostWords)
  const keys = words.flatMap((_, at) => Array.from({ length: mostWordsTogether }, (_, many) => words.slice(at, at + many + 1).join('')))
  const [longest] = keys.filter((key) => named.has(key)).toSorted((a, b) => b.length - a.length)
  return longest === undefined ? null : (named.get(longest) ?? null)
}

function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  )
}
