/** Makes a customer with everything that belongs to it, in one transaction: account, business, sites, what is tracked, and a person who gets the reports. */

import type { Kysely } from 'kysely'
import { complete, type Draft } from '../../../fields/read.ts'
import { readDomain } from '../../../lib/domains.ts'
import { type FieldError, invalid, refuse } from '../../../lib/failures.ts'
import { sendsMail } from '../../../lib/network/smtp.ts'
import { atMost } from '../../../lib/work/batches.ts'
import { type CustomerRecord, type NewCustomer, newCustomer } from '../../../resources/account.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import { nameRecord, recordCalled } from '../../core/external-ids.ts'
import { renewMeasuredVersions } from '../../core/report-version.ts'
import type { Managing } from '../../core/tenancy.ts'
import { carriedOut, type ReadyChange, ready } from '../../core/transaction.ts'
import { insertSchedule } from '../../mail/schedules.ts'
import { insertAccount } from '../../partners/accounts.ts'
import { insertBusiness } from '../../partners/businesses.ts'
import { findCustomer, foldTags } from '../../partners/customers.ts'
import { ensureLocation } from '../../partners/locations.ts'
import { insertCompetitors, insertKeywords } from '../../partners/site-contents.ts'
import { insertSite } from '../../partners/sites.ts'
import { countingTakenAnswers } from '../name-probing-limit.ts'
import { foldName, nameExists } from '../users.ts'
import { addClient, queueWelcome, unknownPassword } from './clients.ts'

type Db = Kysely<Tables>

const mostDomains = 50
const mostKeywords = 500
const mostCompetitors = 50

/** What is told of a customer besides its fields. */
interface Besides {
  /** The login or the email of somebody of the staff. */
  readonly colleague?: string | undefined
  /** Of a password that nobody knows, if there is one already. */
  readonly verifier?: string
}

export function createCustomer(
  caller: Managing,
  partnerId: number,
  draft: Draft<NewCustomer>,
  besides: Besides = {},
): Promise<CustomerRecord & { id: number }> {
  refuseLimited(caller)
  return countingTakenAnswers(caller, () => make(caller, partnerId, draft, besides))
}

/** Finds what is wrong as `createCustomer` does, and writes nothing: many are checked in the time in which one is made. */
export async function checkCustomer(caller: Managing, partnerId: number, draft: Draft<NewCustomer>, besides: Besides): Promise<void> {
  refuseLimited(caller)
  await countingTakenAnswers(caller, () => prepare(caller, partnerId, draft, besides))
}

function refuseLimited(caller: Managing): void {
  if (caller.kind === 'partner' && caller.accountIds !== null) refuse('forbidden', 'This key is limited to accounts and creates none')
}

const make = carriedOut(prepare)

async function prepare(
  caller: Managing,
  partnerId: number,
  draft: Draft<NewCustomer>,
  { colleague, verifier: known }: Besides,
): Promise<ReadyChange<CustomerRecord & { id: number }>> {
  const looked_after_by = await colleagueFor(caller, partnerId, colleague)
  const lists = listsOf(draft.values)
  const wanted = complete(newCustomer, draft, [
    ...faultsOf(draft.values, lists),
    ...(await takenBy(caller, partnerId, draft.values, lists)),
  ])
  const verifier = known ?? (wanted.email === undefined ? '' : await unknownPassword(caller))
  return ready(async (tx) => {
    const { tags, time_zone = null, external_id } = wanted
    const account = await insertAccount(tx, caller, partnerId, wanted.name, {
      time_zone,
      tags: foldTags(tags ?? ''),
      looked_after_by,
    })
    await nameRecord(tx, caller, 'account', account.id, external_id, partnerId)
    await fill(tx, caller, account.id, wanted.name, lists)
    if (wanted.email !== undefined) await addPerson(tx, caller, account.id, { ...wanted, email: wanted.email }, verifier)
    return { id: account.id, ...(await findCustomer(caller, account.id, tx)) }
  })
}

/** Who looks after it: the colleague who was named, or else whoever of the staff reaches only what they look after. */
async function colleagueFor(caller: Managing, partner_id: number, colleague: string | undefined): Promise<number | null> {
  const own = caller.kind === 'staff' && caller.customers === 'assigned' ? caller.userId : null
  if (colleague === undefined) return own
  const named = caller.app.store.db
    .selectFrom('user_names')
    .innerJoin('staff', 'staff.user_id', 'user_names.user_id')
    .select('staff.user_id')
    .where('staff.partner_id', '=', partner_id)
  const found = await named.where('user_names.name', '=', foldName(colleague)).executeTakeFirst()
  const isTheirs = found !== undefined && (own === null || own === found.user_id)
  return isTheirs ? found.user_id : invalid([{ field: 'colleague', code: 'does_not_exist' }])
}

interface Lists {
  /** Of all sites, the first site's first. */
  readonly domains: readonly string[]
  readonly further: readonly string[]
  readonly keywords: readonly string[]
  readonly competitors: readonly string[]
}

