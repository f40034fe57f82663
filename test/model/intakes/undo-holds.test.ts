/** An undo takes back a site that an intake made, unless people have hung something on it; and whatever becomes of an undo, later files are not held up. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Kysely } from 'kysely'
import { draftOf } from '../../../src/fields/read.ts'
import type { PartnerCaller } from '../../../src/model/core/caller.ts'
import { addAnnotation } from '../../../src/model/dashboard/annotations.ts'
import { callerOf } from '../../../src/model/intakes/file-senders.ts'
import { findIntake } from '../../../src/model/intakes/intakes.ts'
import { previewUndo } from '../../../src/model/intakes/preview.ts'
import { requestUndo, undoIntake } from '../../../src/model/intakes/undo.ts'
import { createUploadFile } from '../../../src/model/intakes/upload-files.ts'
import { createUpload } from '../../../src/model/intakes/uploads.ts'
import { workTasks } from '../../../src/model/intakes/work-tasks.ts'
import { createUser } from '../../../src/model/people/users.ts'
import { importUploadedAccounts } from '../../../src/model/transfers/import-uploaded.ts'
import { newUser } from '../../../src/resources/user.ts'
import type { Tables } from '../../../src/store/rows/tables.ts'
import { exported, importLines, worldAt } from '../../support/data.ts'
import { onEachEngine } from '../../support/engines.ts'

const at = '2026-11-14T12:00:00Z'
const ranking = { type: 'ranking', search_engine: 'Google', locale: 'en-us', ranked_at: '2026-11-01 00:00:00', rank: 3 }

interface Named {
  readonly account_id: number
  readonly site_id: number
  readonly user_id: number
  readonly partner_id: number
}

/** What the reasons call it. */
const called: Readonly<Record<string, string>> = {
  'a link': 'a share link',
  'a schedule': 'a schedule of reports',
  'an own id': 'an id of your own',
  'a competitor': 'what is known of it',
}

type Hang = (tx: Kysely<Tables>, named: Named) => Promise<unknown>

const link = { label: '', verifier: null, created_by: null, created_at: at, expires_at: at, revoked_at: null, last_used_at: null }
const weekly = { rhythm: 'weekly' as const, last_period: '', created_at: at, updated_at: at }
const note = { day: '2026-11-01', text: 'New', created_at: at, created_by: null }

// biome-ignore format: a table reads by its columns
const holding: readonly (readonly [what: string, hang: Hang])[] = [
  ['a note',       (tx, { account_id, site_id }) => tx.insertInto('annotations').values({ account_id, site_id, ...note }).execute()],
  ['a link',       (tx, { site_id }) => tx.insertInto('share_links').values({ site_id, token_hash: `link ${site_id}`, ...link }).execute()],
  ['a schedule',   (tx, { account_id, site_id }) => tx.insertInto('report_schedules').values({ account_id, site_ids: `[7777,${site_id}]`, ...weekly }).execute()],
  ['an ability',   (tx, { user_id, site_id }) => tx.insertInto('abilities').values({ user_id, key: 'show', scope_type: 'Site', scope_id: site_id }).execute()],
  ['an own id',    (tx, { partner_id, site_id }) => tx.insertInto('external_ids').values({ partner_id, kind: 'site', external_id: `own ${site_id}`, record_id: site_id }).execute()],
  ['a location',   (tx, { account_id, site_id }) => tx.insertInto('locations').values({ account_id, site_id, twitter_page: null, facebook_page: null, created_at: at }).execute()],
  ['a competitor', (tx, { account_id, site_id }) => tx.insertInto('subjects').values({ account_id, site_id, domain: 'rival.example', created_at: at }).execute()],
]

