/** The page of what the API answered: for admins alone, of their own partner alone, found and paged. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { writeRequests } from '../../../src/model/core/use/request-log.ts'
import { issueKey } from '../../../src/model/partners/keys/keys.ts'
import { agencyOn } from '../../support/agency.ts'
import { testBrowser } from '../../support/browser.ts'
import { onEngine, onPageEngine } from '../../support/engines.ts'
import type { PlainBrowser } from '../../support/plain-browser.ts'
import { ofOneProcess } from '../../support/service.ts'

const path = '/desk/developers/requests'

onPageEngine('what the API answered, at the desk', (place) => {
  const { service, agency, at } = agencyOn(place)
  let ada: PlainBrowser
  const credentials = { sheets: '', globex: '' }
  before(async () => {
    ada = await at('ada-desk')
    const globex = await service.app.store.db.selectFrom('partners').select('id').where('name', '=', 'Globex').executeTakeFirstOrThrow()
    for (const [label, id] of [
      ['sheets', agency.world.partnerId],
      ['globex', globex.id],
    ] as const) {
      const { key, password } = await issueKey(service.operator, id, { label })
      credentials[label] = `${key}:${password}`
    }
  })
  const ask = async (asked: string, whose: keyof typeof credentials = 'sheets') => {
    const { headers } = await service.stranger.get(asked, { credentials: credentials[whose] })
    await writeRequests(service.app)
    return String(headers['x-request-id'])
  }
  const rowsIn = (text: string) =>
    [...text.matchAll(/<th scope="row" class="wrap"><a class="rowlink" href="([^"]*)">([^<]*(?:<wbr>[^<]*)*)/g)].map(
      ([, href = '', said = '']) => ({ href: href.replaceAll('&amp;', '&'), said: said.replaceAll('<wbr>', '') }),
    )

  test('finds an answer by its request id, and says what was wrong', ofOneProcess, async () => {
    const id = await ask('/api/users/424242.json?x=1')
    await ask('/api/accounts.json')
    const { text } = await ada.get(`${path}?request=${id}`)
    const [row, ...others] = rowsIn(text)
    assert.deepEqual([row?.said, others], ['GET /api/users/424242.json', []])
    const { text: open } = await ada.get(row?.href ?? '')
    for (const said of ['The request cannot be understood', `docs/errors#bad_request`, 'sheets', id, '<code>…</code>'])
      assert.ok(open.includes(said), said)
    const absent = await ask('/api/users/424242.json')
    const found = rowsIn((await ada.get(`${path}?request=${absent}`)).text)[0]?.href ?? ''
    assert.match((await ada.get(found)).text, /There is nothing here: User not found\./)
  })

  test('narrows by refusals, status, path and key, and goes on to older ones', ofOneProcess, async () => {
    for (let count = 0; count < 3; count += 1) await ask('/api/accounts.json')
    await ask('/api/businesses.json')
    const said = async (query: string) => rowsIn((await ada.get(`${path}?${query}`)).text).map((row) => row.said)
    const refusals = await said('show=refusals')
    assert.ok(refusals.length > 0 && refusals.every((one) => one === 'GET /api/users/424242.json'))
    assert.deepEqual(await said('status=404'), ['GET /api/users/424242.json'])
    assert.deepEqual(await said('path=business'), ['GET /api/businesses.json'])
    assert.deepEqual(await said('path=b%25z'), [])
    const part = credentials.sheets.slice(3, 11)
    assert.deepEqual(await said(`path=business&key=${part}`), ['GET /api/businesses.json'])
    assert.deepEqual(await said('key=unknown1'), [])
    assert.match((await ada.get(`${path}?status=soon&before=soon&open=1`)).text, /./)
    const [like] = await service.app.store.db.selectFrom('requests').selectAll().where('path', '=', '/api/accounts.json').limit(1).execute()
    assert.ok(like)
    const { id: _, ...row } = like
    await service.app.store.write((tx) =>
      tx
        .insertInto('requests')
        .values(Array.from({ length: 120 }, () => ({ ...row, path: '/api/sites.json' })))
        .execute(),
    )
    const first = await ada.get(path)
    const older = /href="([^"]*before=\d+[^"]*)" rel="next"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const second = rowsIn((await ada.get(older)).text)
    assert.equal(rowsIn(first.text).length, 100)
    assert.equal(second.filter((one) => one.said === 'GET /api/sites.json').length, 20)
  })

  test('is nothing for members, clients and strangers, and has nothing of other partners', ofOneProcess, async () => {
    const foreign = await ask('/api/accounts.json?external_id=theirs', 'globex')
    const rows = service.app.store.db.selectFrom('requests').select('id').where('request_id', '=', foreign)
    const { id } = await rows.executeTakeFirstOrThrow()
    assert.deepEqual(rowsIn((await ada.get(`${path}?request=${foreign}`)).text), [])
    assert.deepEqual(rowsIn((await ada.get(`${path}?key=${credentials.globex.slice(3, 11)}`)).text), [])
    assert.doesNotMatch((await ada.get(path)).text, /globex/)
    assert.equal((await ada.get(`${path}?open=${id}`)).status, 404)
    assert.equal((await ada.get(`${path}?open=999999`)).status, 404)
    for (const login of ['ben-desk', 'mia-desk', 'dana-owner', 'gina-globex'])
      assert.equal((await (await at(login)).get(path)).status, 404, login)
    assert.match((await service.stranger.get(path, { headers: { accept: 'text/html' } })).headers.location ?? '', /^\/login/)
  })
})

onEngine('sqlite', 'what the API answered, in a browser', (place) => {
  const { service, agency } = agencyOn(place)
  const browser = testBrowser()

  for (const hasScript of [true, false])
    test(`is found by its request id ${hasScript ? 'with' : 'without'} script`, async () => {
      const { key, password } = await issueKey(service.operator, agency.world.partnerId, { label: 'Sheets' })
      const { headers } = await service.stranger.get('/api/users/77.json', { credentials: `${key}:${password}` })
      await writeRequests(service.app)
      const { page, mishaps, close } = await browser.enter(service.url, 'ada-desk', { hasScript })
      await page.goto(`${service.url}/desk/developers`)
      await page.getByRole('link', { name: 'What the API answered' }).click()
      await page.getByLabel('Request id').fill(String(headers['x-request-id']))
      await page.getByRole('button', { name: 'Find' }).click()
      await page.getByRole('link', { name: 'GET /api/users/77.json' }).click()
      await page.getByText('User not found').waitFor()
      assert.deepEqual(mishaps, [])
      await close()
    })
})
