/** The history at a customer's page: in words, with what was opened to whom, and nothing of other customers. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { StaffCaller } from '../../../src/model/core/caller.ts'
import { archiveCustomer, unarchiveCustomer } from '../../../src/model/partners/customers.ts'
import { updateAbilities } from '../../../src/model/people/abilities.ts'
import { suspendUser } from '../../../src/model/people/user-states.ts'
import { eventNames } from '../../../src/resources/event.ts'
import { doneTexts } from '../../../src/web/screens/desk/customer/history-texts.ts'
import { agencyOn } from '../../support/agency.ts'
import { onPageEngine } from '../../support/engines.ts'

onPageEngine('the history of a customer', (place) => {
  const { service, agency, at, send } = agencyOn(place)
  const harbor = () => `/desk/customers/${agency.world.accountId}`
  const historyOf = (text: string) =>
    [...(/<h2 id="history">.*?<\/section>/s.exec(text)?.[0] ?? '').matchAll(/<li>(.*?)<\/li>/g)].map(([, said = '']) =>
      said.replaceAll('<wbr>', '').replace(/^.*?: /, ''),
    )

  test('says what was opened to somebody and what was closed, and nothing of other customers', async () => {
    const ben = await at('ben-desk')
    const { world } = agency
    await send(ben, '/desk/add', { name: 'Elm Street Vets', domain: 'elm.example' })
    const { id: elm } = await service.app.store.db
      .selectFrom('accounts')
      .select('id')
      .where('name', '=', 'Elm Street Vets')
      .executeTakeFirstOrThrow()
    const all = { key: 'show', scope_type: 'Account', scope_id: elm } as const
    await updateAbilities(service.operator, world.users['kim-one-site'], { entries: [all], faults: [] }, 'merge')
    const kim = `${harbor()}/people/${world.users['kim-one-site']}`
    const was = async () => /name="was" value="([\w-]{22})"/.exec((await ben.get(kim)).text)?.[1] ?? ''
    assert.equal((await send(ben, kim, { was: await was(), sees: `Site:${world.evanston}` })).status, 303)
    const [closed, opened] = historyOf((await ben.get(harbor())).text)
    assert.equal(opened, 'kim-one-site may see evanston.harbor.example, by ben-desk')
    assert.equal(closed, 'kim-one-site may no longer see chicago.harbor.example, by ben-desk')
    const [newest = '', ...older] = historyOf((await ben.get(`/desk/customers/${elm}`)).text)
    assert.equal(newest, 'kim-one-site may see all sites of Elm Street Vets, by the operator')
    assert.ok(!older.some((said) => said.includes('kim')), older.join('\n'))
    const dana = await at('dana-owner')
    const card = (await dana.get(`/people?person=${world.users['kim-one-site']}`)).text
    const held = /name="was" value="([^"]+)"/.exec(card)?.[1] ?? ''
    const removed = await send(dana, '/people', { do: 'remove', person: String(world.users['kim-one-site']), was: held })
    assert.equal(removed.status, 303)
    assert.deepEqual(
      historyOf((await ben.get(harbor())).text).filter((said) => / see evanston/.test(said)),
      [
        'kim-one-site may no longer see evanston.harbor.example, by dana-owner',
        'kim-one-site may see evanston.harbor.example, by ben-desk',
      ],
    )
  })

  test('names whoever did something although they have left, and goes back to the beginning', async () => {
    const { partnerId, accountId } = agency.world
    const post = { role: 'member', customers: 'all' } as const
    const ben: StaffCaller = {
      kind: 'staff',
      app: service.app,
      requestId: 'test',
      partnerId,
      accountId: agency.home,
      userId: agency.staff.ben,
      ...post,
    }
    for (let many = 0; many < 30; many++) {
      await archiveCustomer(ben, accountId)
      await unarchiveCustomer(ben, accountId)
    }
    const ada = await at('ada-desk')
    await send(ada, '/desk/team', { do: 'remove', member: String(agency.staff.ben), successor: String(agency.staff.ada) })
    const { text } = await ada.get(harbor())
    assert.deepEqual(
      [...new Set(historyOf(text))],
      ['the customer was taken out of the archive, by ben-desk', 'the customer was archived, by ben-desk'],
    )
    const [, next = ''] = /<a href="([^"]*)" rel="next">Earlier/.exec(text) ?? []
    const earlier = (await ada.get(next.replaceAll('&amp;', '&').replace(/#.*/, ''))).text
    assert.equal(historyOf(earlier).at(-1), 'the customer was added, by the operator')
    assert.match(earlier, />The newest<\/a>/)
    assert.doesNotMatch(earlier, /rel="next">Earlier/)
    await suspendUser(service.operator, agency.world.users['lee-business'])
    assert.equal(historyOf((await ada.get(harbor())).text)[0], 'a person was suspended (lee-business), by the operator')
  })
})

test('everything that is recorded with a customer has words', () => {
  const sources = readdirSync('src/model', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
  const nouns = 'account|annotation|business|competitor|intake|keyword|location|page|schedule|site|user'
  const named = sources.flatMap((path) =>
    [...readFileSync(join('src/model', path), 'utf8').matchAll(new RegExp(`'((?:${nouns})\\.[a-z_]+)'`, 'g'))].map(
      ([, action = '']) => action,
    ),
  )
  const more = [
    'abilities.merge',
    'abilities.remove',
    'abilities.replace',
    'business.delete',
    'site.delete',
    'keyword.delete',
    'competitor.delete',
  ]
  // Events are told to programs.
  const told = new Set<string>(eventNames)
  assert.deepEqual(
    [...new Set([...named, ...more])].filter((action) => !told.has(action) && !Object.hasOwn(doneTexts, action)),
    [],
  )
  assert.ok(named.length > 60, `${named.length} actions are found`)
})
