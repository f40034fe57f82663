/** The operator asks why a key is refused and why a person sees something. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { issueKey, revokeKey } from '../../src/model/partners/keys/keys.ts'
import { createPartner, suspendPartner } from '../../src/model/partners/partners.ts'
import { groundAt } from '../support/app.ts'
import { marqueeEach } from '../support/command.ts'
import { onEachEngine } from '../support/engines.ts'
import { makePeople, type PeopleWorld } from '../support/people.ts'

onEachEngine('marquee why', (place) => {
  const ground = groundAt(place)
  let world: PeopleWorld
  before(async () => {
    world = await makePeople(ground.operator)
  })

  test('names what speaks against a key, or what it may do', async () => {
    const { operator } = ground
    const valid = await issueKey(operator, world.partnerId, { scopes: ['report'], expires_at: '2099-01-01T00:00:00Z' })
    const revoked = await issueKey(operator, world.partnerId)
    await revokeKey(operator, revoked.record.public_part)
    const expired = await issueKey(operator, world.partnerId, { expires_at: '2020-01-01T00:00:00Z' })
    const { partner, key } = await createPartner(operator, 'Initech')
    await suspendPartner(operator, partner.id)
    // biome-ignore format: a table reads by its columns
    const cases: readonly [key: string, code: number, says: RegExp][] = [
      ['nobody00',                   1, /There is no such key in this database/],
      [revoked.record.public_part,   1, /It was revoked at 2026-11-14T12:00:00Z by operator\./],
      [expired.record.public_part,   1, /It expired at 2020-01-01T00:00:00Z\./],
      [key.slice(3, 11),             1, /The partner Initech is suspended since 2026-11-14T12:00:00Z, by operator\./],
      [valid.record.public_part,     0, /Its scopes are report; what needs provision.* is refused with 403\.[\s\S]*6000 times a minute[\s\S]*It has never been used/],
    ]
    const told = await marqueeEach(
      place,
      cases.map(([name]) => `why key ${name}`),
    )
    for (const [index, [name, code, says]] of cases.entries()) {
      assert.equal(told[index]?.code, code, name)
      assert.match(told[index]?.stdout ?? '', says)
    }
  })

  test('names what lets a user see a site, or what is missing', async () => {
    const { users, chicago, evanston } = world
    const lines = [
      `why user ${users['kim-one-site']} --site ${chicago}`,
      `why user ${users['kim-one-site']} --site ${evanston}`,
      `why user ${users['dana-owner']} --site ${evanston} --json`,
      `why user ${users['dana-owner']}`,
      `why user 999999 --site ${chicago}`,
    ]
    const [sees, lacks, owns, unnamed, absent] = await marqueeEach(place, lines)
    assert.match(sees?.stdout ?? '', /has an ability on site/)
    assert.deepEqual([sees?.code, lacks?.code, owns?.code, unnamed?.code, absent?.code], [0, 1, 0, 2, 1])
    assert.match(lacks?.stdout ?? '', /has no ability on site .* and does not own the account/)
    assert.equal(owns?.json<{ access: { allowed: boolean } }>().access.allowed, true)
    assert.match(unnamed?.stderr ?? '', /Name one thing: --site, --business or --account/)
  })
})
