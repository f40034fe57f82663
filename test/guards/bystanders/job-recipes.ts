/** A round of every job with something to do, and the rows to which it is to be done. */
import assert from 'node:assert/strict'
import { jobsOn } from '../../../src/jobs/jobs.ts'
import type { Job } from '../../../src/jobs/loop.ts'
import { workOnSources } from '../../../src/jobs/sources.ts'
import { openLog } from '../../../src/lib/log.ts'
import { isoTime, secondsAfter } from '../../../src/lib/time/clock.ts'
import type { App } from '../../../src/model/core/app.ts'
import { audit } from '../../../src/model/core/audit.ts'
import { createUploadFile } from '../../../src/model/intakes/upload-files.ts'
import { deleteAccount, previewDeletion } from '../../../src/model/partners/deleted-accounts.ts'
import { hashToken } from '../../../src/model/people/sessions.ts'
import { composeByReaders } from '../../../src/web/letters/letter-work.ts'
import { longGone } from './belongings.ts'
import { stored, traceless, withinAccount } from './below.ts'
import type { Ground } from './ground.ts'
import { lateLines, reviewers } from './measured-lines.ts'
import type { Named, Recipe } from './recipe.ts'
import { endUndoing } from './states.ts'
import { forgotten, repeatKey, taskOf } from './world.ts'

const dueHost = 'second.acme.example'

export function jobsOf(app: App): ReadonlyMap<string, Job> {
  return new Map(jobsOn(app, openLog('silent'), composeByReaders).map((job) => [job.name, job]))
}

