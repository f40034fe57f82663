/** Stores the files of a delivery, all at once, or tries one of them out. */

import type { Kysely } from 'kysely'
import { notFound, refuse } from '../../../lib/failures.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import type { StaffCaller } from '../../core/caller.ts'
import { accountsWithin, sitesWithin } from '../../core/tenancy.ts'
import { change } from '../../core/transaction.ts'
import { shownNames } from '../file-names.ts'
import { recordUploads, refuseWhenTooMany, type UploadOptions } from '../uploads.ts'
import { type DeliveredFile, type DeliveryOptions, isOpen } from './delivered-files.ts'
import { changeDelivery } from './keep-delivery.ts'
import { mostDelivered, type SortedFile } from './sorting.ts'
import type { Whose } from './whose.ts'

/** What is said of a file on the page. */
export type Said = Pick<DeliveredFile, 'whose' | 'words' | 'isLeftOut'>

/** Nobody waits for others for longer than it takes to store so many files. */
const mostWaiting = 2 * mostDelivered

/** A single file of which nothing is to be said. */
export async function storeDropped(caller: StaffCaller, sorted: SortedFile, how: DeliveryOptions, whose: Whose): Promise<number> {
  const [name = ''] = await shownNames(caller.app, [sorted.name])
  const file = { ...sorted, name, whose, words: {}, isLeftOut: false, intake: null, trial: null }
  return change(caller, async (tx) => {
    await refuseWhenTooMany(caller, tx)
    const [id] = await record(tx, caller, null, [file], { ...how, isDryRun: false })
    return id as number
  })
}

/** What is said of each, in their order. */
export function sayOfDelivery(
  caller: StaffCaller,
  id: number,
  version: number,
  said: readonly Said[],
  options: DeliveryOptions,
): Promise<void> {
  return changeDelivery(caller, id, version, ({ files }) => ({ options, files: withSaid(files, said) }))
}

/** Those that are not left out; whose each is must be said. */
export function storeDelivery(
  caller: StaffCaller,
  id: number,
  version: number,
  said: readonly Said[],
  options: DeliveryOptions,
  /** Of these the one alone. */
  only?: number,
): Promise<void> {
  return changeDelivery(caller, id, version, async ({ files }, tx) => {
    await refuseLongQueue(tx, caller)
    const all = withSaid(files, said)
    const chosen = all.filter((one, place) => isOpen(one) && !one.isLeftOut && (only === undefined || only === place))
    const ids = await record(tx, caller, id, chosen, { ...options, isDryRun: false })
    return { options, files: all.map((one) => (chosen.includes(one) ? { ...one, intake: ids[chosen.indexOf(one)] ?? null } : one)) }
  })
}

/** Reads one file as it would be stored, and stores nothing: its intake tells what would become of it. */
export function tryFile(caller: StaffCaller, id: number, version: number, place: number): Promise<void> {
  return changeDelivery(caller, id, version, async ({ files, options }, tx) => {
    await refuseLongQueue(tx, caller)
    const chosen = files.filter((one, at) => at === place && isOpen(one))
    const [trial = null] = await record(tx, caller, id, chosen, { ...options, isDryRun: true, isLent: true })
    return { files: files.map((one, at) => (at === place ? { ...one, trial } : one)) }
  })
}

function withSaid(files: readonly DeliveredFile[], said: readonly Said[]): DeliveredFile[] {
  return files.map((one, place) => (isOpen(one) ? { ...one, ...said[place] } : one))
}

async function refuseLongQueue(tx: Kysely<Tables>, { partnerId }: StaffCaller): Promise<void> {
  const waiting = tx.selectFrom('intake_tasks').select('intake_id').where('partner_id', '=', partnerId).where('delivery_id', 'is not', null)
  if ((await waiting.limit(mostWaiting).execute()).length >= mostWaiting)
    refuse('too_many_requests', `${mostWaiting} files of yours are waiting to be stored already; try again later`)
}

type How = DeliveryOptions & Pick<UploadOptions, 'isDryRun' | 'isLent'>

async function record(
  tx: Kysely<Tables>,
  caller: StaffCaller,
  deliveryId: number | null,
  files: readonly DeliveredFile[],
  how: How,
): Promise<number[]> {
  await refuseOutOfReach(tx, caller, files)
  const uploads = files.filter(isOpen).map(({ name, file, whose, words, looked }) => ({
    file,
    fileName: name,
    recognised: looked.presets.length === 0 || Object.keys(words).length > 0 ? undefined : looked.presets.join(),
    options: optionsOf(caller, whose, words, how),
  }))
  return uploads.length === 0 ? [] : recordUploads(tx, caller, uploads, deliveryId)
}

/** Asked again, because a colleague may have taken a customer over since it was said. */
async function refuseOutOfReach(tx: Kysely<Tables>, caller: StaffCaller, files: readonly DeliveredFile[]): Promise<void> {
  const accounts = new Set(files.flatMap(({ whose }) => whose?.account ?? []))
  const sites = new Set(files.flatMap(({ whose }) => whose?.site ?? []))
  if (caller.customers === 'assigned' && files.some(({ whose }) => whose?.account == null)) notFound('account')
  const reached = await accountsWithin(caller, tx)
    .select('id')
    .where('id', 'in', [0, ...accounts])
    .execute()
  const own = await sitesWithin(caller, tx)
    .select(['id', 'account_id'])
    .where('id', 'in', [0, ...sites])
    .execute()
  if (reached.length < accounts.size) notFound('account')
  const accountOf = new Map(own.map(({ id, account_id }) => [id, account_id]))
  if (files.some(({ whose }) => whose?.site != null && accountOf.get(whose.site) !== whose.account)) notFound('site')
}

function optionsOf({ app, partnerId }: StaffCaller, whose: Whose | null, words: Said['words'], how: How): UploadOptions {
  const { encoding, ...mapping } = words
  return {
    ...how,
    target: {
      partnerId,
      ...(whose?.account != null && { accountId: whose.account }),
      ...(whose?.site != null && { siteId: whose.site }),
    },
    words: mapping,
    ...(encoding && { encoding, isRemembered: true }),
    counts: 'ask',
    report: { asOf: app.clock.now().slice(0, 10), keepHyphens: false, map: '' },
  }
}
