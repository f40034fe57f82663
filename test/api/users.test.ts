/** Users through the API: created, shown, listed, found. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ListUsersQuery, NewUser } from '../../src/client/client.ts'
import { setPartner } from '../../src/model/partners/partners.ts'
import { deleteUser } from '../../src/model/people/user-states.ts'
import { user as userTable } from '../../src/resources/user.ts'
import { form, formOf, newPerson, xmlOf } from '../support/bodies.ts'
import { onEachEngine } from '../support/engines.ts'
import { codes } from '../support/refusals.ts'
import { baseUrl, type Reply, serviceOn, type TestPartner } from '../support/service.ts'
import { xmlTexts } from '../support/xml.ts'

type User = Record<keyof typeof userTable, string | number | boolean | null>

onEachEngine('users', (place) => {
  const house = serviceOn(place)
  let acme: TestPartner
  let globex: TestPartner

  before(async () => {
    acme = await house.partner('Acme')
    globex = await house.partner('Globex')
  })

  const userIn = (reply: Reply) => (reply.json() as { user: User }).user
  const create = (person: NewUser, partner = acme) => partner.client.createUser(person)

  test('a new user is passive, and the answer is what the address in Location shows', async () => {
    const created = await acme.post('/api/users.xml', xmlOf('user', newPerson(acme.accountId)))
    assert.equal(created.status, 201)
    assert.deepEqual(xmlTexts(created.text, '/user/state'), ['passive'])
    const [id] = xmlTexts(created.text, '/user/id')
    assert.equal(created.headers.location, `${baseUrl}/api/users/${id}.xml`)
    const shown = await acme.get(created.headers.location.slice(baseUrl.length))
    assert.equal(shown.status, 200)
    assert.equal(shown.text, created.text)
  })

  test('the answer holds no password and nothing it could be cracked from', async () => {
    const password = 'tr0ub4dor&3 canary'
    const created = await acme.post('/api/users.json', newPerson(acme.accountId, { password }))
    assert.doesNotMatch(created.text, /canary|argon2/)
    const { id, crypted_password, salt } = userIn(created)
    const { app } = house.operator
    const [{ verifier } = { verifier: '' }] = await app.store.db
      .selectFrom('user_passwords')
      .selectAll()
      .where('user_id', '=', Number(id))
      .execute()
    assert.match(verifier, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    assert.equal(await app.passwords.verify(password, verifier), true)
    assert.match(String(crypted_password), /^[0-9a-f]{40}$/)
    assert.match(String(salt), /^[0-9a-f]{40}$/)
    assert.equal(crypted_password, app.secrets.hmac('projection', `${id}:${verifier}`).slice(0, 40))
    assert.ok(!verifier.includes(Buffer.from(String(salt), 'hex').toString('base64').slice(0, 20)))
  })

  test('a new user may be named at once, on one line; without a name it is empty', async () => {
    const named = async (name: string, how: (person: object) => Promise<Reply>) => {
      const login = `named-${Math.random()}`
      return how({ ...newPerson(acme.accountId, { login, email: `${login}@named.example` }), name })
    }
    const asJson = (person: object) => acme.post('/api/users.json', person)
    assert.equal(userIn(await named(' Dana Scully ', asJson)).name, 'Dana Scully')
    assert.equal(userIn(await named('Dana\nScully', asJson)).name, 'Dana Scully')
    assert.equal(userIn(await named('', asJson)).name, '')
    const inXml = await named('Dana', (person) => acme.post('/api/users.xml', xmlOf('user', person as NewUser)))
    assert.deepEqual(xmlTexts(inXml.text, '/user/name'), ['Dana'])
    assert.deepEqual(codes(await named('x'.repeat(256), asJson), 422), ['name too_long'])
  })

  test('the spelling of names is kept, the email is trimmed', async () => {
    const login = `Dana.É-${process.pid}`
    const created = await create(newPerson(acme.accountId, { email: `  ${login}@Example.COM `, login }))
    assert.equal(created.email, `${login}@Example.COM`)
    assert.equal(created.login, login)
  })

  test("a login may be the same user's own email, in another case too", async () => {
    const { email, ...person } = newPerson(acme.accountId)
    assert.equal((await create({ ...person, email, login: email.toUpperCase() })).login, email.toUpperCase())
  })

  test('the ends of the rules are inside', async () => {
    const start = `e${process.pid}`
    const five = `${start}xxxxx`.slice(-5)
    assert.equal((await create(newPerson(acme.accountId, { login: five, password: '123456' }))).login, five)
    const long = newPerson(acme.accountId, { login: `${start}${'y'.repeat(100)}`.slice(0, 100), password: 'é'.repeat(512) })
    assert.equal((await create(long)).login, long.login)
    const email = `${'z'.repeat(60)}@${'z'.repeat(62)}.${'z'.repeat(62)}.${'z'.repeat(62)}.com`
    assert.equal((await create(newPerson(acme.accountId, { email: email.slice(-254) }))).email, email.slice(-254))
  })

  test("a name that another partner's user bears is taken here too", async () => {
    const person = newPerson(globex.accountId)
    await create(person, globex)
    const replies = await Promise.all([
      acme.post('/api/users.json', newPerson(acme.accountId, { email: person.email })),
      acme.post('/api/users.json', newPerson(acme.accountId, { login: person.login })),
    ])
    assert.deepEqual(
      replies.map((reply) => codes(reply, 422)),
      [['email taken'], ['login taken']],
    )
  })

  describe('what a client may not set is never assigned', () => {
    const settable = ['email', 'login', 'account_id', 'name']
    const forbidden = Object.fromEntries(
      Object.entries(userTable)
        .filter(([name]) => !settable.includes(name))
        .map(([name, { kind }]) => [name, { integer: 777, boolean: true, datetime: '2001-01-01T00:00:00Z', string: 'assigned' }[kind]]),
    )
    const created: [way: string, user: User][] = []

    before(async () => {
      const everything = () => ({ ...forbidden, ...newPerson(acme.accountId) })
      const ways: Record<string, Promise<Reply>> = {
        JSON: acme.post('/api/users.json', { user: everything() }),
        XML: acme.post('/api/users.json', xmlOf('user', everything())),
        form: acme.post('/api/users.json', formOf(everything()), { type: form }),
        query: acme.post(`/api/users.json?${formOf(everything())}`, newPerson(acme.accountId)),
      }
      for (const [way, reply] of Object.entries(ways)) created.push([way, userIn(await reply)])
    })

    const initial: Partial<User> = { name: '', state: 'passive', rank_id: 1, account_id: 0 }
    for (const [field, { kind, nullable }] of Object.entries(userTable)) {
      test(`${field}`, () => {
        const usual = nullable ? null : { integer: 0, boolean: false, datetime: undefined, string: undefined }[kind]
        const expected = field in initial ? initial[field as keyof User] : usual
        for (const [way, user] of created) {
          const got = user[field as keyof User]
          assert.notEqual(String(got), String(forbidden[field]), way)
          if (field === 'account_id') assert.equal(got, acme.accountId, way)
          else if (field !== 'id' && expected !== undefined) assert.equal(got, expected, way)
        }
      })
    }
  })

  test('a user is found by login or email, in any spelling of the name, and only as what it is', async () => {
    const { id, email, login } = await create(newPerson(acme.accountId))
    const idsBy = async (query: ListUsersQuery) => (await acme.client.listUsers(query).toArray()).map((found) => found.id)
    assert.deepEqual(await idsBy({ login }), [id])
    assert.deepEqual(await idsBy({ login: login.toUpperCase() }), [id])
    assert.deepEqual(await idsBy({ email: ` ${email} ` }), [id])
    assert.deepEqual(await idsBy({ email, login }), [id])
    assert.deepEqual(await idsBy({ email: login }), [])
    assert.deepEqual(await idsBy({ login: email }), [])
    assert.deepEqual(await idsBy({ email, login: 'other' }), [])
    assert.deepEqual(await idsBy({ login: '' }), [])
    assert.deepEqual(await idsBy({ login: '\0' }), [])
    assert.deepEqual(await globex.client.listUsers({ login }).toArray(), [])
  })

  test('a deleted user is gone, its names stay taken', async () => {
    const person = newPerson(acme.accountId)
    const { id } = await create(person)
    await deleteUser(house.operator, id)
    for (const path of [`/api/users/${id}.json`, `/api/users/${id}/abilities.json`])
      assert.deepEqual(codes(await acme.get(path), 404), ['not_found'])
    assert.deepEqual(await acme.client.listUsers({ login: person.login }).toArray(), [])
    assert.deepEqual(codes(await acme.post('/api/users.json', person), 422), ['email taken', 'login taken'])
  })

  test('names cannot be searched for: after so many taken answers creation is refused for the hour, whatever the name', async () => {
    const initech = await house.partner('Initech')
    await setPartner(house.operator, initech.id, { taken_per_hour: 3 })
    const taken = newPerson(initech.accountId)
    await create(taken, initech)
    for (let count = 0; count < 3; count++) codes(await initech.post('/api/users.json', taken), 422)
    for (const person of [taken, newPerson(initech.accountId), {}]) {
      const refused = await initech.post('/api/users.json', person)
      assert.deepEqual(codes(refused, 429), ['too_many_requests'])
      assert.ok(Number(refused.headers['retry-after']) > 0 && Number(refused.headers['retry-after']) <= 3600)
    }
    const { app } = house.operator
    const entries = await app.store.db.selectFrom('audit_entries').select('action').where('partner_id', '=', initech.id).execute()
    assert.equal(entries.filter(({ action }) => action === 'partner.taken_budget_spent').length, 1)
    assert.equal((await initech.client.listUsers().toArray()).length, 1)
  })
})
