/** Somebody who was deleted or erased gets no report by mail any more, and their address is gone; nobody else's mail changes. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { beforeEach, test } from 'node:test'
import { draftOf } from '../../../src/fields/read.ts'
import type { App } from '../../../src/model/core/app.ts'
import { queueDueReports } from '../../../src/model/mail/due-reports.ts'
import { forgetOldMails } from '../../../src/model/mail/forget-mail.ts'
import { claimMail, settleRefused, settleSent, settleUncertain } from '../../../src/model/mail/queue.ts'
import { confirmRecipient, recipientToken } from '../../../src/model/mail/recipients.ts'
import { changeSchedule, createSchedule } from '../../../src/model/mail/schedules.ts'
import { createAccount } from '../../../src/model/partners/accounts.ts'
import { createPartner } from '../../../src/model/partners/partners.ts'
import { journalPath, readErasures } from '../../../src/model/people/erasures.ts'
import { eraseAgain, eraseUser, exportUser } from '../../../src/model/people/personal-data.ts'
import { deleteUser } from '../../../src/model/people/user-states.ts'
import { createUser } from '../../../src/model/people/users.ts'
import { sweep } from '../../../src/model/upkeep/retention.ts'
import { newUser } from '../../../src/resources/user.ts'
import { beforeCommit } from '../../support/before-commit.ts'
import { onEachEngine } from '../../support/engines.ts'
import { doorWorldAt } from '../../support/visitors.ts'

const week = 7 * 86_400
const friend = 'friend@else.example'

onEachEngine('mail to somebody who leaves', (place) => {
  const world = doorWorldAt(place)
  let number = 0
  /** A user of Acme's account whose address is written in capitals; schedules list it in small letters. */
  let lea: { readonly id: number; readonly login: string; readonly email: string }
  const address = () => lea.email.toLowerCase()
  const deleteLea = (app: App = world.app) => deleteUser({ ...world.operator, app }, lea.id)
  const db = () => world.app.store.db
  const [recipients, schedules, mails] = [
    () => db().selectFrom('report_recipients').selectAll().orderBy('id').execute(),
    () => db().selectFrom('report_schedules').selectAll().orderBy('id').execute(),
    () => db().selectFrom('mails').selectAll().orderBy('id').execute(),
  ]
  const schedule = async (accountId: number, ...to: string[]) => {
    const made = await createSchedule(world.operator, accountId, { rhythm: 'weekly', siteIds: null, recipients: to })
    for (const { id } of made.recipients) await confirmRecipient(world.app, recipientToken(world.app, id))
    await world.app.store.write((tx) => tx.deleteFrom('mails').where('kind', '=', 'confirmation').execute())
    return made.id
  }
  const entries = async (scheduleId: number) => {
    const about = db().selectFrom('audit_entries').select(['action', 'partner_id']).where('subject_type', '=', 'ReportSchedule')
    return about.where('subject_id', '=', scheduleId).where('action', '!=', 'schedule.create').execute()
  }

  /** The address on schedules of two accounts of Acme and of one of Globex, beside others, and a week of reports queued. */
  const listed = async () => {
    const globex = (await createPartner(world.operator, 'Globex')).account.id
    const second = (await createAccount(world.operator, world.partnerId, 'Second')).id
    const ids = {
      shared: await schedule(world.accountId, address(), 'dana-owner@people.example'),
      alone: await schedule(world.accountId, lea.email),
      second: await schedule(second, friend, address()),
      globex: await schedule(globex, address(), friend),
      globexAlone: await schedule(globex, address()),
    }
    world.clock.pass(week)
    await queueDueReports(world.app)
    return { ...ids, globexAccount: globex }
  }

  beforeEach(async () => {
    await world.app.store.write(async (tx) => {
      for (const table of ['mails', 'report_runs', 'report_recipients', 'report_schedules'] as const) await tx.deleteFrom(table).execute()
    })
    number += 1
    const given = {
      login: `lea-leaves-${number}`,
      email: `Lea.${number}@People.example`,
      password: 'secret99',
      account_id: world.accountId,
    }
    lea = { ...given, ...(await createUser(world.operator, draftOf(newUser, given))) }
  })

  test("a deleted user is off the partner's schedules and out of its queue; another partner goes on writing to the same address", async () => {
    const { shared, alone, second, globex, globexAlone, globexAccount } = await listed()
    const [r, s, m] = [await recipients(), await schedules(), await mails()]
    await deleteLea()
    const isTheirs = (row: { account_id: number }, to: string) => to === address() && row.account_id !== globexAccount
    assert.deepEqual(
      await recipients(),
      r.filter((row) => !isTheirs(row, row.email)),
    )
    assert.deepEqual(
      await mails(),
      m.filter((row) => !isTheirs(row, row.recipient)),
    )
    assert.deepEqual(
      await schedules(),
      s.filter(({ id }) => id !== alone),
    )
    assert.ok((await mails()).filter(({ recipient }) => recipient === address()).length === 2, 'two reports of Globex')
    const partner_id = world.partnerId
    assert.deepEqual(await entries(shared), [{ action: 'schedule.change', partner_id }])
    assert.deepEqual(await entries(second), [{ action: 'schedule.change', partner_id }])
    assert.deepEqual(await entries(alone), [{ action: 'schedule.delete', partner_id }])
    for (const id of [globex, globexAlone]) assert.deepEqual(await entries(id), [])
    world.clock.pass(week)
    await queueDueReports(world.app)
    assert.equal((await mails()).filter((row) => isTheirs(row, row.recipient)).length, 0)
  })

  for (const [outcome, settle] of Object.entries({ taken: settleSent, refused: settleRefused, lost: settleUncertain }))
    test(`a mail that is being sent when its user is deleted, and is then ${outcome}, does not come back`, async () => {
      await schedule(world.accountId, address())
      world.clock.pass(week)
      await queueDueReports(world.app)
      const mail = (await claimMail(world.app)) ?? assert.fail('no mail')
      await deleteLea()
      await settle(world.app, mail, 'try later')
      world.clock.pass(week)
      assert.deepEqual([await mails(), await claimMail(world.app), await queueDueReports(world.app)], [[], null, 0])
    })

  test('reports that are queued while a user is deleted do not go to them', async () => {
    await schedule(world.accountId, address(), friend)
    world.clock.pass(week)
    await beforeCommit(world.app, deleteLea, () => queueDueReports(world.app))
    assert.deepEqual(new Set((await mails()).map(({ recipient }) => recipient)), new Set([friend]))
  })

  test('a schedule that is made while a user is deleted asks them like a stranger', async () => {
    const wishes = { rhythm: 'weekly', siteIds: null, recipients: [address()] } as const
    await beforeCommit(world.app, deleteLea, () => createSchedule(world.operator, world.accountId, wishes))
    assert.deepEqual(
      (await recipients()).map(({ email, state }) => [email, state]),
      [[address(), 'unconfirmed']],
    )
  })

  test('a user who is deleted while they are put on a schedule does not stay there', async () => {
    const id = await schedule(world.accountId, friend)
    const change = (app: App) => changeSchedule({ ...world.operator, app }, world.accountId, id, { recipients: [friend, address()] })
    await beforeCommit(world.app, change, () => deleteLea())
    assert.deepEqual(
      (await recipients()).map(({ email }) => email),
      [friend],
    )
  })

  test('an erased user sees first what is stored, and then no partner has the address: not even in mails that were sent', async () => {
    const { alone, globexAlone, globex } = await listed()
    for (let mail = await claimMail(world.app); mail !== null; mail = await claimMail(world.app)) await settleSent(world.app, mail)
    world.clock.pass(week)
    await queueDueReports(world.app)
    const [r, s, m] = [await recipients(), await schedules(), await mails()]
    const own = { recipients: r.filter(({ email }) => email === address()), mails: m.filter(({ recipient }) => recipient === address()) }
    const known = await exportUser(world.operator, lea.login)
    assert.deepEqual([known.report_recipients, known.mails], [own.recipients, own.mails])
    assert.ok(
      own.recipients.length === 5 && own.mails.some(({ state }) => state === 'sent') && own.mails.some(({ state }) => state === 'queued'),
    )
    await eraseUser(world.operator, lea.login)
    assert.deepEqual(
      await recipients(),
      r.filter(({ email }) => email !== address()),
    )
    assert.deepEqual(
      await schedules(),
      s.filter(({ id }) => id !== alone && id !== globexAlone),
    )
    const left = await mails()
    assert.deepEqual(
      left.filter(({ recipient }) => recipient !== ''),
      m.filter(({ recipient }) => recipient !== address()),
    )
    const facts = (rows: typeof m) => rows.map(({ id, key, state, settled_at }) => ({ id, key, state, settled_at }))
    assert.deepEqual(facts(left.filter(({ recipient }) => recipient === '')), facts(own.mails.filter(({ state }) => state === 'sent')))
    assert.deepEqual(new Set(left.filter(({ recipient }) => recipient === '').map(({ payload }) => payload)), new Set(['{}']))
    assert.deepEqual(
      (await entries(globex)).map(({ action }) => action),
      ['schedule.change'],
    )
  })

  test('a deleted user who is put on a schedule again stays there when the night erases the user', async () => {
    const { shared } = await listed()
    await deleteLea()
    world.clock.pass(1)
    const again = await schedule(world.accountId, address())
    world.clock.pass(91 * 86_400)
    await queueDueReports(world.app)
    const before = [await recipients(), await mails()]
    assert.ok((await sweep(world.operator)).users > 0)
    assert.deepEqual([await recipients(), await mails()], before)
    const left = (await recipients()).filter(({ email }) => email === address()).map(({ schedule_id }) => schedule_id)
    assert.ok(left.includes(again) && !left.includes(shared), String(left))
  })

  test('somebody who is no user is shown what is mailed to them, and erased', async () => {
    const stranger = 'stranger@else.example'
    const shared = await schedule(world.accountId, stranger, friend)
    await schedule(world.accountId, stranger)
    world.clock.pass(week)
    await queueDueReports(world.app)
    const others = async () => [
      (await recipients()).filter(({ email }) => email !== stranger),
      (await mails()).filter(({ recipient }) => recipient === friend),
    ]
    const [shown, before] = [await exportUser(world.operator, 'Stranger@Else.example'), await others()]
    assert.deepEqual([shown.report_recipients.length, shown.mails.length], [2, 2])
    assert.deepEqual(await eraseUser(world.operator, 'Stranger@Else.example'), { mails: 2 })
    assert.deepEqual(await others(), before)
    assert.ok(!JSON.stringify([await recipients(), await mails()]).includes(stranger))
    assert.deepEqual(
      (await schedules()).map(({ id }) => id),
      [shared],
    )
    await assert.rejects(eraseUser(world.operator, stranger), { code: 'not_found' })
    assert.ok(!readFileSync(journalPath(world.app.settings), 'utf8').includes(stranger))
  })

  test('a backup that brings the address back is erased again, by a journal that does not name it', async () => {
    const { second, globex, globexAccount } = await listed()
    const [r, m] = [await recipients(), await mails()]
    await eraseUser(world.operator, lea.login)
    const [rest, restOfMails] = [await recipients(), await mails()]
    const journal = journalPath(world.app.settings)
    assert.ok(journal.startsWith(place.folder))
    assert.doesNotMatch(readFileSync(journal, 'utf8'), /lea\./i)
    const back = { recipients: r.filter(({ schedule_id, email }) => [second, globex].includes(schedule_id) && email === address()) }
    await world.app.store.write(async (tx) => {
      await tx.insertInto('report_recipients').values(back.recipients).execute()
      const mail = m.filter(({ recipient, account_id }) => recipient === address() && account_id === globexAccount)
      await tx.insertInto('mails').values(mail).execute()
    })
    assert.equal(await eraseAgain(world.operator, readErasures([journal])), 1)
    assert.deepEqual([await recipients(), await mails()], [rest, restOfMails])
    assert.equal(await eraseAgain(world.operator, readErasures([journal])), 0)
  })

  test('a user who got the id of an erased one in a restored database is somebody else', async () => {
    const at = world.clock.now()
    const erased = { at, user_id: lea.id }
    await world.app.store.write((tx) =>
      tx.updateTable('users').set({ created_at: '2099-01-01T00:00:00Z' }).where('id', '=', lea.id).execute(),
    )
    assert.equal(await eraseAgain(world.operator, [erased]), 0)
    await world.app.store.write((tx) => tx.updateTable('users').set({ created_at: at }).where('id', '=', lea.id).execute())
    await schedule((await createPartner(world.operator, 'Initech')).account.id, address())
    assert.equal(await eraseAgain(world.operator, [erased]), 1)
    assert.deepEqual(
      (await recipients()).map(({ email }) => email),
      [address()],
      'without the hash of the address it was the retention of one partner',
    )
  })

  test('mails lose address and text 90 days after they were sent or given up, and are still not sent twice', async () => {
    await schedule(world.accountId, 'dana-owner@people.example', 'kim-one-site@people.example', lea.email)
    world.clock.pass(week)
    await queueDueReports(world.app)
    for (const settle of [settleSent, settleUncertain]) {
      const mail = (await claimMail(world.app)) ?? assert.fail('no mail')
      await settle(world.app, mail, `551 no ${mail.recipient}`)
    }
    const before = await mails()
    world.clock.pass(90 * 86_400)
    assert.equal((await sweep(world.operator)).mails, 0)
    assert.deepEqual(await mails(), before)
    world.clock.pass(600)
    const forever = { ...world.app, settings: { ...world.app.settings, keepMailsDays: 0 } }
    assert.equal((await sweep({ ...world.operator, app: forever })).mails, 0)
    const some = () => world.app.store.write((tx) => forgetOldMails(tx, world.clock.now(), 1))
    assert.deepEqual([await some(), (await sweep(world.operator)).mails, await some()], [1, 1, 0])
    const forgotten = { recipient: '', payload: '{}', error: null, due_at: '' }
    assert.deepEqual(
      await mails(),
      before.map((mail) => (mail.state === 'queued' ? mail : { ...mail, ...forgotten })),
    )
  })
})
