/** Annotations: notes on days in a site's charts, written by the owner of the account, an editor, staff, the partner or the operator. */

import type { Kysely } from 'kysely'
import { invalid, notFound } from '../../lib/failures.ts'
import { isDay } from '../../lib/time/days.ts'
import type { SiteAnnotation } from '../../resources/annotation.ts'
import type { Tables } from '../../store/rows/tables.ts'
import { audit } from '../core/audit.ts'
import type { Caller, ReaderCaller } from '../core/caller.ts'
import { sitesWithin } from '../core/tenancy.ts'
import { change } from '../core/transaction.ts'
import { mayEdit, openSite, rememberSite } from '../people/visible-sites.ts'
import type { DaySpan } from './positions.ts'

export interface Annotation {
  readonly id: number
  readonly day: string
  readonly text: string
}

export interface NewAnnotation {
  readonly day: string
  readonly text: string
}

const columns = ['id', 'day', 'text'] as const
const longestText = 200
/** As many as can be distinguished on a chart of three years. */
const mostOfSite = 500

export async function addAnnotation(caller: Caller, siteId: number, wanted: NewAnnotation): Promise<SiteAnnotation> {
  const missing = () =>
    caller.kind === 'partner'
      ? invalid([{ field: 'site_id', code: 'does_not_exist' }])
      : notFound(caller.kind === 'person' ? 'page' : 'site')
  const account_id = await accountOf(caller, siteId, missing)
  const { day, text } = checked(wanted)
  return change(caller, async (tx) => {
    // The site may be deleted at the same moment.
    await caller.app.store.lock(tx, 'sites', siteId)
    const sites = tx.selectFrom('sites').select('id').where('account_id', '=', account_id)
    if (!(await sites.where('id', '=', siteId).executeTakeFirst())) missing()
    if ((await ofSite(tx, account_id, siteId).select('id').execute()).length >= mostOfSite)
      invalid([{ field: 'annotations', code: 'too_many', limit: mostOfSite }])
    const created_by = 'userId' in caller ? caller.userId : null
    const row = { account_id, site_id: siteId, day, text, created_at: caller.app.clock.now(), created_by }
    const { id } = await tx.insertInto('annotations').values(row).returning('id').executeTakeFirstOrThrow()
    const after = { id, site_id: siteId, day, text, created_at: row.created_at }
    await audit(tx, caller, 'annotation.create', { id: siteId, account_id }, { after })
    return after
  })
}

export async function removeAnnotation(caller: Caller, siteId: number, id: number): Promise<SiteAnnotation> {
  const account_id = await accountOf(caller, siteId)
  return change(caller, async (tx) => {
    const before = await ofSite(tx, account_id, siteId)
      .select([...columns, 'created_at'])
      .where('id', '=', id)
      .executeTakeFirst()
    if (!before) return notFound(caller.kind === 'person' ? 'page' : 'annotation')
    await tx.deleteFrom('annotations').where('id', '=', id).execute()
    await audit(tx, caller, 'annotation.remove', { id: siteId, account_id }, { before })
    return { ...before, site_id: siteId }
  })
}

/** The annotations of a site the reader has opened, by day. */
export function listAnnotations(
  reader: ReaderCaller,
  site: { id: number; account_id: number },
  { from, to }: DaySpan,
): Promise<Annotation[]> {
  return ofSite(reader.app.store.db, site.account_id, site.id)
    .select(columns)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .orderBy('day')
    .orderBy('id')
    .execute()
}

function ofSite(db: Kysely<Tables>, accountId: number, siteId: number) {
  return db.selectFrom('annotations').where('account_id', '=', accountId).where('site_id', '=', siteId)
}

/** For anyone but the owner, staff and editors, the page does not exist. */
async function accountOf(caller: Caller, siteId: number, missing: () => never = () => notFound('site')): Promise<number> {
  if (caller.kind !== 'person') {
    const site = await sitesWithin(caller).select('account_id').where('id', '=', siteId).executeTakeFirst()
    return site?.account_id ?? missing()
  }
  const site = await openSite(caller, siteId)
  await rememberSite(caller, siteId)
  return mayEdit(caller, site) ? site.account_id : notFound('page')
}

function checked({ day, text }: NewAnnotation): NewAnnotation {
  const said = text.trim().replaceAll(/\s+/g, ' ')
  if (!isDay(day)) invalid([{ field: 'day', code: 'invalid' }])
  if (said === '') invalid([{ field: 'text', code: 'blank' }])
  if ([...said].length > longestText) invalid([{ field: 'text', code: 'too_long', limit: longestText }])
  return { day, text: said }
}
