/** Editors of an account may do more with what they see, and see no more. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Failure } from '../../../src/lib/failures.ts'
import { addAnnotation } from '../../../src/model/dashboard/annotations.ts'
import { createSchedule, listSchedules } from '../../../src/model/mail/schedules.ts'
import { listAbilities, updateAbilities } from '../../../src/model/people/abilities.ts'
import { createShareLink } from '../../../src/model/people/share-links.ts'
import { addEditor, findEditor, listEditors, removeEditor } from '../../../src/model/people/staff/editors.ts'
import { deleteUser } from '../../../src/model/people/user-states.ts'
import { listVisibleSites } from '../../../src/model/people/visible-sites.ts'
import { onEachEngine } from '../../support/engines.ts'
import { doorWorldAt } from '../../support/visitors.ts'

onEachEngine('editors of an account', (place) => {
  const world = doorWorldAt(place)
  const link = { label: 'a friend', days: 30, password: null }
  const note = { day: '2026-11-01', text: 'A new page' }
  const weekly = { rhythm: 'weekly' as const, siteIds: null, recipients: ['kim-one-site@people.example'] }
  const person = async (login: string) => (await world.enter(login)).person
  const refused = (work: Promise<unknown>, code: Failure['code'] = 'not_found') =>
    assert.rejects(work, (error) => error instanceof Failure && error.code === code)

  test('kim shares and notes the one site that she sees, and no other', async () => {
    const kim = await person('kim-one-site')
    await refused(createShareLink(kim, world.chicago, link))
    await refused(addAnnotation(kim, world.chicago, note))
    await addEditor(world.operator, world.accountId, world.users['kim-one-site'])
    await addEditor(world.operator, world.accountId, world.users['kim-one-site'])
    await createShareLink(kim, world.chicago, link)
    await addAnnotation(kim, world.chicago, note)
    await refused(createShareLink(kim, world.evanston, link))
    await refused(addAnnotation(kim, world.evanston, note))
    assert.deepEqual(
      (await listVisibleSites(kim)).map(({ id }) => id),
      [world.chicago],
    )
    await refused(createSchedule(kim, world.accountId, weekly), 'not_found')
    await removeEditor(world.operator, world.accountId, world.users['kim-one-site'])
    await refused(createShareLink(kim, world.chicago, link))
    await refused(removeEditor(world.operator, world.accountId, world.users['kim-one-site']))
  })

  test('rosa, who sees the whole account, schedules its mails once she is an editor', async () => {
    const rosa = await person('rosa-account')
    await refused(listSchedules(rosa, world.accountId))
    await addEditor(world.operator, world.accountId, world.users['rosa-account'])
    const { id } = await createSchedule(rosa, world.accountId, weekly)
    assert.deepEqual(
      (await listSchedules(rosa, world.accountId)).map((schedule) => schedule.id),
      [id],
    )
  })

  test('an editor without abilities sees nothing, and abilities never list it', async () => {
    const newcomer = await person('newcomer')
    await addEditor(world.operator, world.accountId, world.users.newcomer)
    assert.deepEqual(await listVisibleSites(newcomer), [])
    await refused(createShareLink(newcomer, world.chicago, link))
    await refused(createSchedule(newcomer, world.accountId, weekly))
    assert.deepEqual(await listAbilities(world.operator, world.users.newcomer), [])
    await updateAbilities(world.operator, world.users.newcomer, { entries: [], faults: [] }, 'replace')
    assert.equal((await findEditor(world.operator, world.accountId, world.users.newcomer)).user_id, world.users.newcomer)
  })

  test('a user who is deleted is no editor any more', async () => {
    await addEditor(world.operator, world.accountId, world.users['lee-business'])
    await deleteUser(world.operator, world.users['lee-business'])
    const editors = await listEditors(world.operator, world.accountId)
    assert.ok(!editors.some(({ user_id }) => user_id === world.users['lee-business']))
    await refused(addEditor(world.operator, world.accountId, world.users['lee-business']))
  })
})
