/** What an operator does for people at the pages, in a process beside the running service. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { createSchedule } from '../../src/model/mail/schedules.ts'
import { lookAtLoginLink } from '../../src/model/people/login-links.ts'
import { logIn } from '../../src/model/people/logins.ts'
import { findSession } from '../../src/model/people/sessions.ts'
import { marqueeOn } from '../support/command.ts'
import { onEachEngine } from '../support/engines.ts'
import { makePeople, type PeopleWorld, password } from '../support/people.ts'
import { serviceOn } from '../support/service.ts'

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

onEachEngine('an operator and people', (place) => {
  const marquee = marqueeOn(place)
  const service = serviceOn(place)
  let world: PeopleWorld
  before(async () => {
    world = await makePeople(service.operator)
  })
  const visitor = () => ({ app: service.app, requestId: 'test', network: '192.0.2.1', hostPartnerId: null })
  const env = { BASE_URL: 'https://marquee.example' }

  test('makes a link that lets one person in, and no link for one who is kept out', async () => {
    const { code, json, stderr } = await marquee(place, `user login-link ${world.users['kim-one-site']} --json`, { env })
    assert.equal(code, 0, stderr)
    const { login_link } = json<{ login_link: { url: string; user_id: number } }>()
    assert.equal(login_link.user_id, world.users['kim-one-site'])
    const token = /^https:\/\/marquee\.example\/login-link\/([\w-]{43})$/.exec(login_link.url)?.[1] ?? assert.fail(login_link.url)
    assert.ok(await lookAtLoginLink(visitor(), token))
    await marquee(place, `user suspend ${world.users['kim-one-site']}`)
    assert.ok(!(await lookAtLoginLink(visitor(), token)))
    const refused = await marquee(place, `user login-link ${world.users['kim-one-site']}`)
    assert.deepEqual([refused.code, refused.stdout], [1, ''])
    assert.match(refused.stderr, /suspended/)
    assert.equal((await marquee(place, 'user login-link 999999')).code, 1)
  })

  test('sets the time zone of an account by its name, and refuses what is none', async () => {
    const { json } = await marquee(place, `account set ${world.accountId} --time-zone America/Chicago --json`)
    assert.equal(json<{ account: { time_zone: string } }>().account.time_zone, 'America/Chicago')
    const refused = await marquee(place, `account set ${world.accountId} --time-zone Chicago`)
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /no time zone: give one by its name, such as Europe\/Berlin/)
  })

  test('notes what happened on a day of a site, and takes it away', async () => {
    const { json } = await marquee(place, `annotation add --site ${world.chicago} --day 2026-10-12 --text Moved --json`)
    const { annotation } = json<{ annotation: { id: number; day: string } }>()
    assert.equal(annotation.day, '2026-10-12')
    assert.equal((await marquee(place, `annotation remove ${annotation.id} --site ${world.evanston}`)).code, 1, 'not by another site')
    assert.equal((await marquee(place, `annotation remove ${annotation.id} --site ${world.chicago}`)).code, 0)
    assert.equal((await marquee(place, 'annotation add --site 999999 --day 2026-10-12 --text Moved')).code, 1)
  })

  test('logs a person out everywhere at once', async () => {
    const token = (await logIn(visitor(), { name: 'dana-owner', password, isRemembered: true })).token
    assert.ok(await findSession(visitor(), token))
    assert.equal((await marquee(place, `user log-out ${world.users['dana-owner']}`)).code, 0)
    assert.equal(await findSession(visitor(), token), null)
  })

  test('gives a partner its look, which must be one', async () => {
    const logo = join(place.folder, 'logo.png')
    writeFileSync(logo, png)
    const { json } = await marquee(
      place,
      `partner brand ${world.partnerId} --host Reports.Acme.example --accent #0A7D5B --json --logo`,
      logo,
    )
    const { brand } = json<{ brand: Record<string, unknown> }>()
    assert.deepEqual([brand.host_name, brand.accent, brand.has_logo, brand.name], ['reports.acme.example', '#0a7d5b', true, 'Acme'])
    const { json: link } = await marquee(place, `user login-link ${world.users['rosa-account']} --json`, { env })
    assert.match(link<{ login_link: { url: string } }>().login_link.url, /^https:\/\/reports\.acme\.example\/login-link\//)
    const absent = await marquee(place, `partner brand ${world.partnerId} --logo`, join(place.folder, 'absent.png'))
    assert.match(absent.stderr, /cannot be read/)
    const wrong = await marquee(place, `partner brand ${world.partnerId} --accent red`)
    assert.match(wrong.stderr, /such as #0a7d5b/)
    const own = await marquee(
      place,
      `account brand ${world.accountId} --name Harbor --sender Desk --support https://harbor.example/help --json`,
    )
    const { brand: merged } = own.json<{ brand: Record<string, unknown> }>()
    assert.deepEqual([merged.name, merged.sender_name, merged.accent, merged.has_logo], ['Harbor', 'Desk', '#0a7d5b', true])
    const off = await marquee(place, `partner brand ${world.partnerId} --off`)
    assert.match(off.stdout, /pages and mails say Marquee/)
  })

  test('erases somebody again whom the tools of a database server brought back', async () => {
    const { store } = service.app
    const { id: account_id } = await store.db.selectFrom('accounts').select('id').where('name', '=', 'Globex').executeTakeFirstOrThrow()
    const recipients = () =>
      store.db.selectFrom('report_recipients').selectAll().where('account_id', '=', account_id).orderBy('id').execute()
    const wishes = { rhythm: 'weekly', siteIds: null, recipients: ['kim-one-site@people.example', 'gina-globex@people.example'] } as const
    await createSchedule(service.operator, account_id, wishes)
    const [kim, gina] = await recipients()
    assert.ok(kim && gina)
    assert.equal((await marquee(place, 'subject erase --user kim-one-site')).code, 0)
    assert.deepEqual(await recipients(), [gina])
    await store.write((tx) => tx.insertInto('report_recipients').values(kim).execute())
    const again = await marquee(place, 'subject erase --since 2026-01-01 --json')
    assert.deepEqual(again.json(), { erased: { again: 1 } }, again.stderr)
    assert.deepEqual(await recipients(), [gina])
    assert.equal((await marquee(place, 'subject erase --since 2026-01-01 --user gina-globex')).code, 2)
  })
})
