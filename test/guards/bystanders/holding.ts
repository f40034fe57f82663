/** An account with three of everything, so that whatever is changed has others of its kind beside it. */
import { draftOf } from '../../../src/fields/read.ts'
import type { App } from '../../../src/model/core/app.ts'
import type { OperatorCaller } from '../../../src/model/core/caller.ts'
import { readNdjson } from '../../../src/model/imports/formats.ts'
import { importObservations } from '../../../src/model/imports/import.ts'
import { createAccount, setOwner } from '../../../src/model/partners/accounts.ts'
import { createBusiness } from '../../../src/model/partners/businesses.ts'
import { createSite } from '../../../src/model/partners/sites.ts'
import { newBusiness } from '../../../src/resources/business.ts'
import { bytesOf } from '../../support/data.ts'
import {
  annotate,
  type HeldLink,
  leavePlain,
  leaveRemovals,
  makeBrand,
  makeLinks,
  makeSchedule,
  markReviews,
  nameRecords,
} from './belongings.ts'
import { insertInto, type Making, three } from './making.ts'
import { type Lines, lateLines, linesOf, reviewers } from './measured-lines.ts'
import { type Likeness, makePerson, type Person } from './people.ts'

export interface Holding {
  readonly partnerId: number
  readonly accountId: number
  readonly businesses: readonly number[]
  readonly sites: readonly HeldSite[]
  readonly people: readonly Person[]
  readonly schedules: readonly { readonly id: number; readonly recipients: readonly number[] }[]
  /** The intakes that stored the measurements: of all sites, and later of a new site and some changes. */
  readonly intakes: readonly number[]
  /** What the later intake created. */
  readonly late: Pick<HeldSite, 'id' | 'domain' | 'subjects'>
}

export interface HeldSite {
  readonly id: number
  readonly domain: string
  /** The site's own subject, its competitors, and both. */
  readonly own: number
  readonly rivals: readonly number[]
  readonly subjects: readonly number[]
  readonly location: number
  /** Those of the site itself. */
  readonly keywords: readonly number[]
  readonly pages: readonly number[]
  /** The first of the site itself. */
  readonly review: number
  readonly annotations: readonly number[]
  readonly links: readonly HeldLink[]
}

export async function makeHolding(operator: OperatorCaller, partnerId: number, word: string, likeness: Likeness): Promise<Holding> {
  const { app } = operator
  const { store, clock } = app
  const { id: accountId } = await createAccount(operator, partnerId, `Account ${word}`)
  const making: Making = { app, partnerId, accountId, word, now: clock.now(), insert: insertInto(store) }
  const domains = three.map((n) => `site${n}.${word}.example`)
  const lateDomain = `late.${word}.example`
  const [businesses, siteIds]: [number[], number[]] = [[], []]
  for (const domain of domains) {
    const { id } = await createBusiness(operator, draftOf(newBusiness, { name: `Business of ${domain}`, account_id: accountId }))
    businesses.push(id)
    siteIds.push((await createSite(operator, id, domain)).id)
  }
  for (const lines of [linesOf(domains), lateLines(lateDomain, domains[1] ?? '')]) await take(operator, making, lines)
  const people: Person[] = []
  const scopes = { Account: [accountId], Business: businesses, Site: siteIds }
  for (const n of three) people.push(await makePerson(making, `person${n}-${word}`, scopes, likeness))
  await setOwner(operator, accountId, people[0]?.id ?? 0)
  const sites: HeldSite[] = []
  for (const [n, id] of siteIds.entries())
    sites.push({
      ...(await lookAt(making, id, domains[n] ?? '')),
      links: await makeLinks(making, id),
      annotations: await annotate(making, id),
    })
  await annotate(making, null)
  for (const id of siteIds) await markReviews(making, id)
  const records = { account: [accountId], user: people.map(({ id }) => id), business: businesses, site: siteIds }
  await nameRecords(
    making,
    records,
    sites.flatMap(({ rivals }) => rivals),
  )
  const schedules: Holding['schedules'][number][] = []
  for (const chosen of [null, siteIds.slice(0, 2), [siteIds[1]]]) schedules.push(await makeSchedule(making, chosen))
  await makeBrand(making)
  await leaveRemovals(making)
  const { id: lateId } = await store.db.selectFrom('sites').select('id').where('domain', '=', lateDomain).executeTakeFirstOrThrow()
  const intakes = await store.db.selectFrom('intakes').select('id').where('account_id', '=', accountId).orderBy('id').execute()
  for (const { id } of intakes) await keepRefused(store, id)
  const late = await lookAt(making, lateId, lateDomain)
  await leavePlain(
    making,
    siteIds,
    intakes.map(({ id }) => id),
  )
  return { partnerId, accountId, businesses, sites, people, schedules, intakes: intakes.map(({ id }) => id), late }
}

/** A part of the refused lines names a reviewer, and another nobody. */
async function keepRefused(store: App['store'], intake_id: number): Promise<void> {
  const parts = [reviewers[0] ?? '', 'nobody'].map((user, part) => {
    const lines = [{ line: 7, cells: [user], why: 'rating must be between 1 and 5' }]
    return { intake_id, part, data: Buffer.from(JSON.stringify({ header: ['user'], lines })) }
  })
  await store.write((tx) => tx.insertInto('intake_refused_lines').values(parts).execute())
}

async function take(operator: OperatorCaller, { partnerId, accountId }: Making, lines: Lines): Promise<void> {
  const taken = await importObservations(operator, { partnerId, accountId }, readNdjson(bytesOf(lines)), { createMissing: true })
  if (taken.refused > 0) throw new Error(JSON.stringify(taken.faults))
}

async function lookAt({ app: { store }, accountId }: Making, id: number, domain: string): Promise<Omit<HeldSite, 'links' | 'annotations'>> {
  const idsOf = async (table: 'keywords' | 'pages' | 'locations', column: string, of: number) => {
    const rows = store.db
      .selectFrom(table as 'keywords')
      .select('id')
      .where('account_id', '=', accountId)
      .where(column as 'id', '=', of)
    return (await rows.orderBy('id').execute()).map((row) => row.id)
  }
  const subjects = await store.db
    .selectFrom('subjects')
    .select(['id', 'domain'])
    .where('account_id', '=', accountId)
    .where('site_id', '=', id)
    .execute()
  const own = subjects.find((subject) => subject.domain === '')?.id ?? 0
  const rivals = subjects.filter((subject) => subject.id !== own).map((subject) => subject.id)
  const [location = 0] = await idsOf('locations', 'site_id', id)
  const measured = {
    own,
    rivals,
    subjects: [own, ...rivals],
    keywords: await idsOf('keywords', 'subject_id', own),
    pages: await idsOf('pages', 'subject_id', own),
  }
  const written = store.db.selectFrom('reviews').select('id').where('account_id', '=', accountId).where('source', '=', 'google')
  const byFirst = written.where('page_id', 'in', [0, ...measured.pages]).where('user', '=', reviewers[0] ?? '')
  const review = (await byFirst.executeTakeFirst())?.id ?? 0
  return { id, domain, location, ...measured, review }
}