onEachEngine('an undo', (place) => {
  const world = worldAt(place)
  let user_id: number
  before(async () => {
    const user = { login: 'dana-acme', email: 'dana@acme.example', password: 'correct horse', account_id: world.accountId }
    user_id = (await createUser(world.operator, draftOf(newUser, user))).id
  })
  const caller = (): PartnerCaller =>
    callerOf(world.app, world.partnerId, { accountId: world.accountId, accountIds: null, keyId: 1, keyName: 'test', requestId: 'test' })
  const work = () =>
    workTasks({ app: world.app, signal: new AbortController().signal, eraseAgain: async () => {}, importWhole: importUploadedAccounts })
  /** An import that makes a site with a keyword. */
  const newSite = async (site: string) => {
    const target = { partnerId: world.partnerId, accountId: world.accountId }
    const { intakeId } = await importLines(world, [{ ...ranking, site, phrase: 'drains' }], { createMissing: true }, target)
    return { intakeId: intakeId ?? 0, site_id: await idOf(site) }
  }
  const siteOf = (domain: string) => world.app.store.db.selectFrom('sites').select('id').where('domain', '=', domain).executeTakeFirst()
  const idOf = async (domain: string) => (await siteOf(domain))?.id ?? assert.fail(`${domain} is gone`)
  const hangOn = (site_id: number, hang: Hang) =>
    world.app.store.write((tx) => hang(tx, { account_id: world.accountId, partner_id: world.partnerId, user_id, site_id }))
  const tagNote = (site_id: number) => addAnnotation(world.operator, site_id, { day: '2026-11-02', text: 'And another' })
  const upload = async (records: readonly object[]) => {
    const file = await createUploadFile(world.app.settings)
    await file.append(Buffer.from(records.map((record) => JSON.stringify(record)).join('\n')))
    const options = { target: world.target, words: {}, createMissing: true, isDryRun: false, counts: 'daily' as const }
    return createUpload(caller(), await file.finish(), undefined, options)
  }

  for (const [what, hang] of holding)
    test(`leaves a site that has ${what}, lists it and takes back the rest`, async () => {
      const domain = `${what.replaceAll(' ', '-')}.example`
      const { intakeId, site_id } = await newSite(domain)
      await hangOn(site_id, hang)
      const { left_alone, intake } = await undoIntake(world.operator, intakeId)
      assert.equal(intake.state, 'undone')
      assert.deepEqual(
        left_alone.filter(({ kind }) => kind === 'site'),
        [{ kind: 'site', what: domain, why: `it has ${called[what] ?? what}` }],
      )
      assert.equal(await idOf(domain), site_id)
      assert.doesNotMatch(await exported(world), new RegExp(`"type":"ranking","site":"${domain}"`))
    })

  test('takes what people hung on a site with it, once somebody has seen what that is', async () => {
    const { intakeId, site_id } = await newSite('people.example')
    for (const [, hang] of holding) await hangOn(site_id, hang)
    const withPeople = { withPeople: true }
    await assert.rejects(undoIntake(world.operator, intakeId, withPeople), /Look first at what goes with it/)
    await previewUndo(world.operator, intakeId)
    await assert.rejects(undoIntake(world.operator, intakeId, withPeople), /Look first/, 'a preview without people shows less')
    await previewUndo(world.operator, intakeId, withPeople)
    await tagNote(site_id)
    await assert.rejects(undoIntake(world.operator, intakeId, withPeople), /Look first/, 'something has changed since')
    const { preview } = await previewUndo(world.operator, intakeId, withPeople)
    const told = preview.going.filter(({ what }) => what.startsWith('people.example')).map(({ kind }) => kind)
    for (const kind of ['annotations', 'share_links', 'report_schedules', 'abilities', 'locations', 'subjects', 'site', 'business'])
      assert.ok(told.includes(kind), `${kind} among ${told}`)
    const { undone, left, intake } = await undoIntake(world.operator, intakeId, withPeople)
    assert.deepEqual([undone, left, intake.state], [preview.goes, 0, 'undone'])
    assert.equal(await siteOf('people.example'), undefined)
    const { db } = world.app.store
    assert.deepEqual(await db.selectFrom('annotations').select('id').where('site_id', '=', site_id).execute(), [])
    const taken = db.selectFrom('audit_entries').select('id').where('action', '=', 'intake.take').where('subject_id', '=', intakeId)
    assert.equal((await taken.execute()).length, preview.going.filter(({ kind }) => kind.endsWith('s') && kind !== 'business').length)
  })

  test('takes people’s things, but never what a later file delivered', async () => {
    const { intakeId, site_id } = await newSite('both.example')
    const later = await importLines(world, [{ ...ranking, site: 'both.example', phrase: 'roof' }], { createMissing: true })
    await hangOn(site_id, holding[0]?.[1] ?? assert.fail())
    await previewUndo(world.operator, intakeId, { withPeople: true })
    const { left_alone } = await undoIntake(world.operator, intakeId, { withPeople: true })
    assert.deepEqual(
      left_alone.filter(({ kind }) => kind === 'site'),
      [{ kind: 'site', what: 'both.example', why: `intake ${later.intakeId} delivered it later` }],
    )
    assert.match(await exported(world), /"site":"both.example","phrase":"roof"/)
    assert.doesNotMatch(await exported(world), /"site":"both.example","phrase":"drains"/)
  })

  test('takes a site back that somebody only looked at, and nothing names it any more', async () => {
    const { intakeId, site_id } = await newSite('seen.example')
    const old = { partner_id: world.partnerId, kind: 'site' as const, old_id: '1', new_id: site_id }
    await hangOn(site_id, async (tx) => {
      await tx.updateTable('users').set({ current_site_id: site_id }).where('id', '=', user_id).execute()
      await tx
        .insertInto('old_ids')
        .values([old, { ...old, old_id: '2', new_id: world.siteId }])
        .execute()
    })
    assert.deepEqual((await undoIntake(world.operator, intakeId)).left_alone, [])
    assert.equal(await siteOf('seen.example'), undefined)
    const { db } = world.app.store
    const user = await db.selectFrom('users').select('current_site_id').where('id', '=', user_id).executeTakeFirst()
    assert.equal(user?.current_site_id, 0)
    assert.deepEqual(await db.selectFrom('old_ids').select('old_id').execute(), [{ old_id: '2' }])
  })

  test('that fails lets the next file and the next undo of the partner pass, and is tried again', async () => {
    const failing = await newSite('failing.example')
    const next = await newSite('next.example')
    const broken = world.app.store.db.selectFrom('intake_steps').select(['step', 'data']).where('intake_id', '=', failing.intakeId)
    const steps = await broken.where('account_id', '=', world.accountId).where('kind', '=', 'keyword ids').execute()
    const put = (data: Uint8Array) =>
      world.app.store.write((tx) =>
        tx
          .updateTable('intake_steps')
          .set({ data })
          .where('account_id', '=', world.accountId)
          .where('intake_id', '=', failing.intakeId)
          .where('step', '=', steps[0]?.step ?? 0)
          .execute(),
      )
    await put(Buffer.from('no list'))
    await requestUndo(caller(), failing.intakeId, { isDespiteLater: true })
    const { id } = await upload([{ ...ranking, site: 'example.com', phrase: 'after the undo' }])
    await requestUndo(caller(), next.intakeId, { isDespiteLater: true })
    const failures = await work()
    assert.deepEqual([...new Set(failures.map(({ intakeId }) => intakeId))], [failing.intakeId])
    assert.equal((await findIntake(caller(), failing.intakeId)).state, 'undoing')
    assert.equal((await findIntake(caller(), id)).state, 'stored')
    assert.equal((await findIntake(caller(), next.intakeId)).state, 'undone')
    await put(steps[0]?.data ?? assert.fail())
    for (let tries = 0; tries < 100 && (await findIntake(caller(), failing.intakeId)).state === 'undoing'; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100))
      await work()
    }
    assert.equal((await findIntake(caller(), failing.intakeId)).state, 'undone')
    assert.equal(await siteOf('failing.example'), undefined)
  })

  test('a file that fails keeps its place, because the next one may correct it', async () => {
    const first = await upload([{ ...ranking, site: 'example.com', phrase: 'place', rank: 1 }])
    const second = await upload([{ ...ranking, site: 'example.com', phrase: 'place', rank: 2 }])
    const { options } = await world.app.store.db
      .selectFrom('intake_tasks')
      .select('options')
      .where('intake_id', '=', first.id)
      .executeTakeFirstOrThrow()
    const put = (text: string) =>
      world.app.store.write((tx) => tx.updateTable('intake_tasks').set({ options: text }).where('intake_id', '=', first.id).execute())
    await put('broken')
    assert.equal((await work()).length, 1)
    assert.equal((await findIntake(caller(), second.id)).state, 'waiting')
    await put(options)
    for (let tries = 0; tries < 100 && (await findIntake(caller(), second.id)).state !== 'stored'; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100))
      await work()
    }
    assert.equal((await findIntake(caller(), first.id)).state, 'stored')
    assert.match(
      await exported(world),
      /"phrase":"place","search_engine":"Google","locale":"en-us","ranked_at":"2026-11-01 00:00:00","rank":2/,
    )
  })
})