function listsOf({ domain, domains, keywords, competitors }: Partial<NewCustomer>): Lists {
  const further = entriesOf(domains).map(plainDomain)
  return {
    domains: distinct([...(domain === undefined ? [] : [plainDomain(domain)]), ...further]),
    further,
    keywords: distinct(entriesOf(keywords)),
    competitors: distinct(entriesOf(competitors).map(plainDomain)),
  }
}

export function entriesOf(text = ''): string[] {
  return text
    .split(/[,;\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}

function distinct(entries: readonly string[]): string[] {
  return [...new Set(entries)]
}

export function plainDomain(text: string): string {
  return readDomain(text) ?? text
}

function faultsOf({ contact, email, rhythm }: Partial<NewCustomer>, { domains, further, keywords, competitors }: Lists): FieldError[] {
  const areDomains = (all: readonly string[]) => all.every((domain) => readDomain(domain) !== undefined)
  const needsEmail = email === undefined && (contact !== undefined || rhythm !== undefined)
  return [
    ...(areDomains(further) ? [] : [{ field: 'domains', code: 'invalid' } as const]),
    ...(domains.length > mostDomains ? [{ field: 'domains', code: 'too_many', limit: mostDomains } as const] : []),
    ...(keywords.length > mostKeywords ? [{ field: 'keywords', code: 'too_many', limit: mostKeywords } as const] : []),
    ...(keywords.some((phrase) => phrase.length > 255) ? [{ field: 'keywords', code: 'too_long', limit: 255 } as const] : []),
    ...(areDomains(competitors) ? [] : [{ field: 'competitors', code: 'invalid' } as const]),
    ...(competitors.length > mostCompetitors ? [{ field: 'competitors', code: 'too_many', limit: mostCompetitors } as const] : []),
    ...(needsEmail ? [{ field: 'email', code: 'blank' } as const] : []),
  ]
}

/** A domain belongs to one customer of the partner, also while that one is deleted. */
async function takenBy(
  caller: Managing,
  partnerId: number,
  { domain, email, external_id }: Partial<NewCustomer>,
  { domains, further }: Lists,
): Promise<FieldError[]> {
  const taken = await ownedDomains(caller, partnerId, domains.slice(0, mostDomains))
  const first = domain === undefined ? '' : plainDomain(domain)
  const isNamed = external_id !== undefined && (await recordCalled(caller, 'account', external_id, partnerId)) !== 0
  return [
    ...(taken.has(first) ? [{ field: 'domain', code: 'taken' } as const] : []),
    ...(further.some((one) => taken.has(one)) ? [{ field: 'domains', code: 'taken' } as const] : []),
    ...(isNamed ? [{ field: 'external_id', code: 'taken' } as const] : []),
    ...(email !== undefined && (await nameExists(caller, email)) ? [{ field: 'email', code: 'taken' } as const] : []),
  ]
}

/** Those of these domains that a customer of the partner has. */
async function ownedDomains({ app }: Managing, partnerId: number, domains: readonly string[]): Promise<Set<string>> {
  if (domains.length === 0) return new Set()
  const sites = await app.store.db
    .selectFrom('sites')
    .innerJoin('accounts', 'accounts.id', 'sites.account_id')
    .leftJoin('deleted_accounts', 'deleted_accounts.account_id', 'accounts.id')
    .select('sites.domain')
    .where('sites.domain', 'in', domains)
    .where((row) => row(row.fn.coalesce('accounts.partner_id', 'deleted_accounts.partner_id'), '=', partnerId))
    .execute()
  return new Set(sites.map(({ domain }) => domain))
}

async function fill(tx: Db, caller: Managing, accountId: number, name: string, { domains, keywords, competitors }: Lists): Promise<void> {
  const business = await insertBusiness(tx, caller, accountId, name)
  const sites: { readonly id: number }[] = []
  for (const domain of atMost(domains, mostDomains)) sites.push(await insertSite(tx, caller, business, domain))
  const place = { account_id: accountId, site_id: sites[0]?.id ?? 0 }
  await ensureLocation(tx, caller, place)
  if (keywords.length + competitors.length === 0) return
  await renewMeasuredVersions(tx, [accountId])
  if (keywords.length > 0) await insertKeywords(tx, caller, place, keywords)
  if (competitors.length > 0) await insertCompetitors(tx, caller, place, competitors)
}

type Contact = Pick<NewCustomer, 'contact' | 'rhythm'> & { readonly email: string }

/** The person may see the account; the invitation names the reports, so that accepting it confirms them. */
async function addPerson(
  tx: Db,
  caller: Managing,
  account_id: number,
  { email, contact, rhythm }: Contact,
  verifier: string,
): Promise<void> {
  const ability = { key: 'show', scope_type: 'Account', scope_id: account_id } as const
  const id = await addClient(tx, caller, { account_id, email, name: contact ?? '', abilities: [ability] }, verifier)
  if (sendsMail(caller.app.settings)) await queueWelcome(tx, caller.app, { id, account_id, email })
  if (rhythm !== undefined) await insertSchedule(tx, caller, account_id, { rhythm, siteIds: null, recipients: [email] })
}
