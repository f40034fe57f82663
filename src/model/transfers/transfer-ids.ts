/** Maps ids of another installation to those here; stored with each record, so that an import can be run again. */

import type { Kysely } from 'kysely'
import type { BrandPictureRow } from '../../store/rows/people.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { SiteToCome } from '../imports/refs.ts'
import { ownerTables, type TransferOwner } from './kinds.ts'

/** A dry run assigns no ids; unused numbers, from the largest downwards, stand for them. */
const leastStandIn = Number.MAX_SAFE_INTEGER - 2 ** 40

const kindOf = { account: 'copied account', business: 'copied business', site: 'copied site', user: 'copied user' } as const

export class TransferIds {
  readonly #partnerId: number
  readonly #installation: string
  readonly #known = {
    account: new Map<number, number>(),
    business: new Map<number, number>(),
    site: new Map<number, number>(),
    user: new Map<number, number>(),
  }
  /** Pictures whose brand has not been read yet. */
  readonly pictures = new Map<string, Pick<BrandPictureRow, 'type' | 'bytes'>>()

  /** Sites that the import has created, and in a dry run those that it would create. */
  readonly sitesToCome: SiteToCome[] = []
  #standIn = Number.MAX_SAFE_INTEGER

  constructor(partnerId: number, installation: string) {
    this.#partnerId = partnerId
    this.#installation = installation
  }

  of(kind: TransferOwner, old: number): number | undefined {
    return this.#known[kind].get(old)
  }

  know(kind: TransferOwner, old: number, id: number): void {
    this.#known[kind].set(old, id)
  }

  /** Loads the records of an earlier run, if they still exist. */
  async load(db: Kysely<Tables>): Promise<this> {
    for (const kind of Object.keys(ownerTables) as TransferOwner[]) {
      const rows = await db
        .selectFrom('old_ids')
        .select(['old_id', 'new_id'])
        .where('partner_id', '=', this.#partnerId)
        .where('kind', '=', kindOf[kind])
        .where('new_id', 'in', db.selectFrom(ownerTables[kind]).select('id'))
        .execute()
      const mine = `${this.#installation}/`
      for (const { old_id, new_id } of rows) if (old_id.startsWith(mine)) this.know(kind, Number(old_id.slice(mine.length)), new_id)
    }
    return this
  }

  isStandIn(id: number): boolean {
    return id > leastStandIn
  }

  /** The old and the new id of each record, one `kind,old,new` a line. */
  *pairs(): Generator<string> {
    for (const [kind, known] of Object.entries(this.#known)) for (const [old, id] of known) yield `${kind},${old},${id}\n`
  }

  /** Must be called in the transaction that stores the record; in a dry run there is no new id. */
  async remember(tx: Kysely<Tables>, kind: TransferOwner, old: number, drawn: number | undefined): Promise<void> {
    const id = drawn ?? this.#standIn--
    const row = { partner_id: this.#partnerId, kind: kindOf[kind], old_id: `${this.#installation}/${old}`, new_id: id }
    await tx
      .insertInto('old_ids')
      .values(row)
      .onConflict((taken) => taken.columns(['partner_id', 'kind', 'old_id']).doUpdateSet({ new_id: id }))
      .execute()
    this.know(kind, old, id)
  }
}
