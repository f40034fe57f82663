/** The latest figures of competitors, of some measured on few days, of one measured on very many, and of one that never was. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { dayNumber, dayText } from '../../../src/lib/time/days.ts'
import { readMeasuredSubjects } from '../../../src/model/reports/read-subjects.ts'
import { snapshotReader } from '../../../src/model/reports/snapshot-reader.ts'
import { onEachEngine } from '../../support/engines.ts'
import { observe } from '../../support/report-world.ts'
import { serviceOn, type TestPartner } from '../../support/service.ts'

const site = 'plumbing.example'
const measured = (competitor: string, day: string, figures: object) => ({ type: 'snapshot', site, competitor, day, ...figures })
const daily = Array.from({ length: 1_200 }, (_, index) =>
  measured('daily.example', dayText(dayNumber('2022-01-01') + index), { backlink_count: index, ...(index === 0 && { domain_age: 77 }) }),
)
const others = Array.from({ length: 40 }, (_, index) => measured(`rival${index}.example`, '2026-03-01', { backlink_count: index }))
const bare = { type: 'competitor', site, competitor: 'bare.example' }
const last = measured('last.example', '2026-03-01', { domain_age: 5 })

onEachEngine('competitors of a site', (place) => {
  const service = serviceOn(place)
  const at = {} as { acme: TestPartner; siteId: number }
  before(async () => {
    at.acme = await service.partner('Acme')
    await observe(service, at.acme, [...others.slice(0, 20), ...daily, ...others.slice(20), bare, last])
    at.siteId = (await service.app.store.db.selectFrom('sites').select('id').executeTakeFirstOrThrow()).id
  })

  const read = (by: string, withDays: boolean) => {
    const { store } = service.app
    return store.snapshot(async (db) => {
      const reading = snapshotReader(db, store.engine)
      const asked = { reading, accountId: at.acme.accountId, of: 'competitors', onSubjects: () => {} } as const
      const subjects = readMeasuredSubjects(asked, by, withDays)
      subjects.expect([at.siteId])
      return subjects.all(at.siteId)
    })
  }

  test('come in the order of their ids, each with what was last known of it', async () => {
    const subjects = await read('2026-12-31', false)
    assert.deepEqual(
      subjects.map(({ domain, figures: { known } }) => [domain, known.backlink_count ?? null, known.domain_age ?? null]),
      [
        ...others.slice(0, 20).map(({ competitor }, index) => [competitor, index, null]),
        ['daily.example', 1_199, 77],
        ...others.slice(20).map(({ competitor }, index) => [competitor, 20 + index, null]),
        ['bare.example', null, null],
        ['last.example', null, 5],
      ],
    )
  })

  test('come with the days on which it was measured, up to a day', async () => {
    const subjects = (await read('2023-01-01', true)) as unknown as { domain: string; backlink_count_on: string; domain_age_on: string }[]
    const { backlink_count_on, domain_age_on } = subjects.find(({ domain }) => domain === 'daily.example') ?? {}
    assert.deepEqual([backlink_count_on, domain_age_on], ['2023-01-01', '2022-01-01'])
    assert.equal(subjects.length, 43)
  })
})
