/** A site goes with everything that belongs to it, in a number of statements that does not grow with it, and nothing of anybody else goes. */
import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import { before, test } from 'node:test'
import { draftOf } from '../../../src/fields/read.ts'
import { clearRemovals, isAnythingRemoved } from '../../../src/model/partners/clearing.ts'
import { createPartner } from '../../../src/model/partners/partners.ts'
import { deleteReviewPage, listReviewPages } from '../../../src/model/partners/review-pages.ts'
import { deleteCompetitor, deleteKeyword, listCompetitors, listKeywords } from '../../../src/model/partners/site-contents.ts'
import { deleteSite } from '../../../src/model/partners/site-removal.ts'
import { createUser } from '../../../src/model/people/users.ts'
import { newUser } from '../../../src/resources/user.ts'
import type { Tables } from '../../../src/store/rows/tables.ts'
import { importLines, worldAt } from '../../support/data.ts'
import { onEachEngine } from '../../support/engines.ts'
import { letsOthersWork } from '../../support/turns.ts'

/** Statements of this work, and not of what else goes on in the process. */
const counted = new AsyncLocalStorage<{ statements: number }>()
subscribe('marquee:statement', () => {
  const count = counted.getStore()
  if (count !== undefined) count.statements += 1
})

/** What every change writes about itself, and what a deletion leaves of its own: the account's versions. */
const itsOwn: ReadonlySet<string> = new Set([
  'event_drafts',
  'events',
  'audit_entries',
  'audit_details',
  'audit_seals',
  'measured_versions',
  'leases',
])

