/** Stores the addresses of ranked pages that are new to their subject, each with a code. */

import type { Kysely } from 'kysely'
import type { Tables } from '../../../store/rows/tables.ts'
import { lockMeasuredVersions } from '../../core/report-version.ts'
import { padded, requireExisting } from '../batches.ts'
import type { SubjectRef } from '../refs.ts'
import type { SpooledUrl } from '../spools.ts'
import type { Applying } from './applying.ts'

const urlsPerWrite = 1000

/** Assigns codes to the addresses, by index; 0 stands for none. */
export async function codeRankedUrls({ caller, reach, spools, write, samples }: Applying): Promise<Uint32Array> {
  const codes = new Uint32Array(reach.rankedUrls.count + 1)
  let place = 0
  for (const block of spools.rankedUrls.blocks(urlsPerWrite)) {
    const places = new Map(block.map((one) => [one, ++place]))
    for (const [index, some] of Map.groupBy(block, ({ subject }) => subject)) {
      const subject = reach.subjects[index] as SubjectRef
      const known = await write(async (tx) => {
        await lockMeasuredVersions(caller.app.store, tx, [subject.site.account_id])
        if (samples === undefined) await requireExisting(tx, 'subjects', subject.site.account_id, [subject.id])
        return codesIn(tx, subject, some)
      })
      for (const one of some) codes[places.get(one) as number] = known.get(one.key_hash) as number
    }
  }
  return codes
}

async function codesIn(
  tx: Kysely<Tables>,
  { id: subject_id, site }: SubjectRef,
  wanted: readonly SpooledUrl[],
): Promise<Map<string, number>> {
  const { account_id } = site
  const ofSubject = tx.selectFrom('ranked_urls').where('account_id', '=', account_id).where('subject_id', '=', subject_id)
  const hashes = padded(wanted.map(({ key_hash }) => key_hash))
  const rows = await ofSubject.select(['key_hash', 'code']).where('key_hash', 'in', hashes).execute()
  const codes = new Map(rows.map(({ key_hash, code }) => [key_hash, code]))
  const fresh = wanted.filter(({ key_hash }) => !codes.has(key_hash))
  if (fresh.length === 0) return codes
  const last = await ofSubject.select((row) => row.fn.max('code').as('code')).executeTakeFirst()
  const added = fresh.map(({ url, key_hash }, index) => ({
    account_id,
    subject_id,
    code: Number(last?.code ?? 0) + 1 + index,
    url,
    key_hash,
  }))
  await tx.insertInto('ranked_urls').values(added).execute()
  for (const { key_hash, code } of added) codes.set(key_hash, code)
  return codes
}
