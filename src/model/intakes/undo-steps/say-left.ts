/** Says what an undo takes back and what it leaves alone in the words of whoever sent it: site, phrase, engine and day, and why it stays. */

import type { Kysely } from 'kysely'
import type { GoingRecord, LeftAlone } from '../../../resources/intake.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import { trackedIn } from '../../../store/series.ts'
import { forgottenIntake, nobodysIntake } from '../../core/steps.ts'
import { padded } from '../../imports/batches.ts'
import type { LeftRecord, RecordKind, Why } from './step-outcome.ts'
import type { RecordGoing } from './trial.ts'

type Named = ReadonlyMap<number, string>

export async function sayLeft(db: Kysely<Tables>, accountId: number, all: readonly LeftRecord[]): Promise<LeftAlone[]> {
  const whats = await sayWhich(db, accountId, all)
  return all.map(({ kind, why }, at) => ({ kind, what: whats[at] as string, why: reasonOf(why) }))
}

export async function sayGoing(db: Kysely<Tables>, accountId: number, all: readonly RecordGoing[]): Promise<GoingRecord[]> {
  const whats = await sayWhich(db, accountId, all)
  return all.map(({ kind, becomes }, at) => ({ kind, what: whats[at] as string, becomes }))
}

/** As many as are listed; each kind of owner is read once. */
async function sayWhich(db: Kysely<Tables>, accountId: number, all: readonly Omit<LeftRecord, 'why'>[]): Promise<string[]> {
  if (all.length === 0) return []
  const names = new Map<RecordKind, Named>()
  for (const [of, some] of Map.groupBy(all, (one) => one.of)) names.set(of, await namesOf(db, accountId, of, idsOf(some)))
  const sources = await sourcesOf(db, accountId, all)
  return all.map(({ of, id, source, more }) => {
    const told = [names.get(of)?.get(id) ?? `${of} ${id}`, source === undefined ? '' : sources.get(source), more]
    return told.filter((word) => word !== undefined && word !== '').join(', ')
  })
}

function reasonOf(why: Why): string {
  switch (why) {
    case nobodysIntake:
      return 'a person or a program set it later'
    case forgottenIntake:
      return 'an intake that is no longer kept delivered it later'
    default:
      return typeof why === 'number' ? `intake ${why} delivered it later` : why
  }
}

function idsOf(some: readonly Pick<LeftRecord, 'id'>[]): number[] {
  return [...new Set(some.map(({ id }) => id))]
}

async function namesOf(db: Kysely<Tables>, accountId: number, of: RecordKind, ids: readonly number[]): Promise<Named> {
  switch (of) {
    case 'business':
    case 'site':
      return directoryNames(db, accountId, of, ids)
    case 'subject':
      return subjectNames(db, accountId, ids)
    case 'keyword': {
      const keywords = db.selectFrom('keywords').select(['id', 'subject_id', 'phrase as name']).where('account_id', '=', accountId)
      return withSubjects(db, accountId, await keywords.where('id', 'in', padded(ids)).execute())
    }
    case 'page': {
      const pages = db.selectFrom('pages').select(['id', 'subject_id', 'page_url as name']).where('account_id', '=', accountId)
      return withSubjects(db, accountId, await pages.where('id', 'in', padded(ids)).execute())
    }
  }
}

async function directoryNames(db: Kysely<Tables>, accountId: number, of: 'business' | 'site', ids: readonly number[]): Promise<Named> {
  const table = of === 'site' ? 'sites' : 'businesses'
  const rows = db.selectFrom(table as 'sites').select(['id', `${of === 'site' ? 'domain' : 'name'} as name` as 'domain as name'])
  const some = rows.where('account_id', '=', accountId).where('id', 'in', padded(ids))
  return new Map((await some.execute()).map(({ id, name }) => [id, name]))
}

async function subjectNames(db: Kysely<Tables>, accountId: number, ids: readonly number[]): Promise<Named> {
  const subjects = db.selectFrom('subjects').select(['id', 'site_id', 'domain']).where('account_id', '=', accountId)
  const found = await subjects.where('id', 'in', padded(ids)).execute()
  if (found.length === 0) return new Map()
  const sites = await directoryNames(db, accountId, 'site', [...new Set(found.map(({ site_id }) => site_id))])
  return new Map(
    found.map(({ id, site_id, domain }) => {
      const site = sites.get(site_id) ?? `site ${site_id}`
      return [id, domain === '' ? site : `${domain} (competitor of ${site})`]
    }),
  )
}

async function withSubjects(
  db: Kysely<Tables>,
  accountId: number,
  found: readonly { readonly id: number; readonly subject_id: number; readonly name: string }[],
): Promise<Named> {
  const subjects = await subjectNames(db, accountId, [...new Set(found.map(({ subject_id }) => subject_id))])
  return new Map(found.map(({ id, subject_id, name }) => [id, `${subjects.get(subject_id) ?? `subject ${subject_id}`}, ${name}`]))
}

async function sourcesOf(db: Kysely<Tables>, accountId: number, all: readonly Pick<LeftRecord, 'source'>[]): Promise<Named> {
  const codes = [...new Set(all.flatMap(({ source }) => source ?? []))]
  if (codes.length === 0) return new Map()
  const rows = db.selectFrom('sources').select(['code', 'engine', 'locale']).where('account_id', '=', accountId)
  const found = await rows.where('code', 'in', padded(codes)).execute()
  return new Map(
    found.map(({ code, engine: text, locale }) => {
      const { engine, device, location } = trackedIn(text)
      const words = [device, location].filter((word) => word !== '')
      return [code, [engine, ...(words.length > 0 ? [`(${words.join(', ')})`] : []), ...(locale === '' ? [] : [locale])].join(' ')]
    }),
  )
}
