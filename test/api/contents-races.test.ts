/** Contents of a site that change at the same moment: what is asked for twice is there once, and nobody sees a crash. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { type Reply, serviceOn, type TestPartner } from '../support/service.ts'

const rounds = 10
const atOnce = 4

const contents = [
  ['keywords', (round: number) => [{ phrase: `plumber ${round}` }, { phrase: `roofer ${round}` }]],
  ['competitors', (round: number) => [{ domain: `rival-${round}.example` }, { domain: `other-${round}.example` }]],
  ['pages', (round: number) => [{ source: 'google', page_url: `https://maps.example/${round}` }]],
] as const

onEachEngine('contents of a site that change at the same moment', (place) => {
  const house = serviceOn(place)
  let acme: TestPartner
  let business: number
  let sites = 0

  before(async () => {
    acme = await house.partner('Acme')
    business = (await acme.client.createBusiness({ name: 'Harbor', account_id: acme.accountId })).id
  })

  const newSite = () => acme.client.createSite({ business_id: business, domain: `site-${sites++}.example` })

  const besideDeletion = async (add: (id: number, round: number) => Promise<Reply>) => {
    for (let round = 0; round < rounds; round++) {
      const { id } = await newSite()
      const added = Array.from({ length: atOnce }, () => add(id, round))
      const [deleted, ...replies] = await Promise.all([acme.ask('DELETE', `/api/sites/${id}.json`), ...added])
      assert.equal(deleted?.status, 200)
      for (const { status, text } of replies) assert.ok([200, 201, 404, 422].includes(status), `${status}: ${text}`)
    }
  }

  for (const [name, entriesOf] of contents) {
    test(`the same ${name}, added by several, are there once, and each is told the same ids`, async () => {
      for (let round = 0; round < rounds; round++) {
        const { id } = await newSite()
        const [one, other] = [{ [name]: entriesOf(round) }, { [name]: entriesOf(round).toReversed() }]
        const all = Array.from({ length: atOnce }, (_, index) => acme.post(`/api/sites/${id}/${name}.json`, index % 2 === 0 ? one : other))
        const replies = await Promise.all(all)
        assert.deepEqual(
          replies.map(({ status }) => status),
          replies.map(() => 200),
        )
        const ids = replies.map((reply) => (reply.json() as Record<string, { id: number }[]>)[name]?.map((entry) => entry.id).toSorted())
        for (const some of ids) assert.deepEqual(some, ids[0])
      }
    })

    test(`${name} of a site that is deleted at the same moment are added or not found`, () =>
      besideDeletion((id, round) => acme.post(`/api/sites/${id}/${name}.json`, { [name]: entriesOf(round) })))
  }

  test('notes on a site that is deleted at the same moment are added or not found', () =>
    besideDeletion((site_id) => acme.post('/api/annotations.json', { annotation: { site_id, day: '2026-11-01', text: 'A new shop' } })))
})
