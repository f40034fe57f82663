/** Maps ids of sites and competitors in another service to records here, as named by the operator or known from an earlier import. */

import { readDomain } from '../../../lib/domains.ts'
import { refuse } from '../../../lib/failures.ts'
import { accountsWithin, type Managing, sitesWithin } from '../../core/tenancy.ts'
import type { Target } from '../refs.ts'
import type { At } from './units.ts'

export interface Names {
  readonly account?: number
  readonly site: string
  readonly competitor?: string
}

type Kind = 'account' | 'site' | 'competitor'

interface Here {
  /** Set for a site and for an account. */
  readonly account?: number
  readonly domain?: string
}

/** One line of a map: `site,456,example.com`; the last value may also be an id of this service. Reports name no businesses and users. */
const mapLine = /^\s*(account|site|competitor|business|user)\s*,\s*([^,\s]+)\s*,\s*([^,\s]+)\s*$/

/** Reads the lines of a map; a line that is none is refused. */
export function mappedIds(map: string): [kind: Kind, old: string, here: string][] {
  return map
    .split('\n')
    .filter((text) => text.trim() !== '' && !text.startsWith('kind,'))
    .map((line) => mapLine.exec(line) ?? refuse('bad_request', `The map has a line that is not kind,old,new: ${line}`))
    .filter(([, kind]) => kind !== 'business' && kind !== 'user')
    .map(([, kind, old = '', here = '']) => [kind as Kind, old, here])
}

export class ReportNames {
  readonly #caller: Managing
  readonly #target: Target
  readonly #createMissing: boolean
  readonly #known = new Map<string, Here>()
  readonly #met = new Map<string, { kind: Kind; old: string; here: Here & { site?: string } }>()
  #onlySite: Here | undefined
  /** Sites with competitors that are known by their domains, of which an id may mean one. */
  readonly #withRivals = new Set<string>()

  constructor(caller: Managing, target: Target, createMissing: boolean) {
    this.#caller = caller
    this.#target = target
    this.#createMissing = createMissing
  }

  /** Loads what earlier imports stored, then what the map says. */
  async load(map: string): Promise<this> {
    if (this.#target.siteId !== undefined) this.#onlySite = await this.#siteById(this.#target.siteId)
    for (const { domain } of await this.#sitesWithRivals()) this.#withRivals.add(domain)
    const ids = this.#db.selectFrom('old_ids').selectAll().where('partner_id', '=', this.#target.partnerId)
    const kept = await ids.where('kind', 'in', ['account', 'site', 'competitor']).execute()
    for (const { kind, old_id, new_id } of kept) await this.#know(kind as Kind, old_id, String(new_id))
    for (const [kind, old, here] of mappedIds(map)) await this.#know(kind, old, here)
    return this
  }

  /** The fields that name the place here, or undefined if it is not mapped. */
  at(at: At): Names | undefined {
    const site = this.#site(at)
    if (at.domain !== undefined && site?.domain !== undefined) this.#withRivals.add(site.domain)
    const domain = at.domain ?? (at.rival === undefined ? undefined : this.#competitor(at.rival, site?.domain))
    if (site?.domain === undefined || (at.rival !== undefined && domain === undefined)) return undefined
    const account = site.account === undefined ? {} : { account: site.account }
    return { ...account, site: site.domain, ...(domain !== undefined && { competitor: domain }) }
  }

  /** Whether a competitor of the site may be one that is known by its domain. */
  hasRivals(at: At): boolean {
    return this.#withRivals.has(this.#site(at)?.domain ?? '')
  }

  /** Stores the ids that were used for the next import, and returns them as a map. */
  async keep(): Promise<string> {
    const lines: string[] = []
    for (const { kind, old, here } of this.#met.values()) {
      const id = await this.#idOf(kind, here)
      if (id === undefined) continue
      const row = { partner_id: this.#target.partnerId, kind, old_id: old, new_id: id }
      await this.#caller.app.store.write((tx) =>
        tx
          .insertInto('old_ids')
          .values(row)
          .onConflict((taken) => taken.columns(['partner_id', 'kind', 'old_id']).doUpdateSet({ new_id: id }))
          .execute(),
      )
      lines.push(`${kind},${old},${kind === 'competitor' ? here.domain : id}`)
    }
    return lines.map((line) => `${line}\n`).join('')
  }

  get #db() {
    return this.#caller.app.store.db
  }

  #site({ account, site }: At): Here | undefined {
    const key = `site ${site}`
    const known = this.#known.get(key) ?? this.#only(key) ?? this.#newSite(account, site)
    if (known && !this.#met.has(key)) this.#met.set(key, { kind: 'site', old: site, here: known })
    return known
  }

  /** An import for one site accepts only a report of one site. */
  #only(key: string): Here | undefined {
    const isFirst = [...this.#met.keys()].every((met) => !met.startsWith('site ') || met === key)
    return isFirst ? this.#onlySite : undefined
  }

  #newSite(account: string, site: string): Here | undefined {
    if (!this.#createMissing || this.#onlySite || !/^\d{1,18}$/.test(site)) return undefined
    const home = this.#target.accountId ?? this.#known.get(`account ${account}`)?.account
    return { domain: `site-${site}.imported.invalid`, ...(home !== undefined && { account: home }) }
  }

  #competitor(old: string, site: string | undefined): string | undefined {
    // It would come twice: once by its domain, and once under an invented one.
    const isNew = this.#createMissing && /^\d{1,18}$/.test(old) && !this.#withRivals.has(site ?? '')
    const domain = this.#known.get(`competitor ${old}`)?.domain ?? (isNew ? `competitor-${old}.imported.invalid` : undefined)
    if (domain && site) this.#met.set(`competitor ${old}`, { kind: 'competitor', old, here: { domain, site } })
    return domain
  }

  async #know(kind: Kind, old: string, here: string): Promise<void> {
    this.#known.set(`${kind} ${old}`, kind === 'account' ? { account: Number(here) } : await this.#here(kind, here))
  }

