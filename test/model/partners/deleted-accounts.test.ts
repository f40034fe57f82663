/** A deleted account is found by nobody and rests, comes back row by row as it was, and is removed when its time is over. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { secondsAfter } from '../../../src/lib/time/clock.ts'
import { isTaskDue } from '../../../src/model/intakes/tasks.ts'
import { undoIntake } from '../../../src/model/intakes/undo.ts'
import { isReportDue } from '../../../src/model/mail/due-reports.ts'
import { claimMail, isMailWaiting } from '../../../src/model/mail/queue.ts'
import { findRecipient, recipientToken } from '../../../src/model/mail/recipients.ts'
import { clearRemovals } from '../../../src/model/partners/clearing.ts'
import { deleteAccount, listDeletedAccounts, previewDeletion, restoreAccount } from '../../../src/model/partners/deleted-accounts.ts'
import { issueKey } from '../../../src/model/partners/keys/keys.ts'
import { exportUser } from '../../../src/model/people/personal-data.ts'
import { findSession } from '../../../src/model/people/sessions.ts'
import { lookAtShareLink } from '../../../src/model/people/share-links.ts'
import { endAccounts, isAnyAccountOver } from '../../../src/model/upkeep/ended-accounts.ts'
import type { Tables } from '../../../src/store/rows/tables.ts'
import { groundOn } from '../../guards/bystanders/ground.ts'
import type { HeldSite } from '../../guards/bystanders/holding.ts'
import type { Person } from '../../guards/bystanders/people.ts'
import { differencesOf, openRowbook, type Rowbook, type Rows } from '../../guards/bystanders/rows.ts'
import { password, taskOf } from '../../guards/bystanders/world.ts'
import { newPerson } from '../../support/bodies.ts'
import { onEachEngine } from '../../support/engines.ts'
import { codes } from '../../support/refusals.ts'

onEachEngine('a deleted account', (place) => {
  const ground = groundOn(place)
  const { signal: never } = new AbortController()
  let book: Rowbook
  let held: Rows
  let id: number
  let site: HeldSite
  let [owner, foreigner] = [{} as Person, {} as Person]

  before(async () => {
    const { app, world } = ground
    const { target, acme } = world
    id = target.accountId
    site = target.sites[0] as HeldSite
    ;[owner, foreigner] = [target.people[0] as Person, acme.holdings[2]?.people[1] as Person]
    const now = app.clock.now()
    await app.store.write(async (tx) => {
      await tx.deleteFrom('intake_tasks').execute()
      await tx
        .insertInto('intake_tasks')
        .values(taskOf(target.intakes[0] ?? 0, acme.id, secondsAfter(now, -86_400), { host: null }))
        .execute()
      const due = { state: 'queued', due_at: now } as const
      await tx.updateTable('mails').set({ state: 'sent' }).where('account_id', '!=', id).execute()
      await tx.updateTable('mails').set(due).where('account_id', '=', id).execute()
      await tx.updateTable('report_schedules').set({ last_period: '2020-01-01' }).where('account_id', '=', id).execute()
      const scopes = [
        { scope_type: 'Account', scope_id: id },
        { scope_type: 'Business', scope_id: target.businesses[0] ?? 0 },
        { scope_type: 'Site', scope_id: site.id },
      ] as const
      const abilities = scopes.map((scope) => ({ user_id: foreigner.id, key: 'show' as const, ...scope }))
      await tx.insertInto('abilities').values(abilities).execute()
    })
    book = await openRowbook(app.store, place.engine, (table) => !passing.has(table))
    held = await book.read()
  })

  const ask = (method: string, path: string, more: object = {}, credentials = ground.world.acme.credentials) =>
    ground.stranger.ask(method, `/api/${path}`, { credentials, ...more })
  const json = { type: 'application/json' }
  const visitor = () => ({ app: ground.app, requestId: 'test', network: '192.0.2.77', hostPartnerId: null })
  const confirmation = async () => (await previewDeletion(ground.world.operator, id)).confirm
  const remove = async () => deleteAccount(ground.world.operator, id, await confirmation())
  const back = () => restoreAccount(ground.world.operator, id)
  const changed = async () => differencesOf(held, await book.read()).filter(({ table }) => table !== 'deleted_accounts')

  test('is told before, and goes only if exactly that is confirmed', async () => {
    const { world } = ground
    const tried = await ask('DELETE', `accounts/${id}.json?dry_run=1`)
    const { deletion } = tried.json() as { deletion: Record<string, unknown> }
    assert.equal(tried.status, 200, tried.text)
    const { businesses, sites, users, abilities, share_links, schedules, mails, uploads } = deletion
    assert.deepEqual({ businesses, sites, users, abilities, share_links, schedules, uploads }, counts)
    assert.ok(Number(mails) > 5)
    const confirm = String(deletion['confirm'])
    const status = async (query: string, credentials?: string) =>
      (await ask('DELETE', `accounts/${id}.json${query}`, {}, credentials)).status
    assert.equal(await status(''), 400)
    assert.equal(await status('?confirm=other'), 409)
    assert.equal(await status(`?confirm=${confirm}`, world.globex.credentials), 404)
    const limited = await issueKey(world.operator, world.acme.id, { account_ids: String(id), scopes: ['provision'] })
    assert.equal(await status(`?confirm=${confirm}`, `${limited.key}:${limited.password}`), 403)
    assert.equal(await status('?dry_run=1', `${limited.key}:${limited.password}`), 403)
    const { account_id: home } = await partnerOf(world.acme.id)
    assert.equal((await ask('DELETE', `accounts/${home}.json?dry_run=1`)).status, 409)
    await ground.app.store.write((tx) =>
      tx
        .updateTable('share_links')
        .set({ revoked_at: ground.app.clock.now() })
        .where('id', '=', site.links[1]?.id ?? 0)
        .execute(),
    )
    assert.equal(await status(`?confirm=${confirm}`), 409, 'a link was revoked since')
    await book.restore(differencesOf(held, await book.read()))
    assert.equal(await status(`?confirm=${confirm}`), 200)
    assert.deepEqual(
      (await changed()).map(({ table, before: row }) => [table, row?.['id']]),
      [['accounts', id]],
    )
    await back()
  })

  test('is found by nobody, and comes back row by row', async () => {
    const { app, world, stranger } = ground
    const elsewhere = await seen()
    assert.ok((await isMailWaiting(app)) && (await isReportDue(app)) && (await isTaskDue(app)))
    assert.ok(await findSession(visitor(), owner.sessions[0] ?? ''))
    await remove()
    const paths = [
      `accounts/${id}`,
      `users/${owner.id}`,
      `users/${owner.id}/abilities`,
      `sites/${site.id}`,
      `businesses/${world.target.businesses[0]}`,
    ]
    for (const path of [...paths, `intakes/${world.target.intakes[0]}`, `accounts/${id}/schedules`, `sites/${site.id}/keywords`])
      assert.equal((await ask('GET', `${path}.json`)).status, 404, path)
    const rest = await seen()
    for (const list of Object.keys(rest)) assert.deepEqual(rest[list], without(elsewhere, id)[list], list)
    assert.equal((await ask('GET', `seo_report.json?account_id=${id}`)).status, 404)
    assert.equal(await findSession(visitor(), owner.sessions[0] ?? ''), null)
    assert.equal(await lookAtShareLink(visitor(), site.links[1]?.token ?? ''), null)
    const login = await stranger.ask('POST', '/login', {
      body: new URLSearchParams({ name: owner.login, password }).toString(),
      type: 'application/x-www-form-urlencoded',
    })
    assert.ok(login.headers['set-cookie'] === undefined || !String(login.headers['set-cookie']).includes('session'), login.text)
    assert.deepEqual(
      [await isMailWaiting(app), await claimMail(app), await isReportDue(app), await isTaskDue(app)],
      [false, null, false, false],
    )
    await assert.rejects(findRecipient(app, recipientToken(app, world.target.schedules[0]?.recipients[1] ?? 0)))
    const held = (await ask('GET', `users/${foreigner.id}/abilities.json`)).json() as { abilities: { scope_id: number }[] }
    assert.ok(held.abilities.length > 3 && held.abilities.every(({ scope_id }) => ![id, site.id].includes(scope_id)))
    assert.equal((await ask('PUT', `users/${foreigner.id}/abilities.json`, { ...json, body: JSON.stringify(held) })).status, 200)
    const names = newPerson(world.acme.holdings[2]?.accountId ?? 0, { login: owner.login, email: owner.email })
    const again = await ask('POST', 'users.json?dry_run=1', { ...json, body: JSON.stringify(names) })
    assert.deepEqual(codes(again, 422), ['email taken', 'login taken'])
    const elsewhereId = world.acme.holdings[2]?.businesses[0] ?? 0
    const same = await ask('POST', 'sites.json', { ...json, body: JSON.stringify({ business_id: elsewhereId, domain: site.domain }) })
    assert.deepEqual(codes(same, 422), ['domain taken'], 'its domains stay taken')
    const moved = { ...json, body: JSON.stringify({ domain: site.domain }) }
    assert.deepEqual(codes(await ask('PUT', `sites/${world.acme.holdings[2]?.sites[0]?.id}.json`, moved), 422), ['domain taken'])
    const pushed = await ask('POST', 'observations.json?create_missing=1', {
      ...json,
      body: JSON.stringify([{ type: 'keyword', site: site.domain, phrase: 'again' }]),
    })
    assert.deepEqual([pushed.status, /unknown/.test(pushed.text)], [422, true], pushed.text)
    const own = await ask('POST', `accounts.json?external_id=acme1-${id}`, { ...json, body: '{"name":"Again"}' })
    assert.equal(own.status, 422, 'an id of its own stays taken')
    assert.deepEqual(
      ((await exportUser(world.operator, owner.login)) as { user: { id: number } }).user.id,
      owner.id,
      'the person is told the truth',
    )
    assert.deepEqual(
      (await listDeletedAccounts(world.operator, world.acme.id))
        .filter((one) => one.id === id)
        .map(({ name, is_ending }) => [name, is_ending]),
      [['Account acme1', false]],
    )
    await assert.rejects(remove(), /not_found/)
    await back()
    assert.deepEqual(await seen(), elsewhere)
    const differences = await changed()
    assert.deepEqual(
      differences.map(({ table }) => table),
      ['intake_tasks'],
      'who has the files has said so',
    )
    await assert.rejects(back(), /not_found/)
  })

  test('holds the undo of an import that stored in it and in others', async () => {
    const { world, app } = ground
    const whole = world.target.intakes[0] ?? 0
    await app.store.write(async (tx) => {
      await tx.deleteFrom('intake_tasks').execute()
      await tx.updateTable('intakes').set({ account_id: null }).where('id', '=', whole).execute()
    })
    await remove()
    await assert.rejects(undoIntake(world.operator, whole, { isDespiteLater: true }), /account that was deleted/)
    await back()
    await app.store.write((tx) => tx.updateTable('intakes').set({ account_id: id }).where('id', '=', whole).execute())
  })

  test('is removed when its time is over, with its people deleted, and nothing else', async () => {
    const { app, world } = ground
    await remove()
    const others = await seen()
    assert.equal(await isAnyAccountOver(app), false)
    const past = { deleted_at: secondsAfter(app.clock.now(), -31 * 86_400) }
    await app.store.write((tx) => tx.updateTable('deleted_accounts').set(past).where('account_id', '=', id).execute())
    assert.equal(await isAnyAccountOver(app), true)
    await endAccounts(world.operator, never)
    await clearRemovals(app, never)
    assert.equal(await isAnyAccountOver(app), false)
    await assert.rejects(back(), /not_found/)
    assert.deepEqual(await seen(), others)
    const left = [...(await book.read())].flatMap(([table, rows]) =>
      [...rows.values()].filter(({ row }) => row['account_id'] === id).map(() => table),
    )
    assert.deepEqual(
      [...new Set(left)].toSorted(),
      ['audit_entries', 'deleted_accounts', 'event_drafts', 'events', 'measured_versions', 'removals', 'sources', 'users'].filter((table) =>
        left.includes(table as keyof Tables),
      ),
    )
    const users = await app.store.db.selectFrom('users').select(['state', 'login']).where('account_id', '=', id).execute()
    assert.deepEqual(
      users.map(({ state }) => state),
      ['deleted', 'deleted', 'deleted'],
    )
    const names = newPerson(world.acme.holdings[2]?.accountId ?? 0, { login: owner.login })
    assert.equal(
      (await ask('POST', 'users.json?dry_run=1', { ...json, body: JSON.stringify(names) })).status,
      422,
      'names stay until they are erased',
    )
    assert.equal((await ask('GET', `users/${foreigner.id}.json`)).status, 200)
  })

  /** What the partner and another see in lists and reports, by account. */
  async function seen(): Promise<Record<string, unknown[]>> {
    const { acme, globex } = ground.world
    const lists = ['accounts', 'users', 'businesses', 'sites', 'locations', 'annotations', 'intakes']
    const found: Record<string, unknown[]> = {}
    for (const list of lists) {
      const all = (await ask('GET', `${list}.json`)).json() as Record<string, unknown[]>
      found[list] = all[list] ?? []
    }
    found['report'] = ((await ask('GET', 'seo_report.json')).json() as { accounts: unknown[] }).accounts
    found['globex'] = [(await ask('GET', 'sites.json', {}, globex.credentials)).text, acme.id]
    return found
  }

  /** All that is not of this account. */
  function without(all: Record<string, unknown[]>, accountId: number): Record<string, unknown[]> {
    const start = { accounts: `{"id":${accountId},`, report: `{"${accountId}":` } as Record<string, string>
    const owned = [`"account_id":${accountId},`, ...ground.world.target.sites.map((one) => `"site_id":${one.id},`)]
    const isOf = (list: string, text: string) => text.startsWith(start[list] ?? '-') || owned.some((words) => text.includes(words))
    return Object.fromEntries(Object.entries(all).map(([list, rows]) => [list, rows.filter((row) => !isOf(list, JSON.stringify(row)))]))
  }

  function partnerOf(partnerId: number) {
    return ground.app.store.db.selectFrom('partners').select('account_id').where('id', '=', partnerId).executeTakeFirstOrThrow()
  }
})

/** Rows that come with any request. */
const passing: ReadonlySet<keyof Tables> = new Set<keyof Tables>([
  'audit_details',
  'event_drafts',
  'events',
  'audit_entries',
  'audit_seals',
  'usage_days',
  'requests',
  'facts',
  'keys',
  'idempotency_records',
  'login_throttles',
  'leases',
  'budgets',
])

const counts = { businesses: 4, sites: 4, users: 3, abilities: 3, share_links: 6, schedules: 3, uploads: 1 }
