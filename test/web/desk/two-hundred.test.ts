/** Two hundred customers from one table, twenty of them changed, five deleted and one brought back: by forms of pages alone, and equal to what programs see. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { issueKey } from '../../../src/model/partners/keys/keys.ts'
import { agencyOn } from '../../support/agency.ts'
import { onPageEngine } from '../../support/engines.ts'
import type { PlainBrowser } from '../../support/plain-browser.ts'
import { basic } from '../../support/service.ts'

const many = 200
const [changed, deleted] = [20, 5]
const places = ['UTC', 'Europe/Berlin', 'America/Chicago']

interface Wanted {
  readonly name: string
  readonly tags: string | null
  readonly time_zone: string
}

onPageEngine('two hundred customers', (place) => {
  const { service, agency, at } = agencyOn(place)
  const db = () => service.app.store.db
  let ben: PlainBrowser
  let authorization = ''
  const ids = new Map<string, number>()
  /** What each customer should be, by its name at first. */
  const wanted = new Map<string, Wanted>()
  before(async () => {
    ben = await at('ben-desk')
    const { key, password } = await issueKey(service.operator, agency.world.partnerId)
    authorization = basic(`${key}:${password}`)
  })

  const named = (at: number) => `Customer ${String(at).padStart(3, '0')}`
  const rowOf = (at: number) => [
    named(at),
    `shop-${at}.example`,
    at % 10 === 0 ? `kids-${at}.example; more-${at}.example` : '',
    at % 4 === 0 ? `Person ${at}` : '',
    at % 4 === 0 ? `person-${at}@shops.example` : '',
    at % 8 === 0 ? 'monthly' : '',
    `shop ${at}; best shop`,
    `rival-${at}.example`,
    at % 3 === 0 ? 'north, vip' : '',
    at % 2 === 0 ? 'mia-desk' : '',
    places[at % places.length] ?? '',
    `N-${at}`,
  ]
  const heads =
    'Customer,Domain,More domains,Contact,Email,Rhythm of mail,Keywords,Competitors,Tags,Looked after by,Time zone,Own id'.split(',')
  const table = [heads, ...Array.from({ length: many }, (_, at) => rowOf(at))].map((cells) => cells.join('\t')).join('\n')

  /** Sends the form with this button as a browser does: with all that its fields hold, but for what is typed. */
  const press = async (path: string, button: string, typed: Record<string, string> = {}) => {
    const { text } = await ben.get(path)
    const form = text.split('<form ').find((one) => one.includes(button)) ?? assert.fail(`${button} on ${path}`)
    const part = form.split('</form>')[0] ?? ''
    const action = /action="([^"]+)"/.exec(part)?.[1] ?? path
    const held = [...part.matchAll(/<input[^>]*? name="([^"]+)"[^>]*? value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value])
    const pressed = /name="([^"]+)" value="([^"]*)"/.exec(button)
    const fields = { ...Object.fromEntries(held), ...(pressed && { [pressed[1] ?? '']: pressed[2] ?? '' }), ...typed }
    return ben.post(action, fields)
  }
  /** What the form of the table holds beside the table. */
  const heldIn = (text: string) =>
    Object.fromEntries([
      ...[...text.matchAll(/<input type="hidden" name="(heads|seen|done|form_token)" value="([^"]*)">/g)].map(([, name, value]) => [
        name,
        value,
      ]),
      ...[...text.matchAll(/<select id="(column-\d+)".*?<option value="([^"]*)" selected>/gs)].map(([, name, value]) => [name, value]),
    ])
  const noticeIn = (text: string) => /<div class="notice.*?<\/div>/s.exec(text)?.[0] ?? ''
  const api = async (path: string) => JSON.parse((await service.stranger.get(`/api/${path}`, { headers: { authorization } })).text)
  /** All records of a list, as lines. */
  const listed = async (noun: string) => (await service.stranger.get(`/api/${noun}.csv`, { headers: { authorization } })).text.split('\r\n')
  const customerIds = async () => {
    const list = db().selectFrom('accounts').select(['id', 'name']).where('name', 'like', 'Customer %').orderBy('id')
    return new Map((await list.execute()).map(({ id, name }) => [name, id]))
  }

  test('are made from one table, each with all that its line says', async () => {
    const looked = await ben.post('/desk/add/table', { form_token: await ben.token('/desk/add/table'), table, do: 'look' })
    assert.match(looked.text, /200 customers can be made\. Nothing is made yet\./)
    let answer = looked
    for (let times = 0; answer.status === 200 && times < 20; times++) {
      assert.equal(times === 0 || answer.text.includes('Go on with the next ones'), true, noticeIn(answer.text))
      answer = await ben.post('/desk/add/table', { ...heldIn(answer.text), table, do: 'make' })
    }
    assert.equal(answer.headers.location, '/desk?added=200', noticeIn(answer.text))
    for (const [name, id] of await customerIds()) ids.set(name, id)
    assert.equal(ids.size, many)
    for (let at = 0; at < many; at++)
      wanted.set(named(at), { name: named(at), tags: at % 3 === 0 ? 'north, vip' : null, time_zone: places[at % places.length] ?? '' })
  })

  test('are changed at their pages, twenty of them', async () => {
    for (let at = 0; at < changed; at++) {
      const next = { name: `${named(at)} <new>`, tags: `group ${at}`, time_zone: 'Asia/Tokyo' }
      const path = `/desk/customers/${ids.get(named(at))}`
      assert.equal((await press(path, 'name="do" value="about"', next)).headers.location, `${path}?done=changed`)
      wanted.set(named(at), next)
    }
  })

  test('are deleted, five of them, and one is brought back equal row by row to before', async () => {
    const back = ids.get(named(0)) ?? 0
    const [before, neighbours] = [await rowsOf(back), await rowsOf(ids.get(named(100)) ?? 0)]
    for (let at = 0; at < deleted; at++) {
      const id = ids.get(named(at))
      const gone = await press(`/desk/customers/${id}/delete`, 'Delete this customer')
      assert.equal(gone.headers.location, `/desk/deleted?deleted=${id}`)
    }
    assert.notDeepEqual(await rowsOf(back), before, 'it is told from one that is there')
    const restored = await press('/desk/deleted', `Bring back ${named(0)}`)
    assert.equal(restored.headers.location, `/desk/customers/${back}?done=restored`)
    assert.deepEqual(await rowsOf(back), before)
    assert.deepEqual(await rowsOf(ids.get(named(100)) ?? 0), neighbours)
    for (let at = 1; at < deleted; at++) wanted.delete(named(at))
  })

  test('are then the same at the desk and for programs', async () => {
    const mine = [...wanted].map(([first, record]) => ({ account_id: ids.get(first), ...record }))
    assert.equal(mine.length, many - deleted + 1)
    const accounts = await listed('accounts')
    for (const { account_id, name } of mine)
      assert.ok(
        accounts.some((line) => line.startsWith(`${account_id},`) && line.includes(`,${name},`)),
        name,
      )
    assert.equal(accounts.filter((line) => line.includes('Customer ')).length, mine.length)
    for (const one of [mine[0], mine[1], mine[50], mine.at(-1)]) {
      const { customer } = await api(`customers/${one?.account_id}.json`)
      const { account_id, name, tags, time_zone } = customer
      assert.deepEqual({ account_id, name, tags, time_zone }, one)
    }
    const [sites, users] = [(await listed('sites')).join('\n'), (await listed('users')).join('\n')]
    const found = (noun: RegExp, text: string) => (text.match(noun) ?? []).toSorted()
    const living = Array.from({ length: many }, (_, at) => at).filter((at) => wanted.has(named(at)))
    assert.deepEqual(
      found(/(shop|kids|more)-\d+\.example/g, sites),
      living.flatMap((at) => [`shop-${at}.example`, ...(at % 10 === 0 ? [`kids-${at}.example`, `more-${at}.example`] : [])]).toSorted(),
    )
    assert.deepEqual(
      [...new Set(found(/person-\d+@shops\.example/g, users))],
      living.flatMap((at) => (at % 4 === 0 ? [`person-${at}@shops.example`] : [])).toSorted(),
    )
    const page = (await ben.get('/desk')).text
    assert.equal((page.match(/<tr/g) ?? []).length, 101, 'a hundred and the head')
    assert.ok(Buffer.byteLength(page) < 40 * 1024, `a page of a hundred weighs ${Buffer.byteLength(page)} bytes`)
    const csv = (await ben.get('/desk.csv?sort=name')).text
    const lines = csv
      .trim()
      .split(/\r?\n/)
      .filter((line) => line.includes('Customer '))
    assert.equal(lines.length, mine.length)
    for (const { name } of mine)
      assert.ok(
        lines.some((line) => line.includes(name)),
        name,
      )
  })

  /** Every row of every table that names the account, or somebody of it. */
  async function rowsOf(accountId: number): Promise<Record<string, string[]>> {
    const tables = await db().introspection.getTables()
    const users = (await db().selectFrom('users').select('id').where('account_id', '=', accountId).execute()).map(({ id }) => id)
    const rows: Record<string, string[]> = {}
    for (const { name, columns } of tables) {
      if (/^(audit_|deleted_accounts|event|kysely|account_figures|site_figures)/.test(name)) continue
      const has = (column: string) => columns.some((one) => one.name === column)
      const key = name === 'accounts' ? 'id' : has('account_id') ? 'account_id' : has('user_id') ? 'user_id' : null
      if (key === null) continue
      const wantedIds = key === 'user_id' ? [0, ...users] : [accountId]
      const found = await db()
        .selectFrom(name as 'sites')
        .selectAll()
        .where(key as 'id', 'in', wantedIds)
        .execute()
      if (found.length > 0) rows[name] = found.map((row) => JSON.stringify(row)).toSorted()
    }
    return rows
  }
})
