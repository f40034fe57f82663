/** Which intakes that are not undone refer to records: each may become the one that made them. */

import type { Kysely } from 'kysely'
import type { Tables } from '../../../store/rows/tables.ts'
import { allSeries } from '../../../store/series.ts'
import { unpackStep } from '../../core/packed-steps.ts'
import { nobodysIntake, type OwnerTouch, type RowTouch, rangeOf } from '../../core/steps.ts'
import type { OwnerKind } from '../../imports/journal/journal.ts'
import { type Asked, eachLater, type LaterStep } from './later-steps.ts'

const always = [0, 2 ** 33] as const

/** The intake of each record that is referred to by another one than this, since the record came into being. */
export async function usersOf(
  tx: Kysely<Tables>,
  accountId: number,
  kind: OwnerKind,
  ids: readonly number[],
  { intakeId, since, takesPeople }: { readonly intakeId: number; readonly since: number; readonly takesPeople: boolean },
): Promise<Map<number, number>> {
  const users = new Map<number, number>()
  const open = new Set(ids)
  const closing = (namedIn: (later: LaterStep) => Iterable<number>) => async (later: LaterStep) => {
    if (takesPeople && later.intake_id === nobodysIntake) return true
    if (later.intake_id !== intakeId) for (const id of namedIn(later)) if (open.delete(id)) users.set(id, later.intake_id)
    return open.size > 0
  }
  if (ids.length === 0) return users
  const asked = { accountId, after: since, owners: rangeOf(ids).owners, times: always }
  if (kind !== 'keyword') await eachLater(tx, { ...asked, kind: `${kind} ids` }, closing(idsIn))
  else await eachUseOfKeywords(tx, asked, closing)
  return users
}

function idsIn({ data }: LaterStep): number[] {
  const { made, used } = JSON.parse(Buffer.from(data).toString()) as OwnerTouch
  return [...made, ...used]
}

/** Nothing says by itself that a file named a keyword: its measurements do. */
async function eachUseOfKeywords(
  tx: Kysely<Tables>,
  asked: Omit<Asked, 'kind'>,
  closing: (namedIn: (later: LaterStep) => Iterable<number>) => (later: LaterStep) => Promise<boolean>,
): Promise<void> {
  await eachLater(tx, { ...asked, kind: 'keyword ids' }, closing(idsIn))
  for (const { name, owner, layout } of allSeries)
    if (owner === 'keyword_id')
      await eachLater(
        tx,
        { ...asked, kind: name },
        closing(({ data }) => ownersIn(unpackStep(data, layout))),
      )
  for (const kind of ['period', 'keyword'])
    await eachLater(
      tx,
      { ...asked, kind },
      closing(({ data }) => touchesIn(data).map(({ owner }) => owner)),
    )
}

function ownersIn({ before, claimed }: ReturnType<typeof unpackStep>): number[] {
  return [...before.keys(), ...claimed.keys()]
}

function touchesIn(data: Uint8Array): RowTouch[] {
  return JSON.parse(Buffer.from(data).toString()) as RowTouch[]
}
