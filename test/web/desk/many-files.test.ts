/** Many files at once at the desk: from one zip or one form, each for its customer, by pages alone. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { draftOf } from '../../../src/fields/read.ts'
import { forgetDeliveries } from '../../../src/model/intakes/deliveries/keep-delivery.ts'
import { removeAbandonedFiles } from '../../../src/model/intakes/tasks.ts'
import { createAccount } from '../../../src/model/partners/accounts.ts'
import { createBusiness } from '../../../src/model/partners/businesses.ts'
import { createSite } from '../../../src/model/partners/sites.ts'
import { appointStaff } from '../../../src/model/people/staff/staff.ts'
import { createUser } from '../../../src/model/people/users.ts'
import { newBusiness } from '../../../src/resources/business.ts'
import { newUser } from '../../../src/resources/user.ts'
import { crowded, locked, renamed } from '../../model/imports/shapes/hostile-zips.ts'
import { zipOf } from '../../model/imports/shapes/write-files.ts'
import { onPageEngine } from '../../support/engines.ts'
import { eventually } from '../../support/eventually.ts'
import { formEnding, formFields, formFile, formType } from '../../support/form-with-file.ts'
import { makePeople, type PeopleWorld, password } from '../../support/people.ts'
import { PlainBrowser } from '../../support/plain-browser.ts'
import { serviceOn } from '../../support/service.ts'

const many = 200

onPageEngine('many files at the desk', (place) => {
  const service = serviceOn(place)
  let world: PeopleWorld
  const customers: { id: number; domain: string }[] = []
  const db = () => service.app.store.db
  const path = '/desk/data'

  before(async () => {
    world = await makePeople(service.operator)
    const partner = db().selectFrom('partners').select('account_id').where('id', '=', world.partnerId)
    const own = (await partner.executeTakeFirstOrThrow()).account_id ?? 0
    const mia = await colleague('mia-desk', own, 'assigned')
    await colleague('ben-desk', own, 'all')
    for (let n = 0; n < many; n++) {
      const { id } = await createAccount(service.operator, world.partnerId, `Garage ${n + 100}`)
      const business = await createBusiness(service.operator, draftOf(newBusiness, { name: 'Garage', account_id: id }))
      const domain = `garage${n + 100}.example`
      await createSite(service.operator, business.id, domain)
      customers.push({ id, domain })
    }
    const assigned = customers.slice(0, 2).map(({ id }) => id)
    await service.app.store.write((tx) => tx.updateTable('accounts').set({ looked_after_by: mia }).where('id', 'in', assigned).execute())
  })

  const colleague = async (login: string, accountId: number, reach: 'all' | 'assigned') => {
    const draft = draftOf(newUser, { login, email: `${login}@quay.example`, password, account_id: accountId })
    const { id } = await createUser(service.operator, draft)
    await appointStaff(service.operator, world.partnerId, id, { role: 'member', customers: reach })
    return id
  }
  const at = async (login: string) => {
    const browser = new PlainBrowser(service.stranger)
    assert.equal((await browser.logIn(login)).status, 303)
    return browser
  }
  const drop = async (browser: PlainBrowser, files: readonly (readonly [name: string, content: string | Buffer])[], customer = '') => {
    const fields = formFields({ form_token: await browser.token(path), customer, make: 'yes' })
    const parts = files.flatMap(([name, content]) => {
      const [head = '', tail = ''] = formFile(name, '\u0000').split('\u0000')
      return [Buffer.from(head), Buffer.from(content), Buffer.from(tail)]
    })
    const body = Buffer.concat([Buffer.from(fields), ...parts, Buffer.from(formEnding)])
    const headers = { cookie: browser.cookie, accept: 'text/html', 'sec-fetch-site': 'same-origin' }
    const answer = await service.stranger.ask('POST', path, { body, type: formType, headers })
    assert.equal(answer.status, 303, answer.text)
    return answer.headers.location ?? ''
  }
  /** The form of the page as a browser would send it. */
  const formOf = (text: string) => {
    const form = new URLSearchParams()
    for (const [, name = '', value = ''] of text.matchAll(/<input[^>]* name="((?:owner-|version|form_)[^"]*)"[^>]* value="([^"]*)"/g))
      form.set(name, value)
    for (const [, name = '', value = ''] of text.matchAll(/<select name="(what-\d+)"[\s\S]*?<option value="([^"]*)" selected/g))
      form.set(name, value)
    for (const [, name = ''] of text.matchAll(/type="checkbox" name="([^"]+)" value="yes"[^>]* checked/g)) form.set(name, 'yes')
    return form
  }
  const submit = (browser: PlainBrowser, at: string, form: URLSearchParams, changes: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries(changes)) form.set(name, value)
    return browser.post(at, Object.fromEntries(form))
  }
  const ranks = (site: string | null, rank = 3) =>
    site === null
      ? `phrase,search_engine,locale,ranked_at,rank\ntyres,Google,en-us,2026-11-14,${rank}`
      : `site,phrase,search_engine,locale,ranked_at,rank\n${site},tyres,Google,en-us,2026-11-14,${rank}`
  const kept = () => readdirSync(join(place.folder, 'uploads')).filter((name) => name !== 'host')
  const intakes = () => db().selectFrom('intakes').select(['account_id', 'file_name', 'state']).orderBy('id').execute()

  test('200 files of one zip are stored, each for its customer', async () => {
    const browser = await at('ben-desk')
    // The first is told by the sites in it, the second by its name, the third by the addresses that were found.
    const names = [
      ({ domain }: { domain: string }) => ['november/ranks.csv', ranks(domain)],
      ({ domain }: { domain: string }) => [`${domain}-november.csv`, ranks(null)],
      ({ domain }: { domain: string }, n: number) => [
        `november ${n}.csv`,
        `phrase,search_engine,locale,ranked_at,rank,url\ntyres,Google,en-us,2026-11-14,3,https://www.${domain}/tyres`,
      ],
      (_: { domain: string }, n: number) => [`Garage_${n + 100} november.csv`, ranks(null)],
    ] as const
    const files = customers.map((customer, n) => {
      const [name = '', content = ''] = (names[n % names.length] ?? names[0])(customer, n)
      return [name.replace('november/', `november/${n}/`), content] as const
    })
    const page = await drop(browser, [['november.zip', await zipOf(Object.fromEntries(files))]])
    assert.match(page, /^\/desk\/data\/arrived\/\d+$/)
    const { text } = await browser.get(page)
    assert.match(text, /<h1>200 files<\/h1>/)
    assert.doesNotMatch(text, /Please say whose|Not recognised:/)
    // It can be left, and is found again.
    assert.match((await browser.get(path)).text, new RegExp(`Not stored yet.*<a href="${page}">200 files`, 's'))
    assert.equal((await submit(browser, page, formOf(text), { do: 'store' })).status, 303)
    await eventually(async () => (await intakes()).every(({ state }) => state === 'stored'))
    const stored = await intakes()
    assert.equal(stored.length, many)
    const byName = new Map(stored.map(({ file_name, account_id }) => [file_name, account_id]))
    for (const [n, [name]] of files.entries()) assert.equal(byName.get(name), customers[n]?.id, name)
    const measured = await db().selectFrom('ranking_months').select('account_id').distinct().execute()
    assert.equal(measured.length, many)
    assert.match((await browser.get(page)).text, /200 of 200 files stored\./)
    assert.doesNotMatch((await browser.get(path)).text, /Not stored yet/)
    await eventually(async () => kept().length === 0)
    const audited = await db().selectFrom('audit_entries').select('id').where('action', '=', 'intake.upload').execute()
    assert.equal(audited.length, many)
  })

  test('what cannot be read is named with its reason, and the rest waits', async () => {
    const browser = await at('ben-desk')
    const good = ranks(customers[0]?.domain ?? '')
    const two = { 'a.csv': good, 'b.csv': good }
    const page = await drop(browser, [
      ['password.zip', await locked()],
      ['outside.zip', await renamed('aa/aa/passwd', '../../passwd')],
      ['many.zip', await crowded(10_000)],
      ['more.zip', await crowded(501)],
      ['bomb.zip', await zipOf({ 'a.csv': `${good}\n`.repeat(200_000), 'b.csv': good })],
      ['cut.zip', (await zipOf(two)).subarray(0, -30)],
      ['within.zip', await zipOf({ 'a.csv': good, 'b.zip': await zipOf(two), 'c\u0001.csv': good, 'd.csv': '' })],
      ['page.csv', '<!doctype html><html>'],
      ['<b>unknown.csv', 'a,b\n1,2'],
    ])
    const { text } = await browser.get(page)
    const plain = text.replaceAll('<wbr>', '')
    for (const told of [
      /password\.zip<\/strong> is protected with a password/,
      /outside\.zip<\/strong> is a zip archive with a file outside of its own folder/,
      /many\.zip<\/strong> has too many files: at most 500/,
      /more\.zip<\/strong> has too many files: at most 500/,
      /bomb\.zip<\/strong> unfolds to more than is taken/,
      /cut\.zip<\/strong> is a zip archive that is damaged/,
      /b\.zip<\/strong> is a zip archive within a zip archive/,
      /c \.csv<\/strong> has a name with a line break or another control character/,
      /d\.csv<\/strong> is empty/,
      /page\.csv<\/strong> is a web page/,
    ])
      assert.match(plain, told)
    assert.match(plain, /&lt;b&gt;unknown\.csv<\/a><\/th>.*Not recognised: say what its columns are/s)
    // The file of the archive that can be read, and the one that is not recognised.
    await eventually(() => kept().length === 2)
    const refused = await submit(browser, page, formOf(text), { do: 'store' })
    assert.equal(refused.status, 422)
    assert.match(refused.text, /Please say more of 1 file/)
    const form = formOf(text)
    const out = /unknown\.csv.*?name="(out-\d+)"/s.exec(plain)?.[1] ?? assert.fail(plain)
    form.set(out, 'yes')
    assert.equal((await submit(browser, page, form, { do: 'save' })).status, 303)
    // A second tab has the page as it was.
    const late = await submit(browser, page, formOf(text), { do: 'discard' })
    assert.match(late.text, /Somebody else has changed this meanwhile/)
    const fresh = formOf((await browser.get(page)).text)
    assert.equal(fresh.get(out), 'yes')
    assert.equal((await submit(browser, page, fresh, { do: 'discard' })).status, 303)
    await eventually(() => kept().length === 0)
    assert.equal((await browser.get(page)).status, 404)
  })

  test('a member sees and chooses customers of their own alone, and nobody sees the files of a colleague', async () => {
    const [mine, , foreign] = customers
    const mia = await at('mia-desk')
    const before = (await intakes()).length
    const page = await drop(mia, [
      [`${mine?.domain}.csv`, ranks(null)],
      [`${foreign?.domain}.csv`, ranks(null)],
      ['both.csv', `${ranks(mine?.domain ?? '')}\n${foreign?.domain},tyres,Google,en-us,2026-11-14,4`],
    ])
    const { text } = await mia.get(page)
    assert.equal((text.match(/Please say whose it is/g) ?? []).length, 1)
    assert.doesNotMatch(text, /Garage 102/)
    const ben = await at('ben-desk')
    assert.equal((await ben.get(page)).status, 404)
    assert.equal((await submit(ben, page, formOf(text), { do: 'discard', form_token: await ben.token(path) })).status, 404)
    const owner = await at('dana-owner')
    assert.equal((await owner.get(page)).status, 404)
    const refused = await submit(mia, page, formOf(text), { do: 'store', 'owner-1': 'Garage 102' })
    assert.equal(refused.status, 422)
    assert.match(refused.text, /value="Garage 102".*No customer or site of yours is called so/s)
    const form = formOf(text)
    form.set('out-1', 'yes')
    assert.equal((await submit(mia, page, form, { do: 'store' })).status, 303)
    await eventually(async () => (await intakes()).every(({ state }) => state === 'stored' || state === 'refused'))
    const stored = (await intakes()).slice(before)
    assert.deepEqual(
      stored.map(({ account_id, state }) => [account_id, state]),
      [
        [mine?.id, 'stored'],
        [mine?.id, 'stored'],
      ],
    )
  })

  test('what nobody has stored in time is gone, and what somebody still may stays', async () => {
    const ben = await at('ben-desk')
    const page = await drop(ben, [['unknown.csv', 'a,b\n1,2']])
    const id = Number(page.split('/').at(-1))
    await removeAbandonedFiles(service.app)
    assert.equal((await ben.get(page)).status, 200)
    await service.app.store.write((tx) =>
      tx.updateTable('deliveries').set({ expires_at: '2026-01-01T00:00:00Z' }).where('id', '=', id).execute(),
    )
    assert.equal((await ben.get(page)).status, 404)
    await forgetDeliveries(service.app)
    assert.equal((await db().selectFrom('deliveries').select('id').where('id', '=', id).execute()).length, 0)
  })
})
