/** Scheduled reports: queued once for each schedule, period and recipient, sent at most once, and only to who wants them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { draftOf } from '../../../src/fields/read.ts'
import { queueDueReports, sendAgain } from '../../../src/model/mail/due-reports.ts'
import { lastPeriod } from '../../../src/model/mail/periods.ts'
import { claimMail, messageIdOf, settleAbandoned, settleRefused, settleSent } from '../../../src/model/mail/queue.ts'
import { confirmRecipient, readAsker, recipientToken, unsubscribeRecipient } from '../../../src/model/mail/recipients.ts'
import { createSchedule, deleteSchedule, listSchedules } from '../../../src/model/mail/schedules.ts'
import { createAccount } from '../../../src/model/partners/accounts.ts'
import { createPartner } from '../../../src/model/partners/partners.ts'
import { queueWelcome } from '../../../src/model/people/customers/clients.ts'
import { makeWelcomeLink, redeemLoginLink } from '../../../src/model/people/login-links.ts'
import { createUser } from '../../../src/model/people/users.ts'
import { newUser } from '../../../src/resources/user.ts'
import { onEachEngine } from '../../support/engines.ts'
import { doorWorldAt } from '../../support/visitors.ts'

test('a week ends on Sunday and a month on its last day', () => {
  assert.deepEqual(lastPeriod('weekly', '2026-11-16'), { from: '2026-11-09', to: '2026-11-15' })
  assert.deepEqual(lastPeriod('weekly', '2026-11-15'), { from: '2026-11-02', to: '2026-11-08' })
  assert.deepEqual(lastPeriod('monthly', '2026-03-01'), { from: '2026-02-01', to: '2026-02-28' })
  assert.deepEqual(lastPeriod('monthly', '2024-03-31'), { from: '2024-02-01', to: '2024-02-29' })
})

onEachEngine('scheduled reports', (place) => {
  const world = doorWorldAt(place)
  const weekly = { rhythm: 'weekly', siteIds: null } as const
  const mails = () => world.app.store.db.selectFrom('mails').selectAll().orderBy('id').execute()
  const clear = async () => {
    await world.app.store.write(async (tx) => {
      await tx.deleteFrom('mails').execute()
      await tx.deleteFrom('report_recipients').execute()
      await tx.deleteFrom('report_runs').execute()
      await tx.deleteFrom('report_schedules').execute()
    })
  }

  test('dana schedules a weekly report: she gets it, everybody else is asked first', async () => {
    await clear()
    const { person, email } = await world.enter('dana-owner')
    const made = await createSchedule(person, world.accountId, { ...weekly, recipients: [email, 'Friend@Else.example', email] })
    assert.deepEqual(
      made.recipients.map(({ email, state }) => [email, state]),
      [
        [email, 'active'],
        ['friend@else.example', 'unconfirmed'],
      ],
    )
    assert.deepEqual(
      (await mails()).map(({ kind, recipient }) => [kind, recipient]),
      [['confirmation', 'friend@else.example']],
    )
    assert.equal(await queueDueReports(world.app), 0, 'the running week has not ended')
    world.clock.pass(7 * 86_400)
    assert.equal(await queueDueReports(world.app), 1)
    assert.equal(await queueDueReports(world.app), 0, 'the same period is not queued again')
    await confirmRecipient(world.app, recipientToken(world.app, made.recipients[1]?.id ?? 0))
    world.clock.pass(7 * 86_400)
    assert.equal(await queueDueReports(world.app), 2)
    await unsubscribeRecipient(world.app, recipientToken(world.app, made.recipients[0]?.id ?? 0))
    world.clock.pass(7 * 86_400)
    assert.equal(await queueDueReports(world.app), 1)
    assert.deepEqual((await listSchedules(person, world.accountId))[0]?.id, made.id)
    await deleteSchedule(person, world.accountId, made.id)
    assert.deepEqual(await listSchedules(person, world.accountId), [])
  })

  test('who confirms later gets the period that was mailed already, and other schedules keep theirs', async () => {
    await clear()
    const mailed = async () =>
      (await mails()).filter(({ kind }) => kind === 'report').map(({ recipient, payload }) => [recipient, JSON.parse(payload).to])
    const [dana, friend, kim] = ['dana-owner@people.example', 'friend@else.example', 'kim-one-site@people.example'] as const
    const { id, recipients } = await createSchedule(world.operator, world.accountId, { ...weekly, recipients: [dana, friend] })
    const { recipients: others } = await createSchedule(world.operator, world.accountId, { ...weekly, recipients: [kim] })
    for (const one of [recipients[0], others[0]]) await confirmRecipient(world.app, recipientToken(world.app, one?.id ?? 0))
    world.clock.pass(7 * 86_400)
    const { to } = lastPeriod('weekly', world.clock.now().slice(0, 10))
    await queueDueReports(world.app)
    const once = [
      [dana, to],
      [kim, to],
    ]
    assert.deepEqual(await mailed(), once)
    assert.equal(await sendAgain(world.operator, id), 0)
    await confirmRecipient(world.app, recipientToken(world.app, recipients[1]?.id ?? 0))
    assert.equal(await queueDueReports(world.app), 0, 'the period is over and mailed: the operator sends it again, or nobody')
    assert.equal(await sendAgain(world.operator, id), 1)
    assert.equal(await sendAgain(world.operator, id), 0)
    assert.deepEqual(await mailed(), [...once, [friend, to]])
    world.clock.pass(7 * 86_400)
    assert.equal(await sendAgain(world.operator, id), 2)
    assert.equal(await queueDueReports(world.app), 1, 'the schedule of kim is still due')
    assert.equal((await mailed()).at(-1)?.[0], kim)
  })

  test('kim, who owns nothing, can schedule nothing; a made-up token opens nothing', async () => {
    const { person } = await world.enter('kim-one-site')
    await assert.rejects(createSchedule(person, world.accountId, { ...weekly, recipients: ['a@b.example'] }), { code: 'not_found' })
    await assert.rejects(listSchedules(person, world.accountId), { code: 'not_found' })
    await assert.rejects(confirmRecipient(world.app, '1.0000'), { code: 'not_found' })
  })

  test('bad wishes are named, and nothing is stored', async () => {
    await clear()
    const many = Array.from({ length: 21 }, (_, n) => `a${n}@b.example`)
    for (const [wishes, field] of [
      [{ ...weekly, recipients: [] }, 'recipients'],
      [{ ...weekly, recipients: ['nobody'] }, 'recipients'],
      [{ ...weekly, recipients: ['a@b.example\r\nBcc: c@d.example'] }, 'recipients'],
      [{ ...weekly, recipients: many }, 'recipients'],
      [{ ...weekly, siteIds: [world.globexSite], recipients: ['a@b.example'] }, 'site_ids'],
      [{ ...weekly, siteIds: [], recipients: ['a@b.example'] }, 'site_ids'],
      [{ rhythm: 'daily' as 'weekly', siteIds: null, recipients: ['a@b.example'] }, 'rhythm'],
    ] as const) {
      await assert.rejects(
        createSchedule(world.operator, world.accountId, wishes),
        (error: { details: { faults: { field: string }[] } }) => {
          assert.equal(error.details.faults[0]?.field, field)
          return true
        },
      )
    }
    assert.deepEqual(await mails(), [])
  })

  const weeklyTo = (caller: Parameters<typeof createSchedule>[0], ...recipients: string[]) =>
    createSchedule(caller, world.accountId, { ...weekly, recipients })
  const states = async () =>
    (await db().selectFrom('report_recipients').select(['email', 'state']).orderBy('id').execute()).map(
      ({ email, state }) => `${email} ${state}`,
    )
  const db = () => world.app.store.db

  test('a user whom somebody else adds confirms once for all accounts of the partner, by a mail that says who asks', async () => {
    await clear()
    const { person } = await world.enter('dana-owner')
    const { recipients } = await weeklyTo(person, 'kim-one-site@people.example')
    assert.deepEqual(await states(), ['kim-one-site@people.example unconfirmed'])
    const [mail] = await mails()
    assert.deepEqual(JSON.parse(mail?.payload ?? ''), { recipient_id: recipients[0]?.id, asked_by: person.userId })
    assert.equal(await readAsker(world.app, person.userId), 'dana-owner')
    await confirmRecipient(world.app, recipientToken(world.app, recipients[0]?.id ?? 0))
    const { id } = await createAccount(world.operator, world.partnerId, 'Second')
    await createSchedule(world.operator, id, { ...weekly, recipients: ['kim-one-site@people.example'] })
    const other = await createPartner(world.operator, 'Another')
    await createSchedule(world.operator, other.account.id, { ...weekly, recipients: ['kim-one-site@people.example'] })
    const kim = 'kim-one-site@people.example'
    assert.deepEqual(await states(), [`${kim} active`, `${kim} active`, `${kim} unconfirmed`])
    assert.equal((await mails()).length, 2)
  })

  test('many schedules for one person ask once, and the answer holds for all of them', async () => {
    await clear()
    const wishes = { ...weekly, recipients: ['many@else.example', 'other@else.example'] }
    const made = []
    for (let times = 0; times < 5; times++) made.push(await createSchedule(world.operator, world.accountId, wishes))
    assert.deepEqual(
      (await mails()).map(({ recipient }) => recipient),
      ['many@else.example', 'other@else.example'],
    )
    await confirmRecipient(world.app, recipientToken(world.app, made[0]?.recipients[0]?.id ?? 0))
    const states = (await listSchedules(world.operator, world.accountId)).map(({ recipients }) => recipients.map(({ state }) => state))
    assert.deepEqual(
      states,
      made.map(() => ['active', 'unconfirmed']),
    )
  })

  test('whoever accepts an invitation that names the reports has confirmed them, and is not asked besides', async () => {
    await clear()
    const given = { login: 'vera-invited', email: 'Vera@People.example', password: 'secret99', account_id: world.accountId }
    const vera = await createUser(world.operator, draftOf(newUser, given))
    await world.app.store.write((tx) => queueWelcome(tx, world.app, { ...vera, account_id: world.accountId }))
    await weeklyTo(world.operator, vera.email, 'friend@else.example')
    assert.deepEqual(
      (await mails()).map(({ kind, recipient }) => `${kind} ${recipient}`),
      ['invitation vera@people.example', 'confirmation friend@else.example'],
    )
    const link = (await makeWelcomeLink(world.app, vera.id)) ?? assert.fail()
    assert.deepEqual(link.reports, ['weekly'])
    assert.deepEqual(await states(), ['vera@people.example unconfirmed', 'friend@else.example unconfirmed'])
    await redeemLoginLink(world.visitor(), link.token)
    assert.deepEqual(await states(), ['vera@people.example active', 'friend@else.example unconfirmed'])
  })

  test('a partner asks so many people in a day, and another as many', async () => {
    await clear()
    const caller = { ...world.operator, app: { ...world.app, settings: { ...world.app.settings, askingMailsPerDay: 2 } } }
    await weeklyTo(caller, 'a@b.example', 'c@d.example')
    await assert.rejects(weeklyTo(caller, 'e@f.example'), { code: 'too_many_requests' })
    const other = await createPartner(world.operator, 'A third')
    await createSchedule(caller, other.account.id, { ...weekly, recipients: ['e@f.example'] })
    world.clock.pass(86_400)
    await weeklyTo(caller, 'e@f.example')
    assert.equal((await mails()).length, 4)
  })

  test('a mail is claimed once, tried again after a refusal, and given up after the last one', async () => {
    await clear()
    await createSchedule(world.operator, world.accountId, { ...weekly, recipients: ['a@b.example'] })
    const claims = await Promise.all([claimMail(world.app), claimMail(world.app), claimMail(world.app)])
    assert.equal(claims.filter((mail) => mail !== null).length, 1)
    let mail = claims.find((claim) => claim !== null)
    const id = mail && messageIdOf(world.app, mail)
    for (let tries = 1; mail; tries++) {
      assert.equal(mail.attempts, tries)
      assert.equal(messageIdOf(world.app, mail), id)
      await settleRefused(world.app, mail, '451 try later')
      assert.equal(await claimMail(world.app), null, 'not at once')
      world.clock.pass(9 * 3600)
      mail = (await claimMail(world.app)) ?? undefined
    }
    assert.equal((await mails())[0]?.state, 'failed')
  })

  test('a mail whose sender ended in the middle is uncertain, and never sent again', async () => {
    await clear()
    await createSchedule(world.operator, world.accountId, { ...weekly, recipients: ['a@b.example', 'c@d.example'] })
    const mail = await claimMail(world.app)
    assert.ok(mail)
    assert.equal(await settleAbandoned(world.app), 0, 'it may still be on its way')
    world.clock.pass(3600)
    assert.equal(await settleAbandoned(world.app), 1)
    const other = await claimMail(world.app)
    assert.notEqual(other?.id, mail.id)
    if (other) await settleSent(world.app, other)
    assert.equal(await claimMail(world.app), null)
    assert.deepEqual((await mails()).map(({ state }) => state).toSorted(), ['sent', 'uncertain'])
  })
})
