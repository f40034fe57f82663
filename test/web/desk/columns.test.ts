/** A file that nobody knows, at the desk: its columns are chosen, the first rows looked at, tried out and stored, and the choice is saved for the next. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { draftOf } from '../../../src/fields/read.ts'
import { appointStaff } from '../../../src/model/people/staff/staff.ts'
import { createUser } from '../../../src/model/people/users.ts'
import { newUser } from '../../../src/resources/user.ts'
import { onPageEngine } from '../../support/engines.ts'
import { eventually } from '../../support/eventually.ts'
import { formWithFile } from '../../support/form-with-file.ts'
import { makePeople, type PeopleWorld, password } from '../../support/people.ts'
import { PlainBrowser } from '../../support/plain-browser.ts'
import { serviceOn } from '../../support/service.ts'

const table = [
  'Report of November',
  'Suchwort;Platz;Wann;Wert',
  'reifen;3;14.11.2026;x',
  'felgen;4;15.11.2026;y',
  'öl;zehn;15.11.2026;z',
].join('\n')

onPageEngine('the columns of a file', (place) => {
  const service = serviceOn(place)
  let world: PeopleWorld
  const db = () => service.app.store.db
  const path = '/desk/data'

  before(async () => {
    world = await makePeople(service.operator)
    const partner = db().selectFrom('partners').select('account_id').where('id', '=', world.partnerId)
    const own = (await partner.executeTakeFirstOrThrow()).account_id ?? 0
    for (const login of ['ben-desk', 'mia-desk']) {
      const draft = draftOf(newUser, { login, email: `${login}@quay.example`, password, account_id: own })
      const { id } = await createUser(service.operator, draft)
      await appointStaff(service.operator, world.partnerId, id, { role: 'member', customers: 'all' })
    }
  })

  const at = async (login: string) => {
    const browser = new PlainBrowser(service.stranger)
    assert.equal((await browser.logIn(login)).status, 303)
    return browser
  }
  const drop = async (browser: PlainBrowser, content: string, customer: string) => {
    const form = formWithFile({ form_token: await browser.token(path), customer, make: 'yes' }, 'novémber.csv', content)
    const headers = { cookie: browser.cookie, accept: 'text/html', 'sec-fetch-site': 'same-origin' }
    return (await service.stranger.ask('POST', path, { ...form, headers })).headers.location ?? ''
  }
  const said = (text: string) => {
    const fields = [...text.matchAll(/<input(?! type="checkbox")[^>]*? name="([\w-]+)"[^>]*? value="([^"]*)"/g)].map(([, name, value]) => [
      name,
      value,
    ])
    const selects = [...text.matchAll(/<select[^>]*? name="([\w-]+)"[^>]*>(.*?)<\/select>/gs)].flatMap(([, name, options = '']) => {
      const [, value] = /<option value="([^"]*)" selected>/.exec(options) ?? []
      return value === undefined ? [] : [[name, value]]
    })
    return Object.fromEntries([...fields, ...selects]) as Record<string, string>
  }
  const submit = async (browser: PlainBrowser, to: string, changes: Record<string, string>) => {
    const { text } = await browser.get(to)
    return browser.post(to, { ...said(text), ...changes })
  }
  const shown = async (browser: PlainBrowser, to: string) => (await browser.get(to)).text.replaceAll('<wbr>', '')
  const mapped = {
    kind: 'ranking',
    skip_lines: '1',
    date_format: 'dd.mm.yyyy',
    'all-search_engine': 'Google',
    'all-locale': 'de-de',
  }

  test('are chosen, looked at, tried out and stored', async () => {
    const ben = await at('ben-desk')
    const page = await drop(ben, table, 'chicago.harbor.example')
    assert.match(await shown(ben, page), /Not recognised: say what its columns are/)
    const file = `${page}/0`
    assert.equal((await submit(ben, file, { ...mapped, do: 'look' })).status, 303)
    assert.match(await shown(ben, file), /<label for="column-0">Suchwort<\/label>.*Still to be said: Keyword, Measured on, Position\./s)
    assert.equal(
      (await submit(ben, file, { 'column-0': 'phrase', 'column-1': 'rank', 'column-2': 'ranked_at', 'column-3': '', do: 'look' })).status,
      303,
    )
    const looked = await shown(ben, file)
    assert.match(looked, /What the first rows become: positions.*<td>reifen<\/td>.*felgen/s)
    assert.match(
      looked,
      /What is wrong.*<th scope="row" class="n">5<\/th>.*Position must be an integer \(here: (?:&quot;|")zehn(?:&quot;|")\)<\/td>/s,
    )
    assert.equal((await submit(ben, file, { do: 'try' })).status, 303)
    await eventually(async () => /Nothing is stored yet/.test(await shown(ben, file)))
    assert.match(await shown(ben, file), /has faults.*Line 5: Position must be an integer/s)
    assert.equal((await db().selectFrom('ranking_months').select('account_id').execute()).length, 0)
    const noName = await submit(ben, file, { do: 'remember', name: ' ' })
    assert.equal(noName.status, 422)
    assert.equal((await submit(ben, file, { do: 'remember', name: 'Platzfinder' })).status, 303)
    const { version = '' } = said((await ben.get(page)).text)
    assert.equal(
      (await ben.post(page, { ...said((await ben.get(page)).text), version, part: 'yes', make: 'yes', do: 'store' })).status,
      303,
    )
    await eventually(async () => /1 of 1 file stored, 1 with faults/.test(await shown(ben, page)))
    const stored = await db().selectFrom('keywords').select('phrase').where('phrase', 'in', ['reifen', 'felgen', 'öl']).execute()
    assert.deepEqual(stored.map(({ phrase }) => phrase).toSorted(), ['felgen', 'reifen'])
    assert.equal((await ben.get(file)).status, 404)
    const audited = db().selectFrom('audit_entries').select('actor').where('action', '=', 'partner.save_mapping')
    assert.equal((await audited.execute()).length, 1)
  })

  test('are those of a saved choice, which colleagues have too', async () => {
    const mia = await at('mia-desk')
    const page = await drop(mia, table.replace('zehn', '10'), 'chicago.harbor.example')
    const file = `${page}/0`
    assert.equal((await submit(mia, file, { do: 'saved', saved: 'Platzfinder' })).status, 303)
    assert.match(await shown(mia, file), /What the first rows become: positions.*öl/s)
    assert.equal((await submit(mia, file, { do: 'try' })).status, 303)
    await eventually(async () => /Nothing is stored yet/.test(await shown(mia, file)))
    assert.match(await shown(mia, file), /was checked only.*data-l="In the file">3</s)
    assert.equal((await submit(mia, file, { do: 'store' })).headers.location, page)
    await eventually(async () => /1 of 1 file stored\./.test(await shown(mia, page)))
  })

  test('refuse what cannot be meant, and are shown to nobody else', async () => {
    const [ben, mia] = [await at('ben-desk'), await at('mia-desk')]
    const page = await drop(ben, table, '')
    const file = `${page}/0`
    const wrong = await submit(ben, file, { date_format: 'yyyy', do: 'look' })
    assert.equal(wrong.status, 422)
    assert.match(wrong.text, /A date format names year, month and day once each/)
    assert.match((await ben.get(file)).text, /Say among the files whose it is/)
    assert.equal((await mia.get(file)).status, 404)
    assert.equal((await mia.post(file, { do: 'store', version: '1', form_token: await mia.token(path) })).status, 404)
    for (const nowhere of ['1', '-1', 'x', '0.5', '__proto__']) assert.equal((await ben.get(`${page}/${nowhere}`)).status, 404)
    const { version = '' } = said((await ben.get(file)).text)
    await submit(ben, file, { ...mapped, do: 'look' })
    assert.match((await submit(ben, file, { version, do: 'look' })).text, /Somebody else has changed this meanwhile/)
  })
})