onEachEngine('a site that is deleted', (place) => {
  const world = worldAt(place)
  let userId: number
  before(async () => {
    const user = { login: 'dana-acme', email: 'dana@acme.example', password: 'correct horse', account_id: world.accountId }
    userId = (await createUser(world.operator, draftOf(newUser, user))).id
  })

  /** A site with everything that can refer to one, so many of each kind below it. */
  const makeSite = async (domain: string, account_id: number, many: number, partner_id = world.partnerId) => {
    const lines = Array.from({ length: many }, (_, at) => [
      { ...ranking, site: domain, phrase: `phrase ${at}`, url: `https://${domain}/${at}` },
      { ...ranking, site: domain, competitor: `rival${at}.example`, phrase: `phrase ${at}` },
      { ...clicks, site: domain, phrase: `phrase ${at}` },
      { type: 'snapshot', site: domain, competitor: `rival${at}.example`, day: '2026-11-01', backlink_count: at },
      { ...backlink, site: domain, source_url: `https://blog.example/${at}` },
      { ...review, site: domain, page_url: `https://maps.example/${at}`, ref: `r${at}` },
      { ...count, site: domain, page_url: `https://maps.example/${at}` },
    ])
    await importLines(world, lines.flat(), { createMissing: true }, { partnerId: partner_id, accountId: account_id })
    const { db } = world.app.store
    const sites = db.selectFrom('sites').select('id').where('domain', '=', domain).where('account_id', '=', account_id)
    return (await sites.executeTakeFirstOrThrow()).id
  }

  const hangOn = (site_id: number, account_id: number) =>
    world.app.store.write(async (tx) => {
      const [created_at, kind] = ['2026-11-14T12:00:00Z', 'site' as const]
      const link = { label: '', verifier: null, created_by: null, created_at, expires_at: created_at, revoked_at: null, last_used_at: null }
      await tx
        .insertInto('annotations')
        .values({ account_id, site_id, day: '2026-11-01', text: 'New', created_at, created_by: null })
        .execute()
      await tx
        .insertInto('share_links')
        .values({ site_id, token_hash: `link ${site_id}`, ...link })
        .execute()
      await tx.insertInto('abilities').values({ user_id: userId, key: 'show', scope_type: 'Site', scope_id: site_id }).execute()
      const own = { partner_id: world.partnerId, kind, external_id: `own ${site_id}`, record_id: site_id }
      await tx.insertInto('external_ids').values(own).execute()
      await tx
        .insertInto('old_ids')
        .values({ partner_id: world.partnerId, kind, old_id: `old ${site_id}`, new_id: site_id })
        .execute()
      const schedule = {
        account_id,
        rhythm: 'weekly' as const,
        site_ids: `[${site_id}]`,
        last_period: '',
        created_at,
        updated_at: created_at,
      }
      const { id } = await tx.insertInto('report_schedules').values(schedule).returning('id').executeTakeFirstOrThrow()
      const recipient = { schedule_id: id, account_id, email: 'dana@acme.example', state: 'active' as const }
      await tx
        .insertInto('report_recipients')
        .values({ ...recipient, created_at, updated_at: created_at })
        .execute()
      await tx.updateTable('users').set({ current_site_id: site_id }).where('id', '=', userId).execute()
    })

  /** Every row of every table that tells of data, but for the versions of the accounts and the site that somebody saw last. */
  const everything = async () => {
    const names = (await world.app.store.engine.tableNames(world.app.store.db)).filter(
      (name) => !itsOwn.has(name) && !name.startsWith('sqlite_'),
    )
    const rows = names.map(async (name) => {
      const found = await world.app.store.db
        .selectFrom(name as keyof Tables)
        .selectAll()
        .execute()
      return found.map((row) => JSON.stringify([name, { ...row, report_version: 0 }])).sort()
    })
    return (await Promise.all(rows)).flat()
  }
  const intakesOff = (rows: readonly string[]) => rows.filter((row) => !/^\["(?:intake|usage_days|requests)/.test(row))

  test('leaves everything else as it was: other sites of the account, of the partner and of another partner', async () => {
    const other = await createPartner(world.operator, 'Globex')
    const neighbour = await makeSite('neighbour.example', world.accountId, 3)
    await hangOn(neighbour, world.accountId)
    await hangOn(await makeSite('neighbour.example', world.otherAccountId, 3), world.otherAccountId)
    await makeSite('gone.example', other.account.id, 3, other.partner.id)
    await world.app.store.write((tx) => tx.updateTable('users').set({ current_site_id: 0 }).where('id', '=', userId).execute())
    const before = intakesOff(await everything())
    const site = await makeSite('gone.example', world.accountId, 3)
    await hangOn(site, world.accountId)
    assert.notDeepEqual(intakesOff(await everything()), before)
    await deleteSite(world.operator, site)
    const business = /^\["businesses",.*"name":"gone.example"/
    const after = intakesOff(await everything()).filter((row) => !(business.test(row) && row.includes(`"account_id":${world.accountId},`)))
    assert.deepEqual(after, before)
    await assert.rejects(deleteSite(world.operator, site), { code: 'not_found' })
  })

  test('takes no more statements with hundreds of keywords, competitors and pages', async () => {
    const taken = async (domain: string, many: number) => {
      const site = await makeSite(domain, world.accountId, many)
      const count = { statements: 0 }
      await counted.run(count, () => deleteSite(world.operator, site))
      return count.statements
    }
    for (const many of [100, 300]) {
      const some = await taken(`site-of-${many}.example`, many)
      assert.ok(some > 10 && some < 60, `${some} statements for ${many}`)
    }
  })

  test('is cleared by a task that lets others work on the way', async () => {
    const site = await makeSite('long.example', world.accountId, 400)
    await deleteSite(world.operator, site)
    assert.ok(await isAnythingRemoved(world.app))
    await letsOthersWork(() => clearRemovals(world.app, new AbortController().signal))
    const found = await world.app.store.db
      .selectFrom('keywords')
      .select('id')
      .where('account_id', '=', world.accountId)
      .where('phrase', '=', 'phrase 399')
      .execute()
    assert.deepEqual(found, [])
  })

  test('and so do a keyword, a competitor and a page by themselves; a second time there is nothing to delete', async () => {
    const site = await makeSite('parts.example', world.accountId, 3)
    const rest = async () => [
      (await listKeywords(world.operator, site)).items.length,
      (await listCompetitors(world.operator, site)).items.length,
      (await listReviewPages(world.operator, site)).items.length,
    ]
    const [keyword] = (await listKeywords(world.operator, site)).items
    const [competitor] = (await listCompetitors(world.operator, site)).items
    const [page] = (await listReviewPages(world.operator, site)).items
    const deletions = [
      () => deleteKeyword(world.operator, site, keyword?.id ?? 0),
      () => deleteCompetitor(world.operator, site, competitor?.id ?? 0),
      () => deleteReviewPage(world.operator, site, page?.id ?? 0),
    ]
    for (const remove of deletions) await remove()
    assert.deepEqual(await rest(), [2, 2, 2])
    for (const remove of deletions) await assert.rejects(remove(), { code: 'not_found' })
    for (const two of await Promise.allSettled([deleteSite(world.operator, site), deleteSite(world.operator, site)]).then((all) => [all]))
      assert.deepEqual(two.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  })
})

const ranking = { type: 'ranking', search_engine: 'Google', locale: 'en-us', ranked_at: '2026-11-01 00:00:00', rank: 3 }
const clicks = { type: 'click_count', search_engine: 'Google', date: '2026-11-01', clicks: 2, impressions: 30 }
const backlink = { type: 'backlink', found_on: '2026-11-01', link_strength: 5, domain_authority: 3 }
const review = { type: 'review', source: 'google', rating: 4, date: '2026-11-01', user: 'Ann', detail: 'Good' }
const count = { type: 'review_count', source: 'google', date: '2026-11-01', count: 3, rating_sum: 12 }
