/** Lists as tables: the same records as the pages of the list, all at once, for a spreadsheet. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { issueKey } from '../../src/model/partners/keys/keys.ts'
import { newPerson } from '../support/bodies.ts'
import { onEachEngine } from '../support/engines.ts'
import { serviceOn, type TestPartner } from '../support/service.ts'

onEachEngine('lists as tables', (place) => {
  const house = serviceOn(place)
  let many = 0
  const acmeWith = async (businesses: number): Promise<TestPartner> => {
    const acme = await house.partner(`Acme ${many++}`)
    await house.app.store.write((tx) =>
      tx
        .insertInto('businesses')
        .values(Array.from({ length: businesses }, (_, i) => ({ ...businessOf(acme.accountId), name: `Business ${i}` })))
        .execute(),
    )
    return acme
  }
  const businessOf = (account_id: number) => ({
    account_id,
    aasm_state: 'active' as const,
    created_at: '2026-11-01T00:00:00Z',
    updated_at: '2026-11-01T00:00:00Z',
  })
  const rowsOf = (text: string) => text.replace('\ufeff', '').trimEnd().split('\r\n')

  test('all businesses come at once, as the pages of the list tell them', async () => {
    const acme = await acmeWith(620)
    const { status, headers, text } = await acme.get('/api/businesses.csv')
    assert.deepEqual(
      [status, headers['content-type'], headers['content-disposition']],
      [200, 'text/csv; charset=utf-8', 'attachment; filename="businesses.csv"'],
    )
    const [head, ...rows] = rowsOf(text)
    assert.equal(head, 'id,created_at,updated_at,account_id,name,aasm_state')
    const listed = await acme.client.listBusinesses().toArray()
    assert.equal(rows.length, 620)
    assert.deepEqual(
      rows,
      listed.map(({ id, created_at, updated_at, account_id, name, aasm_state }) =>
        [id, created_at, updated_at, account_id, name, aasm_state].join(),
      ),
    )
  })

  test('it is narrowed like the list, and shows nothing that the key does not reach', async () => {
    const acme = await acmeWith(2)
    const globex = await acmeWith(3)
    const { account } = (await acme.post('/api/accounts.json', { name: 'Second' })).json() as { account: { id: number } }
    await acme.post('/api/businesses.json?external_id=crm-1', { name: 'Harbor', account_id: account.id })
    const names = async (path: string, credentials = acme.credentials) => {
      const { text } = await house.stranger.get(path, { credentials })
      return rowsOf(text)
        .slice(1)
        .map((row) => row.split(',').at(-2))
    }
    assert.deepEqual(await names('/api/businesses.csv'), ['Business 0', 'Business 1', 'Harbor'])
    assert.deepEqual(await names(`/api/businesses.csv?account_id=${account.id}`), ['Harbor'])
    assert.deepEqual(await names(`/api/businesses.csv?account_id=${globex.accountId}`), [])
    assert.deepEqual(await names('/api/businesses.csv?external_id=crm-1'), ['Harbor'])
    assert.deepEqual(await names('/api/businesses.csv?external_id=crm-1', globex.credentials), [])
    const { key, password } = await issueKey(house.operator, acme.id, { account_ids: String(account.id) })
    assert.deepEqual(await names('/api/businesses.csv', `${key}:${password}`), ['Harbor'])
    assert.equal(rowsOf((await house.stranger.get('/api/accounts.csv', { credentials: `${key}:${password}` })).text).length, 2)
    assert.equal((await acme.get('/api/businesses.csv?nonsense=1')).status, 400)
    assert.equal((await house.stranger.get('/api/businesses.csv', { credentials: `${acme.key}:` })).status, 401)
  })

  test('users come without what is made of their password, and a formula is text', async () => {
    const acme = await house.partner(`Acme ${many++}`)
    const login = `person-${many}`
    const { user } = (await acme.post('/api/users.json', newPerson(acme.accountId, { login }))).json() as {
      user: { id: number; email: string }
    }
    await acme.put(`/api/users/${user.id}.json`, { name: '=HYPERLINK("x")' })
    const [head, row] = rowsOf((await acme.get('/api/users.csv')).text)
    assert.equal(head, 'id,account_id,email,login,name,state,activated_at,created_at,updated_at,created_by,updated_by,last_login_at')
    assert.ok(row?.startsWith(`${user.id},${acme.accountId},${user.email},${login},"'=HYPERLINK(""x"")",passive,`), row)
    assert.deepEqual(rowsOf((await acme.get(`/api/users.csv?login=${login}`)).text).length, 2)
    // It is an email, and not a login.
    assert.deepEqual(rowsOf((await acme.get(`/api/users.csv?login=${user.email}`)).text).length, 1)
  })

  test('sites and accounts are there too, and HEAD tells the same headers', async () => {
    const acme = await acmeWith(1)
    const [, row = ''] = rowsOf((await acme.get('/api/businesses.csv')).text)
    const business_id = Number(row.split(',')[0])
    await acme.post('/api/sites.json', { business_id, domain: 'shop.example' })
    assert.match((await acme.get('/api/sites.csv?domain=Shop.Example')).text, /,shop\.example\r\n$/)
    assert.match((await acme.get('/api/accounts.csv')).text, /^\ufeffid,created_at,updated_at,name,owner_id\r\n\d+,/)
    const head = await acme.ask('HEAD', '/api/sites.csv')
    assert.deepEqual([head.status, head.headers['content-type'], head.text], [200, 'text/csv; charset=utf-8', ''])
  })
})
