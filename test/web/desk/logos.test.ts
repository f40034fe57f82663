/** Logos at the desk: looked at before they are saved, checked by what they hold, and taken away again. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { brandOfPartner } from '../../../src/model/partners/brands.ts'
import { agencyOn } from '../../support/agency.ts'
import { inspect, testBrowser } from '../../support/browser.ts'
import { onEngine, onPageEngine } from '../../support/engines.ts'
import { formEnding, formFields, formFile, formType } from '../../support/form-with-file.ts'
import type { PlainBrowser } from '../../support/plain-browser.ts'

const path = '/desk/brand/logos'
const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
const wasIn = (text: string) => /name="was" value="([\w-]{22})"/.exec(text)?.[1] ?? ''

onPageEngine('logos at the desk', (place) => {
  const { service, agency, at } = agencyOn(place)
  let ada: PlainBrowser
  before(async () => {
    ada = await at('ada-desk')
  })
  const own = () => brandOfPartner(service.app, agency.world.partnerId)
  const counted = async () => (await service.app.store.db.selectFrom('brand_pictures').select('id').execute()).length
  const send = async (browser: PlainBrowser, fields: Record<string, string>, file?: Buffer, type = formType, form = path) => {
    const head = formFields({ form_token: await browser.token(form), ...fields })
    const [before, after] = formFile('logo.png', '|').split('|')
    const parts = file === undefined ? [head, formEnding] : [head, before ?? '', file, after ?? '', formEnding]
    const headers = { cookie: browser.cookie, 'sec-fetch-site': 'same-origin', accept: 'text/html' }
    return service.stranger.ask('POST', path, { body: Buffer.concat(parts.map((part) => Buffer.from(part))), type, headers })
  }

  test('are uploaded and looked at, and nobody else sees them', async () => {
    assert.equal((await send(ada, { kind: 'logo', do: 'look' }, png)).headers.location, `${path}?done=look`)
    assert.equal(await own(), undefined)
    const { text } = await ada.get(path)
    assert.match(text, /not saved yet/)
    const [, preview = ''] = /<iframe src="([^"]*preview\/login[^"]*)"/.exec(text) ?? []
    const shown = await ada.get(preview.replaceAll('&amp;', '&'))
    const [, picture = ''] = /src="(\/brand\/[\w-]+)"/.exec(shown.text) ?? []
    assert.equal((await ada.get(picture)).headers['content-type'], 'image/png')
    assert.doesNotMatch((await ada.get('/desk/brand/preview/login')).text, /src="\/brand\//)
    const pdf = await ada.get('/desk/brand/preview/pdf?drafts=1')
    assert.deepEqual([pdf.headers['content-type'], pdf.text.slice(0, 5)], ['application/pdf', '%PDF-'])
    await send(ada, { kind: 'logo', do: 'look' }, png)
    assert.equal(await counted(), 1, 'the draft before is gone')
  })

  test('are saved for everybody, changed and taken away, and no picture is left', async () => {
    await send(ada, { kind: 'dark_logo', do: 'look' }, png)
    const was = wasIn((await ada.get(path)).text)
    assert.equal((await send(ada, { do: 'save', was: 'another version of the' })).status, 422)
    assert.equal((await send(ada, { do: 'save', was })).headers.location, `${path}?done=saved`)
    const saved = await own()
    assert.ok(saved?.logo_id && saved.dark_logo_id && saved.logo_id !== saved.dark_logo_id)
    assert.match((await ada.get('/desk')).text, new RegExp(`src="/brand/${saved.logo_id}"`))
    assert.equal(await counted(), 2)
    await send(ada, { kind: 'logo', do: 'look' }, png)
    await send(ada, { do: 'discard' })
    assert.equal(await counted(), 2)
    for (const kind of ['logo', 'dark_logo'])
      assert.equal(
        (await send(ada, { kind, do: 'remove', was: wasIn((await ada.get(path)).text) })).headers.location,
        `${path}?done=removed`,
      )
    assert.deepEqual([await own(), await counted()], [undefined, 0])
    const entries = await service.app.store.db.selectFrom('audit_entries').select('actor').where('action', '=', 'partner.brand').execute()
    assert.deepEqual(entries, Array(3).fill({ actor: `user:${agency.staff.ada}` }))
  })

  test('are checked by what they hold', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>')
    for (const bad of [svg, Buffer.from('GIF89a'), Buffer.concat([png, Buffer.alloc(200 * 1024)])]) {
      const refused = await send(ada, { kind: 'logo', do: 'look' }, bad)
      assert.equal(refused.status, 422)
      assert.match(refused.text, /The logo is a PNG, JPEG or WebP of at most 200 KB/)
    }
    assert.equal((await send(ada, { kind: 'logo', do: 'look' })).status, 422)
    assert.equal((await send(ada, { kind: 'logo', do: 'look' }, Buffer.alloc(2 << 20))).status, 413)
    assert.equal((await send(ada, { kind: 'favicon', do: 'look' }, png)).status, 404)
    assert.equal(await counted(), 0)
  })

  test('are a matter of admins with a fresh login', async () => {
    const ben = await at('ben-desk')
    assert.equal((await ben.get(path)).status, 404)
    assert.equal((await send(ben, { kind: 'logo', do: 'look' }, png, formType, '/desk')).status, 404)
    const token = await ada.token(path)
    await service.app.store.write((tx) => tx.updateTable('sessions').set({ proved_at: '2020-01-01T00:00:00Z' }).execute())
    assert.equal((await send(ada, { kind: 'logo', do: 'look', form_token: token }, png)).headers.location, path)
    assert.match((await ada.get(path)).text, /Is it you\?/)
    assert.equal(await counted(), 0)
  })
})

onEngine('sqlite', 'logos at the desk, in a browser', (place) => {
  const { service } = agencyOn(place)
  const browser = testBrowser()

  for (const [hasScript, width] of [
    [true, 390],
    [false, 1440],
  ] as const)
    test(`are looked at, saved and taken away ${hasScript ? 'with' : 'without'} script at ${width}`, async () => {
      const { page, mishaps, close } = await browser.enter(service.url, 'ada-desk', { hasScript, width })
      await page.goto(`${service.url}/desk/brand`)
      await page.getByRole('link', { name: 'Logos' }).click()
      await page.getByLabel('Picture').first().setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: png })
      await page.getByRole('button', { name: 'Look at it as logo', exact: true }).click()
      await page.getByText('not saved yet').first().waitFor()
      const frame = page.locator('iframe[src*="preview/page"]').first()
      await frame.scrollIntoViewIfNeeded()
      await page.frameLocator('iframe[src*="preview/page"]').first().locator('img.plate').first().waitFor()
      if (hasScript) await inspect(page, path)
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('The logo is saved').waitFor()
      await page.getByRole('button', { name: 'Take it away' }).click()
      await page.getByText('The logo is gone').waitFor()
      assert.deepEqual(mishaps, [])
      await close()
    })
})
