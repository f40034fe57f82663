/** Sources: found through the caller, made, put to rest, started, removed; and asked to run at once. */

import type { Kysely, Selectable } from 'kysely'
import { complete, type Draft } from '../../fields/read.ts'
import { type FieldError, notFound, refuse } from '../../lib/failures.ts'
import {
  changedSource,
  type DataSource,
  newSource,
  restingReasons,
  type SourceChange,
  type SourceSite,
  type WantedSource,
} from '../../resources/imports/source.ts'
import type { DataSourceRow } from '../../store/rows/partners.ts'
import type { Tables } from '../../store/rows/tables.ts'
import { audit } from '../core/audit.ts'
import { type ListPage, page } from '../core/paging.ts'
import { accountsWithin, type Managing } from '../core/tenancy.ts'
import { change } from '../core/transaction.ts'

type Db = Kysely<Tables>

export async function listSources(caller: Managing, after?: string, narrowed: { partner_id?: number } = {}): Promise<ListPage<DataSource>> {
  const all = summedWithin(caller)
  return page(narrowed.partner_id === undefined ? all : all.where('data_sources.partner_id', '=', narrowed.partner_id), after)
}

export async function findSource(caller: Managing, id: number, db?: Db): Promise<DataSource> {
  return (
    ((await summedWithin(caller, db).where('data_sources.id', '=', id).executeTakeFirst()) as DataSource | undefined) ?? notFound('source')
  )
}

/** A source of a partner finds the sites of every account, now and later; one that is asked for twice would fetch the same twice. */
export async function makeSource(caller: Managing, partnerId: number, draft: Draft<WantedSource>): Promise<DataSource> {
  refuseMember(caller)
  const { account_id } = draft.values
  const isWhole = account_id === undefined
  const isMissing = !isWhole && !(await reaches(caller, partnerId, account_id))
  const faults: FieldError[] = isMissing ? [{ field: 'account_id', code: 'does_not_exist' }] : []
  if (isWhole && caller.kind === 'partner' && caller.accountIds !== null) faults.push({ field: 'account_id', code: 'blank' })
  const { kind, rhythm = 'daily' } = complete(newSource, draft, faults)
  return change(caller, async (tx) => {
    const { store, clock } = caller.app
    await store.lock(tx, 'partners', partnerId)
    const same = tx.selectFrom('data_sources').select('id').where('partner_id', '=', partnerId).where('kind', '=', kind)
    const known = await same.where('account_id', isWhole ? 'is' : '=', account_id ?? null).executeTakeFirst()
    if (known !== undefined) refuse('conflict', `There is a source of this kind already, with the id ${known.id}`)
    const [created_at, updated_at] = [clock.now(), clock.now()]
    const row = { partner_id: partnerId, account_id: account_id ?? null, kind, rhythm, ...makerOf(caller), created_at, updated_at }
    const values = { ...row, state: 'active', reason: null } as const
    const { id } = await tx.insertInto('data_sources').values(values).returning('id').executeTakeFirstOrThrow()
    await audit(tx, caller, 'source.create', { id, account_id: account_id ?? null, partner_id: partnerId }, { after: row })
    return findSource(caller, id, tx)
  })
}

/** Whoever starts a source answers for it from then on. */
export async function changeSource(caller: Managing, id: number, draft: Draft<SourceChange>): Promise<DataSource> {
  refuseMember(caller)
  await findSource(caller, id)
  const { rhythm, state } = complete(changedSource, draft)
  return change(caller, async (tx) => {
    const before = await lockedSource(tx, caller, id)
    const reason = state === 'resting' ? restingReasons.asked : null
    const wanted = { ...(rhythm && { rhythm }), ...(state && { state, reason }), ...(state === 'active' && makerOf(caller)) }
    const isChanged = Object.entries(wanted).some(([name, value]) => before[name as keyof typeof before] !== value)
    if (isChanged) {
      const after = { ...wanted, updated_at: caller.app.clock.now() }
      await tx.updateTable('data_sources').set(after).where('id', '=', id).execute()
      await audit(tx, caller, 'source.update', subjectOf(before), { before, after })
    }
    return findSource(caller, id, tx)
  })
}

/** What was fetched stays. */
export async function removeSource(caller: Managing, id: number): Promise<DataSource> {
  refuseMember(caller)
  await findSource(caller, id)
  return change(caller, async (tx) => {
    const before = await lockedSource(tx, caller, id)
    const shown = await findSource(caller, id, tx)
    await tx.deleteFrom('data_source_sites').where('source_id', '=', id).execute()
    await tx.deleteFrom('data_sources').where('id', '=', id).execute()
    await audit(tx, caller, 'source.remove', subjectOf(before), { before })
    return shown
  })
}

