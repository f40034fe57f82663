/** Users made at the same moment: the store decides who has the name, and nobody sees a crash. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { newPerson } from '../support/bodies.ts'
import { onEachEngine } from '../support/engines.ts'
import { codes } from '../support/refusals.ts'
import { type Reply, serviceOn, type TestPartner } from '../support/service.ts'

/** Each of them hashes two passwords, which is made to take long; the long form is `npm run hard:races`. */
const rounds = Number(process.env.RACES ?? 25)

onEachEngine('users made at the same moment', (place) => {
  const house = serviceOn(place)
  let acme: TestPartner
  let globex: TestPartner

  before(async () => {
    acme = await house.partner('Acme')
    globex = await house.partner('Globex')
  })

  test(`of two simultaneous creations of one login exactly one succeeds, ${rounds} times over`, async () => {
    for (let round = 0; round < rounds; round++) {
      const { login } = newPerson(acme.accountId)
      const twins = [acme, globex].map((partner) => partner.post('/api/users.json', newPerson(partner.accountId, { login })))
      const replies = await Promise.all(twins)
      assert.deepEqual(replies.map(({ status }) => status).toSorted(), [201, 422])
      const loser = replies.find(({ status }) => status === 422) as Reply
      assert.deepEqual(codes(loser, 422), ['login taken'])
    }
  })

  test('crossed names, made at the same moment, end well too', async () => {
    for (let round = 0; round < 10; round++) {
      const [one, other] = [newPerson(acme.accountId), newPerson(acme.accountId)]
      const crossed = [
        { ...one, email: one.email, login: one.login },
        { ...other, email: other.email, login: one.login },
        { ...other, email: one.email, login: other.login },
      ]
      const statuses = await Promise.all(crossed.map(async (person) => (await acme.post('/api/users.json', person)).status))
      assert.ok(statuses.every((status) => status === 201 || status === 422) && statuses.includes(201), statuses.join())
    }
  })
})
