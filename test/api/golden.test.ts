/** What partners receive, byte for byte, the same on both engines. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { problemBody } from '../../src/api/problems.ts'
import { Failure, type FailureCode } from '../../src/lib/failures.ts'
import { createSite } from '../../src/model/partners/sites.ts'
import { problems } from '../../src/resources/problem.ts'
import { xmlOf } from '../support/bodies.ts'
import { onEachEngine } from '../support/engines.ts'
import { matchesGolden, withoutChance } from '../support/golden.ts'
import { baseUrl, type Reply, serviceOn, type TestPartner } from '../support/service.ts'
import { xmlFault } from '../support/xml.ts'

const dana = { email: 'a&b@example.com', password: 'correct horse', login: 'quire' }

onEachEngine('golden answers', (place) => {
  const house = serviceOn(place)
  let acme: TestPartner
  const keep = (name: string, { text }: Reply) => matchesGolden(name, withoutChance(text))

  before(async () => {
    acme = await house.partner('Acme')
  })

  test('a new user', async () => {
    keep('new-user.xml', await acme.post('/api/users.xml', xmlOf('user', { ...dana, account_id: acme.accountId })))
    keep('user.json', await acme.get('/api/users/1.json'))
    keep('users.xml', await acme.get('/api/users.xml?login=quire'))
    keep('users.json', await acme.get('/api/users.json?email=A%26B@example.com'))
    keep('no-users.xml', await acme.get('/api/users.xml?login=nobody'))
    keep('no-users.json', await acme.get('/api/users.json?login=nobody'))
  })

  test('a business', async () => {
    keep('new-business.xml', await acme.post('/businesses.xml', xmlOf('business', { name: 'Bob & <Co> "café" \u{1f4a9}' })))
    keep('business-deactivated.xml', await acme.post('/api/businesses/1/deactivate.xml'))
    keep('business.json', await acme.get('/api/businesses/1.json'))
    keep('businesses.xml', await acme.get('/api/businesses.xml'))
    keep('businesses.json', await acme.get('/api/businesses.json'))
  })

  test('accounts and sites', async () => {
    await createSite(house.operator, 1, 'Bücher.example')
    keep('accounts.xml', await acme.get('/api/accounts.xml'))
    keep('accounts.json', await acme.get('/api/accounts.json'))
    keep('sites.xml', await acme.get('/api/sites.xml'))
    keep('sites.json', await acme.get('/api/sites.json'))
  })

  test('a brand', async () => {
    keep('no-brand.json', await acme.get('/api/brand.json'))
    keep('brand.xml', await acme.put('/api/brand.xml', xmlOf('brand', { name: 'Bob & Co', accent: '#0A7D5B', support: 'a&b@example.com' })))
    keep('brand.json', await acme.get('/api/brand.json'))
    keep('account-brand.json', await acme.put(`/api/accounts/${acme.accountId}/brand.json`, { name: 'Harbor' }))
  })

  test('abilities', async () => {
    const show = (scope_type: string, scope_id: number) => ({ key: 'show', scope_type, scope_id })
    keep('no-abilities.xml', await acme.get('/api/users/1/abilities.xml'))
    keep('no-abilities.json', await acme.get('/api/users/1/abilities.json'))
    keep(
      'abilities.json',
      await acme.put('/api/users/1/abilities.json', { abilities: [show('Site', 1), show('Account', 1), show('Business', 1)] }),
    )
    keep('abilities.xml', await acme.get('/api/users/1/abilities.xml'))
  })

  test('what is refused', async () => {
    const wrong = { email: 'bob', password: 'short', login: 'abc', account_id: 999 }
    keep('errors/validation.xml', await acme.post('/api/users.xml', xmlOf('user', wrong)))
    keep('errors/validation.json', await acme.post('/api/users.json', { user: wrong }))
    keep('errors/taken.xml', await acme.post('/api/users.xml', xmlOf('user', { ...dana, account_id: 1 })))
    keep('errors/taken.json', await acme.post('/api/users.json', { ...dana, account_id: 1 }))
    const abilities = {
      abilities: [
        { key: 'show', scope_type: 'Site', scope_id: 1 },
        { key: 'edit', scope_type: 'Site', scope_id: 'x' },
      ],
    }
    keep('errors/abilities.json', await acme.put('/api/users/1/abilities.json', abilities))
    keep('errors/ill-formed.xml', await acme.post('/api/users.xml', '<user>\n  <email>a@b.example</email\n</user>'))
    keep('errors/ill-formed.json', await acme.post('/api/users.json', '{"user":\n {"email" "x"}}', { type: 'application/json' }))
    keep('errors/not-found.xml', await acme.get('/api/businesses/999.xml'))
    keep('errors/not-found.json', await acme.get('/api/users/999/abilities.json'))
    keep('errors/unauthorized.xml', await house.stranger.get('/api/users.xml'))
    keep('errors/unauthorized.json', await house.stranger.get('/api/users.json'))
  })
})

describe('golden problems', () => {
  for (const code of Object.keys(problems) as FailureCode[]) {
    test(`${code}, in both formats`, () => {
      const asked = { requestId: '00000000-0000-4000-8000-000000000000', baseUrl }
      const xml = problemBody(new Failure(code), { ...asked, format: 'xml' })
      matchesGolden(`problems/${code}.xml`, xml.body)
      assert.equal(xmlFault(xml.body), null)
      const json = problemBody(new Failure(code), { ...asked, format: 'json' })
      matchesGolden(`problems/${code}.json`, json.body)
      assert.equal(json.status, JSON.parse(json.body).status)
    })
  }
})
