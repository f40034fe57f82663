/** Many customers from one pasted table: shown before they are made, none while a line is wrong, and the same table again makes no second. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agencyOn } from '../../support/agency.ts'
import { onPageEngine } from '../../support/engines.ts'
import { formWithFile } from '../../support/form-with-file.ts'

onPageEngine('adding many customers', (place) => {
  const { service, at, send } = agencyOn(place)
  const path = '/desk/add/table'
  const count = async (table: 'accounts' | 'sites' | 'users' | 'report_schedules') => {
    const counted = service.app.store.db.selectFrom(table).select(({ fn }) => fn.countAll().as('many'))
    return Number((await counted.executeTakeFirstOrThrow()).many)
  }
  const all = async () => [await count('accounts'), await count('sites'), await count('users'), await count('report_schedules')]
  /** The fields of the page as a browser sends them, with a button. */
  const fieldsOf = (text: string, table: string, button: 'look' | 'make') => {
    const hidden = [...text.matchAll(/<input type="hidden" name="(heads|seen)" value="([^"]*)">/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ])
    const chosen = [...text.matchAll(/<select id="(column-\d+)".*?<\/select>/gs)].map(([select, name = '']) => [
      name,
      /<option value="([^"]*)" selected>/.exec(select)?.[1] ?? '',
    ])
    return { table, do: button, ...Object.fromEntries([...hidden, ...chosen]) } as Record<string, string>
  }

  const table = [
    'Client\tWebsite\tMore domains\tKeywords\tChef\tPerson\tE-Mail\tReports by mail\tLooked after by\tTags\tTime zone\tNumber',
    'Harbor Dental\thttps://harbor-dental.example/home\tharbor-kids.example\tdentist, braces\tx\tHana\thana@dental.example\tMonthly\tben-desk\tdental\tEurope/Berlin\tH-1',
    'Pine Books\tpine.example\t\t\ty',
    '',
    'Oak "The" Inn\toak.example',
  ].join('\r\n')

  test('a look shows what was recognised and makes nothing, and then all are made', async () => {
    const browser = await at('ben-desk')
    assert.match((await browser.get('/desk/add')).text, /href="\/desk\/add\/table"/)
    const before = await all()
    const quoted = table.replace('Oak "The" Inn', 'Oak Inn')
    const look = await send(browser, path, { table: quoted, do: 'look' })
    assert.equal(look.status, 200)
    for (const said of [
      '3 customers can be made. Nothing is made yet.',
      'Make these 3 customers',
      'Such as x',
      'Such as https://harbor-dental.example/home',
    ])
      assert.ok(look.text.includes(said), said)
    const chosen = fieldsOf(look.text, quoted, 'make')
    assert.deepEqual(
      Object.entries(chosen).flatMap(([name, value]) => (name.startsWith('column') ? [value] : [])),
      ['name', 'domain', 'domains', 'keywords', '', 'contact', 'email', 'rhythm', 'colleague', 'tags', 'time_zone', 'external_id'],
    )
    assert.deepEqual(await all(), before)
    const made = await send(browser, path, chosen)
    assert.deepEqual([made.status, made.headers.location], [303, '/desk?added=3'])
    const { text } = await browser.get('/desk?added=3')
    for (const said of ['3 customers are added.', 'Harbor Dental', 'Pine Books', 'Oak Inn']) assert.ok(text.includes(said), said)
    assert.deepEqual(
      (await all()).map((many, at) => many - (before[at] ?? 0)),
      [3, 4, 1, 1],
    )
    const again = await send(browser, path, { table: quoted, do: 'look' })
    assert.match(again.text, /There is nothing to make\. 3 customers are there already and stay as before\./)
    assert.doesNotMatch(again.text, /value="make"/)
    const after = await all()
    await send(browser, path, fieldsOf(again.text, quoted, 'make'))
    assert.deepEqual(await all(), after)
  })

  test('names the line that is wrong, and makes none of the others', async () => {
    const browser = await at('ben-desk')
    const before = await all()
    const wrong = [
      'name,domain,email,colleague,reports',
      'A,a.example,,,',
      'B,no domain,b,nobody-here,hourly',
      'C,a.example,,,',
      ',d.example,,,',
    ].join('\n')
    const look = await send(browser, path, { table: wrong, do: 'look' })
    assert.equal(look.status, 422)
    for (const said of [
      'Nothing is made: 3 lines have a fault.',
      'Line 3, B: This colleague is no longer there.',
      'Line 4, C: A customer with this domain is there already, or stands in a line above.',
      'Line 5: A customer needs a name.',
    ])
      assert.ok(look.text.includes(said), said)
    assert.ok(look.text.includes(`>${wrong}</textarea>`), 'what was pasted stays')
    assert.equal((await send(browser, path, fieldsOf(look.text, wrong, 'make'))).status, 422)
    const mended = wrong.replace('nobody-here', '')
    const better = await send(browser, path, { table: mended, do: 'look' })
    assert.match(better.text, /Line 3, B: Please type a domain such as example\.com\. .*email address\. /)
    assert.deepEqual(await all(), before)
  })

  test('columns that are not recognised are chosen, and nothing is made that was not shown', async () => {
    const browser = await at('ben-desk')
    const before = await all()
    const unknown = 'Firma;Seite\nElm;elm.example\n<b>Ash</b>;ash.example'
    const look = await send(browser, path, { table: unknown, do: 'look' })
    assert.match(look.text, /Please choose below which column is the customer/)
    const chosen = { ...fieldsOf(look.text, unknown, 'look'), 'column-0': 'name', 'column-1': 'domain' }
    const fit = await send(browser, path, chosen)
    assert.match(fit.text, /2 customers can be made/)
    assert.match(fit.text, /&lt;b&gt;Ash&lt;\/b&gt;/)
    const typed = { ...fieldsOf(fit.text, `${unknown}\nFir;fir.example`, 'make') }
    const changed = await send(browser, path, typed)
    assert.equal(changed.status, 200)
    assert.match(changed.text, /The table has changed since you looked at it: please look once more\..*3 customers can be made/s)
    assert.deepEqual(await all(), before)
    const made = await send(browser, path, fieldsOf(fit.text, unknown, 'make'))
    assert.equal(made.headers.location, '/desk?added=2')
    const other = await send(browser, path, { ...fieldsOf(fit.text, unknown, 'look'), 'column-0': 'nonsense' })
    assert.equal(other.status, 422)
    assert.match(other.text, /nonsense is no field of a customer/)
  })

  test('says what cannot be read, and how much is too much', async () => {
    const browser = await at('ben-desk')
    const refused = async (table: string, sentence: RegExp) => {
      const { status, text } = await send(browser, path, { table, do: 'look' })
      assert.deepEqual([status, sentence.test(text)], [422, true], `${sentence} in ${text.slice(-3_000)}`)
    }
    await refused(' ', /Please paste a table/)
    await refused(`name,domain\n${'x'.repeat(1 << 20)}`, /larger than 1 MB/)
    await refused('name,domain\n"A,a.example', /Line 2 is not a CSV line: cell 1 opens a quote/)
    await refused(`name,domain\n${'A,a.example\n'.repeat(5_001)}`, /at most 5000 rows/)
    const empty = await send(browser, path, { table: 'name,domain\n', do: 'look' })
    assert.match(empty.text, /There is nothing to make/)
  })

  test('a file is looked at like a pasted table, and made from its field', async () => {
    const browser = await at('ben-desk')
    const drop = async (content: string, from = browser) => {
      const { body, type } = formWithFile({ form_token: await from.token('/me') }, 'customers.csv', content)
      const headers = { cookie: from.cookie, 'sec-fetch-site': 'same-origin', accept: 'text/html' }
      return service.stranger.ask('POST', `${path}/file`, { body, type, headers })
    }
    const before = await all()
    const file = 'Client;Website\nYew;yew.example'
    const look = await drop(`\uFEFF${file}`)
    assert.match(look.text, /1 customer can be made.*>Client;Website\nYew;yew\.example<\/textarea>/s)
    for (const [content, said] of [
      ['PK\u0003\u0004', /This is a workbook/],
      ['Client;Website\nYew;yew', /1 line has a fault/],
      ['no table', /choose below which column/],
      [`name,domain\n${'x'.repeat(1 << 20)}`, /larger than 1 MB/],
    ] as const) {
      const refused = await drop(content)
      assert.deepEqual([refused.status, said.test(refused.text)], [422, true], String(said))
    }
    assert.equal((await drop(file, await at('dana-owner'))).status, 404)
    assert.deepEqual(await all(), before)
    assert.equal((await send(browser, path, fieldsOf(look.text, file, 'make'))).headers.location, '/desk?added=1')
  })

  test('mia makes customers that she looks after, and learns nothing of those of others', async () => {
    const browser = await at('mia-desk')
    const theirs = await send(browser, path, { table: 'name,domain\nPine Books,pine.example', do: 'look' })
    assert.match(theirs.text, /Line 2, Pine Books: A customer with this domain is there already/)
    const hers = 'name,domain\nBeech,beech.example'
    const look = await send(browser, path, { table: hers, do: 'look' })
    assert.equal((await send(browser, path, fieldsOf(look.text, hers, 'make'))).headers.location, '/desk?added=1')
    assert.match((await browser.get('/desk')).text, /Beech/)
  })

  test('is nothing for clients, strangers, and forms of other pages', async () => {
    const before = await all()
    const client = await at('dana-owner')
    assert.equal((await client.get(path)).status, 404)
    assert.equal((await send(client, path, { table: 'name,domain\nB,b.example', do: 'make' }, '/password')).status, 404)
    assert.equal((await (await at('ben-desk')).post(path, { table: 'name,domain\nB,b.example', do: 'make' })).status, 403)
    assert.equal((await service.stranger.get(path)).status, 303)
    assert.deepEqual(await all(), before)
  })
})
