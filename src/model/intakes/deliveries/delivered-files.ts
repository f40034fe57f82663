/** The files that came together at the desk, as they are kept until whoever sent them stores them or throws them away. */

import type { Selectable } from 'kysely'
import { asciiJson } from '../../../lib/ascii-json.ts'
import { notFound } from '../../../lib/failures.ts'
import type { DeliveryRow } from '../../../store/rows/intakes.ts'
import type { App } from '../../core/app.ts'
import type { StaffCaller } from '../../core/caller.ts'
import type { MappingWords } from '../../imports/csv/mappings.ts'
import type { StoredFile } from '../upload-files.ts'
import type { SortedFile } from './sorting.ts'

export interface DeliveredFile extends Omit<SortedFile, 'at'> {
  /** What is said of how it is read. */
  readonly words: MappingWords
  readonly isLeftOut: boolean
  /** The intake by which it is stored. */
  readonly intake: number | null
  /** The intake by which it was tried out. */
  readonly trial: number | null
}

/** How all files of a delivery are stored. */
export interface DeliveryOptions {
  readonly createMissing: boolean
  readonly lastWins: boolean
  readonly skipsRefused: boolean
}

export interface Delivery {
  readonly id: number
  readonly version: number
  readonly created_at: string
  readonly expires_at: string
  readonly options: DeliveryOptions
  readonly files: readonly DeliveredFile[]
}

/** Only who sent them sees them. */
export function deliveriesOf({ app, partnerId, userId }: StaffCaller, db = app.store.db) {
  return db
    .selectFrom('deliveries')
    .where('partner_id', '=', partnerId)
    .where('user_id', '=', userId)
    .where('expires_at', '>', app.clock.now())
}

export async function findDelivery(caller: StaffCaller, id: number, db = caller.app.store.db): Promise<Delivery> {
  const row = await deliveriesOf(caller, db).selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined ? notFound('page') : deliveryOf(row)
}

/** Those of which something is neither stored nor left out, the newest first. */
export async function listDeliveries(caller: StaffCaller): Promise<Delivery[]> {
  const rows = await deliveriesOf(caller).selectAll().orderBy('id', 'desc').execute()
  return rows.map(deliveryOf).filter(({ files }) => files.some((one) => isOpen(one) && !one.isLeftOut))
}

/** Whether it may still be stored. */
export function isOpen(one: DeliveredFile): one is DeliveredFile & { readonly file: StoredFile } {
  return one.file !== null && one.intake === null
}

export function packedFiles(files: readonly DeliveredFile[]): string {
  return asciiJson(files)
}

/** The names of all files that are kept, for whoever deletes those that nobody needs; one delivery at a time, as one may hold thousands of files. */
export async function deliveredFiles({ store }: App): Promise<string[]> {
  const names: string[] = []
  const following = (after: number) =>
    store.db.selectFrom('deliveries').select(['id', 'files']).where('id', '>', after).orderBy('id').limit(1)
  for (let row = await following(0).executeTakeFirst(); row !== undefined; row = await following(row.id).executeTakeFirst())
    names.push(...(JSON.parse(row.files) as DeliveredFile[]).filter(isOpen).map(({ file }) => file.name))
  return names
}

function deliveryOf({ id, version, created_at, expires_at, options, files }: Selectable<DeliveryRow>): Delivery {
  return { id, version, created_at, expires_at, options: JSON.parse(options), files: JSON.parse(files) }
}