/** All of its sites are due at once; those that are being fetched are not fetched again. */
export async function runSource(caller: Managing, id: number): Promise<DataSource> {
  await findSource(caller, id)
  return change(caller, async (tx) => {
    const source = await lockedSource(tx, caller, id)
    if (source.state === 'resting') refuse('conflict', `The source rests, so that it fetches nothing: ${source.reason ?? ''}`)
    const now = caller.app.clock.now()
    const sites = tx.updateTable('data_source_sites').set({ next_at: now }).where('source_id', '=', id)
    await sites.where('next_at', '>', now).execute()
    await audit(tx, caller, 'source.run', subjectOf(source))
    return findSource(caller, id, tx)
  })
}

/** The sites of a source, each with what came of its last run. */
export async function listSourceSites(caller: Managing, id: number, after?: string): Promise<ListPage<SourceSite>> {
  await findSource(caller, id)
  const now = caller.app.clock.now()
  const rows = caller.app.store.db
    .selectFrom('data_source_sites')
    .innerJoin('sites', 'sites.id', 'data_source_sites.site_id')
    .select(['data_source_sites.id', 'site_id', 'data_source_sites.account_id', 'sites.domain', 'held_until', 'ran_at', 'came_at'])
    .select(['next_at', 'failing_since', 'reason', 'intake_id', 'found'])
    .where('source_id', '=', id)
    .where((row) =>
      row.exists(accountsWithin(caller).select('accounts.id').whereRef('accounts.id', '=', row.ref('data_source_sites.account_id'))),
    )
  const { items, next } = await page<Parameters<typeof shownSite>[0]>(caller.app.store.db.selectFrom(rows.as('rows')).selectAll(), after)
  return { items: items.map((item) => shownSite(item, now)), next }
}

interface SiteOfSource extends Omit<SourceSite, 'is_running' | 'figures'> {
  readonly held_until: string | null
  readonly found: string | null
}

function shownSite({ held_until, found, ...site }: SiteOfSource, now: string): SourceSite {
  const figures = Object.entries(JSON.parse(found ?? '{}') as Record<string, number>)
  return { ...site, is_running: held_until !== null && held_until > now, figures: figures.map(([name, value]) => ({ name, value })) }
}

function summedWithin(caller: Managing, db: Db = caller.app.store.db) {
  return sourcesWithin(caller, db)
    .select(['data_sources.id', 'account_id', 'kind', 'rhythm', 'state', 'reason', 'created_at', 'updated_at'])
    .select((row) => {
      const sites = row.selectFrom('data_source_sites').whereRef('source_id', '=', 'data_sources.id')
      return [
        sites.select(({ fn }) => fn.countAll<number>().as('count')).as('sites'),
        sites
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('failures', '>', 0)
          .as('failing'),
        sites.select(({ fn }) => fn.max('ran_at').as('last')).as('last_run_at'),
        sites.select(({ fn }) => fn.min('next_at').as('next')).as('next_run_at'),
      ]
    })
}

/** A source of the whole partner is seen by whoever reaches all of its accounts. */
function sourcesWithin(caller: Managing, db: Db) {
  const all = db.selectFrom('data_sources')
  const ours = caller.kind === 'operator' ? all : all.where('data_sources.partner_id', '=', caller.partnerId)
  const seesWhole = caller.kind === 'operator' || (caller.kind === 'partner' ? caller.accountIds === null : caller.customers === 'all')
  return ours.where((row) => {
    const ofAccount = row.exists(
      accountsWithin(caller, db).select('accounts.id').whereRef('accounts.id', '=', row.ref('data_sources.account_id')),
    )
    return seesWhole ? row.or([row('data_sources.account_id', 'is', null), ofAccount]) : ofAccount
  })
}

async function lockedSource(tx: Db, caller: Managing, id: number): Promise<Selectable<DataSourceRow>> {
  await caller.app.store.lock(tx, 'data_sources', id)
  return (await sourcesWithin(caller, tx).selectAll().where('data_sources.id', '=', id).executeTakeFirst()) ?? notFound('source')
}

async function reaches(caller: Managing, partnerId: number, accountId: number): Promise<boolean> {
  const accounts = accountsWithin(caller).select('accounts.id').where('accounts.partner_id', '=', partnerId)
  return (await accounts.where('accounts.id', '=', accountId).executeTakeFirst()) !== undefined
}

function makerOf(caller: Managing): Pick<DataSourceRow, 'made_by_key' | 'made_by_user'> {
  return {
    made_by_key: caller.kind === 'partner' ? caller.keyId : null,
    made_by_user: caller.kind === 'staff' ? caller.userId : null,
  }
}

function subjectOf({ id, account_id, partner_id }: Selectable<DataSourceRow>) {
  return { id, account_id, partner_id }
}

function refuseMember(caller: Managing): void {
  if (caller.kind === 'staff' && caller.role !== 'admin') refuse('forbidden', 'Only admins make and change sources')
}