export async function jobRecipes({ app, world, mailbox }: Ground): Promise<Recipe[]> {
  const { operator, acme, target: t } = world
  const { store, clock, settings } = app
  const [next, person, schedule, site] = [acme.holdings[2], t.people[1], t.schedules[1], t.sites[1]]
  assert.ok(next && person && schedule && site)
  const jobs = jobsOf(app)
  const now = clock.now()
  const ago = (days: number) => isoTime(Date.parse(now) - days * 86_400_000)
  const [undone = 0, cancelled = 0] = [t.intakes[1], next.intakes[1]]
  const { here, lost } = acme.intakes
  const all = [undone, cancelled, here, lost]
  const oldPlaces = [1, 2]
  const oldPage = site.pages[1] ?? 0
  const staffHash = hashToken(acme.staffSessions[1] ?? '')
  const [entries, mails] = [await oldestEntries(), await mailsOf(schedule.id)]

  // biome-ignore format: a table reads by its columns
  const recipes: readonly Recipe[] = [
    { of: 'seal', prepare: leaveEntry, act: run('seal'), adds: ['audit_seals'] },
    { of: 'events', act: run('events'), changes: { event_drafts: {} }, adds: ['events'] },
    { of: 'intakes', prepare: leaveTasks, act: run('intakes'), isElsewhere: true, changes: { ...(await worked()), intakes: { id: all }, intake_tasks: { intake_id: all } }, adds: [...stored, 'leases'] },
    { of: 'clearing', prepare: leaveRemoval, act: run('clearing'), changes: { removals: { id: [oldPage, longGone] }, reviews: { page_id: oldPage }, review_count_months: { page_id: oldPage } } },
    { of: 'ending', prepare: deleteLongAgo, act: run('ending'), changes: ended(), adds: ['removals'] },
    { of: 'views', prepare: letViewEnd, act: run('views'), changes: { sessions: { token_hash: staffHash } } },
    { of: 'links', prepare: loseMaker, act: run('links'), changes: { share_links: { id: site.links[1]?.id ?? 0 } }, adds: ['mails'] },
    { of: 'sealed', act: run('sealed') },
    { of: 'figures', prepare: outdate, act: run('figures'), changes: { account_figures: { account_id: t.accountId }, site_figures: { account_id: t.accountId } } },
    { of: 'hosts', prepare: letHostBeDue, act: run('hosts'), changes: { named_hosts: { host_name: dueHost }, mail_senders: { partner_id: acme.id } } },
    { of: 'uploads', act: run('uploads') },
    { of: 'sources', prepare: letSiteBeDue, act: fetchNothing, changes: { data_source_sites: { site_id: site.id } } },
    { of: 'sweep', prepare: growOld, act: run('sweep'), changes: swept(), adds: ['intake_steps', 'intake_directory_steps'] },
    { of: 'months', act: run('months') },
    { of: 'closing', act: run('closing') },
    { of: 'mail', prepare: becomeDue, act: run('mail'), changes: { report_schedules: { id: schedule.id }, report_runs: { schedule_id: schedule.id }, mails: { id: mails.slice(0, 2) } }, adds: ['mails', 'report_runs'] },
  ]
  return [...recipes]

  function run(name: string): () => Promise<void> {
    return async () => {
      const job = jobs.get(name)
      assert.ok(job, 'there is no such job')
      await job.run(AbortSignal.timeout(60_000))
    }
  }

  function letHostBeDue(): Promise<unknown> {
    return store.write(async (tx) => {
      await tx
        .updateTable('named_hosts')
        .set({ look_at: ago(1) })
        .where('host_name', '=', dueHost)
        .execute()
      await tx
        .updateTable('mail_senders')
        .set({ look_at: ago(1) })
        .where('partner_id', '=', acme.id)
        .execute()
    })
  }

  /** Of the sources that are active, one site of the target is due; each of the others has its row, so that none is found. */
  async function letSiteBeDue(): Promise<void> {
    const own = {
      source_id: acme.sources[0] ?? 0,
      partner_id: acme.id,
      account_id: t.accountId,
      kind: 'site',
      next_at: '2999-12-31T00:00:00Z',
    } as const
    await store.write(async (tx) => {
      await tx.updateTable('data_sources').set({ state: 'resting' }).where('id', '!=', own.source_id).execute()
      const sites = tx.selectFrom('sites').innerJoin('accounts', 'accounts.id', 'sites.account_id').select(['sites.id', 'account_id'])
      for (const { id, account_id } of await sites.where('partner_id', '=', acme.id).execute())
        await tx
          .insertInto('data_source_sites')
          .values({ ...own, account_id, site_id: id })
          .onConflict((taken) => taken.doNothing())
          .execute()
      await tx
        .updateTable('data_source_sites')
        .set({ next_at: ago(1) })
        .where('site_id', '=', site?.id ?? 0)
        .execute()
    })
  }

  /** Where no server of the DNS answers. */
  function fetchNothing(): Promise<void> {
    const deaf = { ...app, settings: { ...settings, dnsServers: ['127.0.0.1:9'] } }
    return workOnSources(deaf, openLog('silent'), AbortSignal.timeout(60_000))
  }

  function leaveEntry(): Promise<unknown> {
    return store.write((tx) => audit(tx, operator, 'site.share', { id: site?.id ?? 0 }))
  }

  /** Somebody of the staff has looked as a person of the target. */
  function letViewEnd(): Promise<unknown> {
    const seen = { seen_user_id: person?.id ?? 0, seen_account_id: t.accountId, seen_until: ago(1) }
    return store.write((tx) => tx.updateTable('sessions').set(seen).where('token_hash', '=', staffHash).execute())
  }

  /** Whoever made a link of the target may share nothing. */
  function loseMaker(): Promise<unknown> {
    const lost = { created_by: world.globex.holdings[0]?.people[0]?.id ?? 0, needs_maker: 1 } as const
    return store.write((tx) =>
      tx
        .updateTable('share_links')
        .set(lost)
        .where('id', '=', site?.links[1]?.id ?? 0)
        .execute(),
    )
  }

  /** A page that was removed, with what belonged to it. */
  async function leaveRemoval(): Promise<void> {
    await store.write(async (tx) => {
      await tx.deleteFrom('pages').where('account_id', '=', t.accountId).where('id', '=', oldPage).execute()
      await tx.insertInto('removals').values({ account_id: t.accountId, kind: 'page', id: oldPage }).execute()
    })
  }

  async function deleteLongAgo(): Promise<void> {
    await endUndoing(app)
    await deleteAccount(operator, t.accountId, (await previewDeletion(operator, t.accountId)).confirm)
    await store.write((tx) =>
      tx
        .updateTable('deleted_accounts')
        .set({ deleted_at: ago(31) })
        .where('account_id', '=', t.accountId)
        .execute(),
    )
  }

  /** All that is of the target, and its people on the lists of the partner's other accounts. */
  function ended(): Named {
    const own = { account_id: t.accountId }
    const sites = [...t.sites.map(({ id }) => id), t.late.id]
    const people = t.people.map(({ id }) => id)
    const rivals = t.sites.flatMap((one) => one.rivals)
    const others = [
      'users',
      'annotations',
      'review_marks',
      'mails',
      'report_schedules',
      'report_recipients',
      'report_runs',
      'intakes',
      'account_brands',
      'people_invitations',
      'read_tokens',
      'account_figures',
      'site_figures',
      'data_source_sites',
    ] as const
    const ofPeople = { user_id: people }
    return {
      ...Object.fromEntries([...stored, ...others, 'deleted_accounts'].map((table) => [table, own])),
      accounts: { id: t.accountId },
      share_links: { site_id: sites },
      sessions: ofPeople,
      login_links: ofPeople,
      pending_logins: ofPeople,
      email_changes: ofPeople,
      account_editors: [own, ofPeople],
      plain_series: own,
      intake_refused_lines: { intake_id: t.intakes },
      abilities: [
        ofPeople,
        { scope_type: 'Account', scope_id: t.accountId },
        { scope_type: 'Business', scope_id: t.businesses },
        { scope_type: 'Site', scope_id: sites },
      ],
      external_ids: [
        { kind: 'account', record_id: t.accountId },
        { kind: 'user', record_id: people },
        { kind: 'business', record_id: t.businesses },
        { kind: 'site', record_id: sites },
      ],
      old_ids: [
        { kind: ['account', 'copied account'], new_id: t.accountId },
        { kind: 'copied business', new_id: t.businesses },
        { kind: ['site', 'copied site'], new_id: sites },
        { kind: 'competitor', new_id: rivals },
      ],
    }
  }

  /** Its figures are of an earlier day, and wrong. */
  async function outdate(): Promise<void> {
    await store.write(async (tx) => {
      await tx.updateTable('account_figures').set({ day: '2020-01-01' }).where('account_id', '=', t.accountId).execute()
      await tx.updateTable('site_figures').set({ pairs: 99_999 }).where('account_id', '=', t.accountId).execute()
    })
  }

  /** One file to store, one that is cancelled, one whose host is lost, and an intake to undo. */
  async function leaveTasks(): Promise<void> {
    const file = await createUploadFile(settings)
    const lines = lateLines('new.acme1.example', t.sites[0]?.domain ?? '')
    await file.append(Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n')))
    const { host, name } = await file.finish()
    const key = { accountId: t.accountId, accountIds: null, keyId: acme.callerKey, keyName: 'test', requestId: 'test' }
    const target = { partnerId: acme.id, accountId: t.accountId }
    const options = JSON.stringify({ target, words: {}, createMissing: true, isDryRun: false, counts: 'daily', key })
    const long = secondsAfter(now, -86_400)
    const tasks = [
      taskOf(undone, acme.id, long, { task: 'undo', host: null, file: null }),
      taskOf(cancelled, acme.id, now, { host, attempts: 1, options }),
      taskOf(here, acme.id, secondsAfter(now, -300), { host, file: name, options }),
      taskOf(lost, acme.id, long, { host: 'lost' }),
    ]
    await store.write(async (tx) => {
      await tx.insertInto('intake_tasks').values(tasks).execute()
      await tx.updateTable('intakes').set({ state: 'undoing' }).where('id', '=', undone).execute()
      await tx.updateTable('intakes').set({ state: 'cancelling' }).where('id', '=', cancelled).execute()
    })
  }

  async function growOld(): Promise<void> {
    await store.write(async (tx) => {
      await tx
        .updateTable('events')
        .set({ at: ago(31) })
        .where('place', 'in', oldPlaces)
        .execute()
      await tx
        .updateTable('audit_entries')
        .set({ at: ago(500) })
        .where('id', 'in', entries)
        .execute()
      await tx
        .updateTable('users')
        .set({ state: 'deleted', deleted_at: ago(500) })
        .where('id', '=', person?.id ?? 0)
        .execute()
      await tx
        .updateTable('intakes')
        .set({ created_at: ago(500), ended_at: ago(499) })
        .where('id', '=', undone)
        .execute()
    })
    const long = { date: '2001-02-03' }
    await store.write(async (tx) => {
      await tx.updateTable('reviews').set(long).where('account_id', '=', t.accountId).where('page_id', '=', oldPage).execute()
      const marks = tx.updateTable('review_marks').set(long).where('account_id', '=', t.accountId)
      await marks.where('note', '=', reviewers[1] ?? '').execute()
    })
  }

  /** The two that are undone, and the earlier site of which the stored file has other values. */
  async function worked(): Promise<Named> {
    const earlier = t.sites[0]
    assert.ok(earlier && next)
    const undone = merged(await withinAccount(app, t.accountId).undone(t), await withinAccount(app, next.accountId).undone(next))
    return merged(undone, withinAccount(app, t.accountId).changed(earlier))
  }

  function swept(): Named {
    const steps = { intake_id: undone }
    const intakes = {
      intakes: { id: undone },
      intake_refused_lines: steps,
      intake_steps: steps,
      intake_directory_steps: steps,
    }
    const person = traceless(world)
    const audited = { audit_entries: { id: entries }, audit_seals: { entry_id: entries } }
    return merged(person, {
      ...intakes,
      ...audited,
      audit_details: { entry_id: entries },
      idempotency_records: { key: [forgotten.answer, repeatKey] },
      budgets: { name: forgotten.budget },
      read_tokens: { public_part: forgotten.token },
      usage_days: { day: forgotten.day },
      requests: { request_id: forgotten.request },
      events: { place: oldPlaces },
      login_networks: { network: forgotten.network },
      reviews: { page_id: oldPage },
      review_marks: { account_id: t.accountId, note: reviewers[1] ?? '' },
      measured_versions: { account_id: t.accountId },
      facts: { name: 'audit_chain_start' },
    })
  }

  async function becomeDue(): Promise<void> {
    const [queued = 0, sending = 0] = mails
    const payload = JSON.stringify({ recipient_id: schedule?.recipients[0] })
    await store.write(async (tx) => {
      await tx
        .updateTable('report_schedules')
        .set({ last_period: '2020-01-01' })
        .where('id', '=', schedule?.id ?? 0)
        .execute()
      await tx
        .updateTable('mails')
        .set({ kind: 'confirmation', payload, due_at: ago(1), attempts: 0 })
        .where('id', '=', queued)
        .execute()
      await tx
        .updateTable('mails')
        .set({ state: 'sending', due_at: ago(1) })
        .where('id', '=', sending)
        .execute()
    })
    mailbox.take('')
  }

  async function oldestEntries(): Promise<number[]> {
    const seals = await store.db.selectFrom('audit_seals').select('entry_id').orderBy('id').limit(3).execute()
    return seals.map(({ entry_id }) => entry_id)
  }

  async function mailsOf(scheduleId: number): Promise<number[]> {
    const rows = await store.db.selectFrom('mails').select('id').where('key', 'like', `report:${scheduleId}:%`).orderBy('id').execute()
    return rows.map(({ id }) => id)
  }
}

/** What either names. */
function merged(one: Named, other: Named): Named {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])] as (keyof Named)[]
  return Object.fromEntries(names.map((name) => [name, [one[name] ?? [], other[name] ?? []].flat()]))
}
