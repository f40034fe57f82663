/** Audit entries for the operator, filtered by partner, account, subject, actor, action and time. */

import type { Kysely } from 'kysely'
import type { Tables } from '../../store/rows/tables.ts'
import type { OperatorCaller } from '../core/caller.ts'

export interface AuditQuestion {
  readonly partner_id?: number | undefined
  readonly account_id?: number | undefined
  readonly subject?: string | undefined
  readonly actor?: string | undefined
  readonly action?: string | undefined
  readonly since?: string | undefined
}

const pageSize = 500

/** The last entries, in order. */
export async function latestEntries(caller: OperatorCaller, question: AuditQuestion, count: number) {
  const rows = await asked(caller, question).orderBy('audit_entries.id', 'desc').limit(count).execute()
  return rows.reverse().map(withDetail)
}

/** All entries in order; the detail is null if there was none or it was erased. */
export async function* auditEntries(caller: OperatorCaller, question: AuditQuestion) {
  for (let after = 0; ; ) {
    const rows = await asked(caller, question).where('audit_entries.id', '>', after).orderBy('audit_entries.id').limit(pageSize).execute()
    yield* rows.map(withDetail)
    if (rows.length < pageSize) return
    after = rows.at(-1)?.id ?? 0
  }
}

/** The time of the newest entry, by the clock at that time. */
export async function newestAuditTime(db: Kysely<Tables>): Promise<string | null> {
  return (await db.selectFrom('audit_entries').select('at').orderBy('id', 'desc').limit(1).executeTakeFirst())?.at ?? null
}

function withDetail<E extends { detail: string | null }>({ detail, ...entry }: E) {
  return { ...entry, detail: detail === null ? null : (JSON.parse(detail) as object) }
}

function asked({ app }: OperatorCaller, { partner_id, account_id, subject, actor, action, since }: AuditQuestion) {
  const [subjectType, subjectId] = subject?.split(':') ?? []
  return app.store.db
    .selectFrom('audit_entries')
    .leftJoin('audit_details', 'audit_details.entry_id', 'audit_entries.id')
    .selectAll('audit_entries')
    .select('detail')
    .$if(partner_id !== undefined, (query) => query.where('partner_id', '=', partner_id ?? 0))
    .$if(account_id !== undefined, (query) => query.where('account_id', '=', account_id ?? 0))
    .$if(subjectType !== undefined, (query) => query.where('subject_type', '=', subjectType ?? ''))
    .$if(subjectId !== undefined, (query) => query.where('subject_id', '=', Number(subjectId)))
    .$if(actor !== undefined, (query) => query.where('actor', 'like', `%${actor}%`))
    .$if(action !== undefined, (query) => query.where('action', '=', action ?? ''))
    .$if(since !== undefined, (query) => query.where('at', '>=', since ?? ''))
}
