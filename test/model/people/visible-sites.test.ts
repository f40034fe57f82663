import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Failure } from '../../../src/lib/failures.ts'
import { lateWritesDone } from '../../../src/model/core/late-writes.ts'
import { setOwner } from '../../../src/model/partners/accounts.ts'
import { findUser } from '../../../src/model/people/users.ts'
import { isOpenTo, listVisibleSites, openSite, rememberSite } from '../../../src/model/people/visible-sites.ts'
import { onEachEngine } from '../../support/engines.ts'
import { doorWorldAt } from '../../support/visitors.ts'

onEachEngine('what a person may show', (place) => {
  const world = doorWorldAt(place)
  const person = async (login: string) => (await world.enter(login)).person
  const domains = async (login: string) => (await listVisibleSites(await person(login))).map(({ domain }) => domain.split('.')[0])
  const isAbsent = (promise: Promise<unknown>) => assert.rejects(promise, (error) => error instanceof Failure && error.code === 'not_found')

  test('the owner sees every site of the account without any ability', async () => {
    assert.deepEqual(await domains('dana-owner'), ['chicago', 'evanston', 'oldtown'])
  })

  test('an ability on the account, on a business, on a site reaches just that far', async () => {
    assert.deepEqual(await domains('rosa-account'), ['chicago', 'evanston', 'oldtown'])
    assert.deepEqual(await domains('lee-business'), ['evanston'])
    assert.deepEqual(await domains('kim-one-site'), ['chicago'])
    assert.deepEqual(await domains('newcomer'), [])
  })

  test("kim cannot open a neighbour's site, nor gina's, nor one that is not there: all three are simply absent", async () => {
    const kim = await person('kim-one-site')
    assert.equal((await openSite(kim, world.chicago)).domain, 'chicago.harbor.example')
    for (const id of [world.evanston, world.globexSite, 999_999, -1]) await isAbsent(openSite(kim, id))
  })

  test('a deactivated business is listed for rosa, but opens only to the owner', async () => {
    const [rosa, dana] = [await person('rosa-account'), await person('dana-owner')]
    const closed = (await listVisibleSites(rosa)).find(({ id }) => id === world.closed)
    assert.ok(closed && !isOpenTo(rosa, closed))
    await isAbsent(openSite(rosa, world.closed))
    assert.equal((await openSite(dana, world.closed)).business_state, 'deactivated')
  })

  test('a site that was opened is remembered as the current one', async () => {
    await rememberSite(await person('rosa-account'), world.evanston)
    await lateWritesDone(world.app)
    assert.equal((await findUser(world.operator, world.users['rosa-account'])).current_site_id, world.evanston)
  })

  test('who is no longer the owner sees nothing more', async () => {
    const dana = await person('dana-owner')
    await setOwner(world.operator, world.accountId, world.users['rosa-account'])
    assert.deepEqual(await listVisibleSites(dana), [])
    await setOwner(world.operator, world.accountId, world.users['dana-owner'])
  })
})
