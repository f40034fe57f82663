/** The suppression list of a partner: who unsubscribed is not asked again, whoever wants mail again gets it, and an erased person leaves only a hash. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askAgain } from '../../../src/model/mail/ask-again.ts'
import { confirmRecipient, recipientToken, unsubscribeRecipient } from '../../../src/model/mail/recipients.ts'
import { createSchedule, findSchedule } from '../../../src/model/mail/schedules.ts'
import { endSuppression, listSuppressions, suppressUnsubscribed } from '../../../src/model/mail/suppressions.ts'
import { createAccount } from '../../../src/model/partners/accounts.ts'
import { createPartner } from '../../../src/model/partners/partners.ts'
import { listOwnMails, switchOwnMail } from '../../../src/model/people/me/own-mails.ts'
import { eraseUser, exportUser } from '../../../src/model/people/personal-data.ts'
import { onEachEngine } from '../../support/engines.ts'
import { doorWorldAt } from '../../support/visitors.ts'

onEachEngine('the suppression list', (place) => {
  const world = doorWorldAt(place)
  const friend = 'friend@else.example'
  const asked = async (email: string) => {
    const mails = world.app.store.db.selectFrom('mails').select('id').where('kind', '=', 'confirmation').where('recipient', '=', email)
    return (await mails.execute()).length
  }
  const schedule = (email: string, accountId = world.accountId) =>
    createSchedule(world.operator, accountId, { rhythm: 'weekly', siteIds: null, recipients: [email] })
  const listed = async (partnerId = world.partnerId) => {
    const { items } = await listSuppressions(world.operator, partnerId, undefined)
    return items.map(({ address, reason }) => [address, reason])
  }
  const stateIn = async ({ account_id, id }: { account_id: number; id: number }) =>
    (await findSchedule(world.operator, account_id, id)).recipients[0]?.state
  const unsubscribe = ({ recipients }: Awaited<ReturnType<typeof schedule>>) =>
    unsubscribeRecipient(world.app, recipientToken(world.app, recipients[0]?.id ?? 0))

  test('keeps a program from asking whoever has unsubscribed, until they are taken off it', async () => {
    const first = await schedule(friend)
    await unsubscribe(first)
    await unsubscribe(first)
    assert.deepEqual(await listed(), [['f…@else.example', 'unsubscribed']])
    const next = await schedule(friend)
    assert.deepEqual([next.recipients[0]?.state, await asked(friend)], ['unsubscribed', 1])
    const [entry] = (await listSuppressions(world.operator, world.partnerId, undefined, { email: ' Friend@Else.example ' })).items
    await endSuppression(world.operator, world.partnerId, entry?.id ?? 0)
    assert.deepEqual([await listed(), await stateIn(next)], [[], 'unsubscribed'])
    const later = await schedule(friend)
    assert.deepEqual([later.recipients[0]?.state, await asked(friend)], ['unconfirmed', 2])
  })

  test('is not asked again by resending the question, and ends for whoever agrees or turns a mail of theirs on', async () => {
    const rosa = 'rosa@else.example'
    const waiting = await schedule(rosa)
    await world.app.store.write((tx) => suppressUnsubscribed(tx, world.app, world.partnerId, rosa))
    const again = askAgain(world.operator, world.accountId, waiting.id, waiting.recipients[0]?.id ?? 0)
    await assert.rejects(again, /list of suppressed addresses/)
    await confirmRecipient(world.app, recipientToken(world.app, waiting.recipients[0]?.id ?? 0))
    assert.deepEqual(await listed(), [])
    const dana = await world.enter('dana-owner')
    const own = await createSchedule(dana.person, world.accountId, { rhythm: 'weekly', siteIds: null, recipients: [dana.email] })
    const mine = (await listOwnMails(dana)).find(({ id }) => id === own.recipients[0]?.id)
    await switchOwnMail(dana, mine?.id ?? 0, 'unsubscribed')
    assert.deepEqual(await listed(), [['d…@people.example', 'unsubscribed']])
    await switchOwnMail(dana, mine?.id ?? 0, 'active')
    assert.deepEqual(await listed(), [])
    await switchOwnMail(dana, mine?.id ?? 0, 'unsubscribed')
    const added = await createSchedule(dana.person, world.accountId, { rhythm: 'monthly', siteIds: null, recipients: [dana.email] })
    assert.deepEqual([added.recipients[0]?.state, await listed()], ['active', []], 'who adds their own address asks for it')
  })

  test('is the partner’s own: another one asks for itself', async () => {
    const kim = 'kim@else.example'
    await unsubscribe(await schedule(kim))
    const globex = (await createPartner(world.operator, 'Globex')).partner.id
    const elsewhere = await schedule(kim, (await createAccount(world.operator, globex, 'Elsewhere')).id)
    assert.deepEqual([elsewhere.recipients[0]?.state, await asked(kim), await listed(globex)], ['unconfirmed', 2, []])
  })

  test('keeps nothing but a hash of an erased person, whom nobody asks again', async () => {
    const lee = await world.enter('lee-business')
    await world.app.store.write((tx) => suppressUnsubscribed(tx, world.app, world.partnerId, lee.email))
    assert.deepEqual(
      (await exportUser(world.operator, lee.email)).suppressions.map(({ reason }) => reason),
      ['unsubscribed'],
    )
    await eraseUser(world.operator, lee.email)
    assert.deepEqual(
      (await listed()).filter(([address]) => address === ''),
      [['', 'unsubscribed']],
    )
    assert.equal((await schedule(lee.email)).recipients[0]?.state, 'unsubscribed')
  })
})