  async #here(kind: Kind, here: string): Promise<Here> {
    const domain = readDomain(here)
    if (domain !== undefined) return { domain }
    return kind === 'site' ? ((await this.#siteById(Number(here))) ?? {}) : this.#competitorById(Number(here))
  }

  async #sitesWithRivals(): Promise<{ domain: string }[]> {
    const accounts = accountsWithin(this.#caller).select('id').where('partner_id', '=', this.#target.partnerId)
    const ids = (await accounts.execute()).map((account) => account.id)
    const rivals = this.#db.selectFrom('subjects').select('site_id').where('account_id', 'in', ids)
    const named = await rivals.where('domain', '!=', '').where('domain', 'not like', '%.imported.invalid').distinct().execute()
    const sites = new Set(named.map(({ site_id }) => site_id))
    return (await sitesWithin(this.#caller).select(['id', 'domain']).execute()).filter(({ id }) => sites.has(id))
  }

  async #siteById(id: number): Promise<Here | undefined> {
    return sitesWithin(this.#caller).select(['domain', 'account_id as account']).where('id', '=', id).executeTakeFirst()
  }

  async #competitorById(id: number): Promise<Here> {
    const accounts = accountsWithin(this.#caller).select('id').where('partner_id', '=', this.#target.partnerId)
    const ids = (await accounts.execute()).map((account) => account.id)
    const subjects = this.#db.selectFrom('subjects').select('domain').where('account_id', 'in', ids).where('id', '=', id)
    return (await subjects.where('domain', '!=', '').executeTakeFirst()) ?? {}
  }

  async #idOf(kind: Kind, { account, domain = '', site = domain }: Here & { site?: string }): Promise<number | undefined> {
    const sites = sitesWithin(this.#caller)
      .innerJoin('accounts', 'accounts.id', 'sites.account_id')
      .where('accounts.partner_id', '=', this.#target.partnerId)
      .where('sites.domain', '=', site)
    const found = await (account === undefined ? sites : sites.where('sites.account_id', '=', account))
      .select(['sites.id', 'sites.account_id'])
      .executeTakeFirst()
    if (kind === 'site' || found === undefined) return found?.id
    const subjects = this.#db.selectFrom('subjects').select('id').where('account_id', '=', found.account_id)
    return (await subjects.where('site_id', '=', found.id).where('domain', '=', domain).executeTakeFirst())?.id
  }
}
