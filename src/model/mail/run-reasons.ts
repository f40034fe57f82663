/** What is wrong with the report of a period when it falls due: found in a few statements, for many schedules of one rhythm. */

import type { Kysely, Selectable } from 'kysely'
import { daysLater } from '../../lib/time/days.ts'
import { inBatches } from '../../lib/work/batches.ts'
import type { ReportScheduleRow } from '../../store/rows/mail.ts'
import type { Tables } from '../../store/rows/tables.ts'
import { readMeasuredVersions } from '../core/report-version.ts'
import type { MailedPeriod } from './periods.ts'

type Db = Kysely<Tables>

export type RunReason =
  /** Nothing has been measured of the customer at all. */
  | { readonly kind: 'never' }
  /** At the end of the period, some sites had not been measured since a day; `site` is named where it is one alone. */
  | { readonly kind: 'stale'; readonly since: string; readonly sites: number; readonly site: string }
  /** Files of the customer that came in since the period began: lines were left out of them, or nothing of them was stored. */
  | { readonly kind: 'file'; readonly files: number; readonly name: string | null; readonly on: string; readonly isRefused: boolean }

const schedulesPerStatement = 500
const sitesPerStatement = 1_000

/** A period may end some days after the last measurement, since not everything is measured daily. */
const silentDays = { weekly: 3, monthly: 7 } as const

export type Judged = Pick<Selectable<ReportScheduleRow>, 'id' | 'account_id' | 'site_ids' | 'rhythm'>

/** By schedule; those with which nothing is wrong are not in it. All are of one rhythm, and of that period. */
export async function findReasons(db: Db, schedules: readonly Judged[], period: MailedPeriod): Promise<Map<number, RunReason[]>> {
  const found = await inBatches(schedules, schedulesPerStatement, (some) => reasonsAmong(db, some, period))
  return new Map(found)
}

async function reasonsAmong(db: Db, schedules: readonly Judged[], period: MailedPeriod): Promise<[number, RunReason[]][]> {
  const accountIds = [...new Set(schedules.map(({ account_id }) => account_id))]
  const measured = await readMeasuredVersions(db, new Set(accountIds))
  const stale = await staleSites(db, schedules, period)
  const files = await faultyFiles(db, accountIds, period)
  const found = schedules.map(({ id, account_id }): [number, RunReason[]] => {
    const silence = measured.get(account_id) ? stale.get(id) : ({ kind: 'never' } as const)
    return [id, [silence, files.get(account_id)].filter((reason) => reason !== undefined)]
  })
  return found.filter(([, reasons]) => reasons.length > 0)
}

async function staleSites(db: Db, schedules: readonly Judged[], { to }: MailedPeriod): Promise<Map<number, RunReason>> {
  const [whole, some] = [schedules.filter(({ site_ids }) => site_ids === null), schedules.filter(({ site_ids }) => site_ids !== null)]
  const stale = db
    .selectFrom('site_figures')
    .innerJoin('sites', 'sites.id', 'site_figures.site_id')
    .innerJoin('businesses', 'businesses.id', 'sites.business_id')
    .where('businesses.aasm_state', '=', 'active')
    .where('measured_on', '<', daysLater(to, 1 - silentDays[schedules[0]?.rhythm ?? 'monthly']))
  const byAccount = await stale
    .select(['sites.account_id'])
    .select(({ fn }) => [fn.countAll<number>().as('sites'), fn.min('measured_on').as('since'), fn.min('sites.domain').as('site')])
    .where('sites.account_id', 'in', [0, ...whole.map(({ account_id }) => account_id)])
    .groupBy('sites.account_id')
    .execute()
  const ofAccount = new Map(byAccount.map(({ account_id, ...reason }) => [account_id, reason]))
  const chosen = new Map(some.map(({ id, site_ids }) => [id, JSON.parse(site_ids ?? '[]') as number[]]))
  const named = stale.select(['sites.id', 'measured_on', 'sites.domain'])
  const bySite = await inBatches([...new Set([...chosen.values()].flat())], sitesPerStatement, (ids) =>
    named.where('sites.id', 'in', ids).execute(),
  )
  const reasons = schedules.map(({ id, account_id, site_ids }): [number, RunReason | undefined] => {
    if (site_ids === null) return [id, staleReason(ofAccount.get(account_id))]
    const mine = new Set(chosen.get(id))
    const found = mine.size === 0 ? [] : bySite.filter((site) => mine.has(site.id))
    const since = found.map(({ measured_on }) => measured_on ?? '').toSorted()[0]
    return [id, staleReason({ sites: found.length, since, site: found[0]?.domain })]
  })
  return new Map(reasons.flatMap(([id, reason]) => (reason === undefined ? [] : [[id, reason]])))
}

interface Stale {
  readonly sites: number
  readonly since: string | null | undefined
  readonly site: string | undefined
}

function staleReason(stale: Stale | undefined): RunReason | undefined {
  if (stale === undefined || !stale.since) return undefined
  const { sites, since, site = '' } = stale
  return { kind: 'stale', since, sites: Number(sites), site: Number(sites) === 1 ? site : '' }
}

/** A file of which nothing was stored is no fault any more once another one of the same customer was. */
async function faultyFiles(db: Db, accountIds: readonly number[], { from }: MailedPeriod): Promise<Map<number, RunReason>> {
  const faulty = db
    .selectFrom('intakes')
    .where('intakes.account_id', 'in', accountIds)
    .where('intakes.created_at', '>=', from)
    .where('intakes.via', 'in', ['import', 'upload'])
    .where('intakes.undone_at', 'is', null)
    .where((intake) =>
      intake.or([
        intake.and([intake('intakes.state', '=', 'stored'), intake('intakes.refused', '>', 0)]),
        intake.and([
          intake('intakes.state', '=', 'refused'),
          intake.not(
            intake.exists(
              intake
                .selectFrom('intakes as later')
                .select('later.id')
                .whereRef('later.account_id', '=', 'intakes.account_id')
                .whereRef('later.id', '>', 'intakes.id')
                .where('later.state', '=', 'stored'),
            ),
          ),
        ]),
      ]),
    )
  const counts = await faulty
    .select(({ fn }) => [fn.countAll<number>().as('files'), fn.max('intakes.id').as('last')])
    .groupBy('intakes.account_id')
    .execute()
  const last = counts.map(({ last }) => last)
  const named = await db
    .selectFrom('intakes')
    .select(['id', 'account_id', 'file_name', 'created_at', 'state'])
    .where('id', 'in', [0, ...last])
    .execute()
  const files = new Map(counts.map(({ last, files }) => [last, Number(files)]))
  return new Map(
    named.map(({ id, account_id, file_name, created_at, state }) => [
      account_id ?? 0,
      { kind: 'file', files: files.get(id) ?? 1, name: file_name, on: created_at.slice(0, 10), isRefused: state === 'refused' },
    ]),
  )
}
