/** What the explanation says of a user and a site is what the pages do. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Failure } from '../../../src/lib/failures.ts'
import { explainAccess } from '../../../src/model/people/access-reasons.ts'
import { suspendUser, unsuspendUser } from '../../../src/model/people/user-states.ts'
import { openSite } from '../../../src/model/people/visible-sites.ts'
import { onEachEngine } from '../../support/engines.ts'
import { doorWorldAt } from '../../support/visitors.ts'

onEachEngine('why a user sees something', (place) => {
  const world = doorWorldAt(place)
  const explain = (login: keyof typeof world.users, type: 'Account' | 'Business' | 'Site', id: number) =>
    explainAccess(world.operator, world.users[login], type, id)

  test('agrees with the pages for every person and every site', async () => {
    const sites = [world.chicago, world.evanston, world.closed, world.globexSite]
    const verdicts = new Set<string>()
    for (const login of Object.keys(world.users) as (keyof typeof world.users)[]) {
      const { person } = await world.enter(login)
      for (const site of sites) {
        const { allowed, sentence } = await explain(login, 'Site', site)
        const opens = await openSite(person, site).then(
          () => true,
          (error) => (error instanceof Failure ? false : Promise.reject(error)),
        )
        assert.equal(allowed, opens, `${login}: ${sentence}`)
        verdicts.add(`${allowed}`)
      }
    }
    assert.equal(verdicts.size, 2)
  })

  test('names the owner, the ability and what stands above', async () => {
    const { chicago, evanston, closed, accountId, users } = world
    const dana = await explain('dana-owner', 'Site', closed)
    assert.deepEqual(dana.grants, [{ by: 'owner', scope_type: 'Account', scope_id: accountId, inherited: true }])
    assert.equal(dana.sentence, `User ${users['dana-owner']} owns account ${accountId}, which site ${closed} inherits.`)
    const kim = await explain('kim-one-site', 'Site', chicago)
    assert.deepEqual(kim.grants, [{ by: 'ability', scope_type: 'Site', scope_id: chicago, inherited: false }])
    assert.equal(kim.sentence, `User ${users['kim-one-site']} has an ability on site ${chicago}.`)
    const [lee] = (await explain('lee-business', 'Site', evanston)).grants
    assert.deepEqual([lee?.by, lee?.scope_type, lee?.inherited], ['ability', 'Business', true])
    assert.equal((await explain('rosa-account', 'Account', accountId)).allowed, true)
    assert.equal((await explain('kim-one-site', 'Account', accountId)).allowed, false)
  })

  test('says that there is nothing, and what keeps someone out', async () => {
    const { chicago, closed, globexSite, users } = world
    const newcomer = await explain('newcomer', 'Site', chicago)
    assert.deepEqual([newcomer.allowed, newcomer.grants, newcomer.obstacles], [false, [], []])
    assert.match(newcomer.sentence, /^User \d+ has no ability on site \d+, business \d+ or account \d+, and does not own the account\.$/)
    const rosa = await explain('rosa-account', 'Site', closed)
    assert.deepEqual([rosa.allowed, rosa.obstacles.map(({ code }) => code)], [false, ['business_deactivated']])
    const sites = world.app.store.db.selectFrom('sites').select('business_id').where('id', '=', closed)
    const { business_id: closedBusiness } = await sites.executeTakeFirstOrThrow()
    const onBusiness = await explain('rosa-account', 'Business', closedBusiness)
    assert.deepEqual([onBusiness.allowed, onBusiness.obstacles], [false, rosa.obstacles])
    assert.equal((await explain('dana-owner', 'Business', closedBusiness)).allowed, true)
    assert.deepEqual(
      (await explain('rosa-account', 'Site', globexSite)).obstacles.map(({ code }) => code),
      ['other_partner'],
    )
    await suspendUser(world.operator, users['kim-one-site'])
    const kim = await explain('kim-one-site', 'Site', chicago)
    assert.deepEqual([kim.allowed, kim.grants.length, kim.obstacles.map(({ code }) => code)], [false, 1, ['user_suspended']])
    assert.match(kim.sentence, /is suspended and cannot log in\.$/)
    await unsuspendUser(world.operator, users['kim-one-site'])
  })
})
