/** `/docs` in a real browser: it can be searched, its samples switched and its endpoints tried; it works without a script, on a phone and in the dark. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { inspect, testBrowser } from '../../support/browser.ts'
import { freshPlace, type Place } from '../../support/engines.ts'
import { serviceOn } from '../../support/service.ts'

describe('the documentation in a browser', () => {
  const place = {} as Place
  before(async () => {
    Object.assign(place, await freshPlace('sqlite'))
  })
  const house = serviceOn(place)
  const browser = testBrowser()
  after(() => place.remove())

  test('is found through by search, with the keyboard alone', async () => {
    const { page, mishaps, close } = await browser.look(house.url)
    await page.goto(`${house.url}/docs`)
    await page.keyboard.press('/')
    await page.keyboard.type('deactivate bus')
    await page.locator('#found a').first().waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${house.url}/docs/businesses#deactivate-a-business`)
    assert.deepEqual(mishaps, [])
    await close()
  })

  test('finds what is said in the text, by the words in which people ask', async () => {
    const { page, mishaps, close } = await browser.look(house.url)
    await page.goto(`${house.url}/docs`)
    for (const [asked, path] of [
      ['pagination', '/docs#lists-and-pagination'],
      ['upload csv', '/docs/intakes#upload-a-file'],
      ['time zone', '/docs#times'],
      ['pagnation', '/docs#lists-and-pagination'],
    ] as const) {
      await page.getByLabel('Search').fill(asked)
      await page.locator(`#found a[href="${path}"]`).waitFor()
    }
    assert.deepEqual(mishaps, [])
    await close()
  })

  test('shows all samples in the language that was chosen for one, and copies them', async () => {
    const { context, page, close } = await browser.look(house.url)
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(`${house.url}/docs/users`)
    await page.locator('.samples label', { hasText: 'Ruby' }).first().click()
    assert.equal(await page.locator('.sample[data-language="Ruby"]:visible').count(), await page.locator('.samples').count())
    assert.equal(await page.locator('.sample[data-language="curl"]:visible').count(), 0)
    await page.locator('.sample[data-language="Ruby"]').first().hover()
    await page.locator('.sample[data-language="Ruby"] .copy').first().click()
    assert.match(await page.evaluate('navigator.clipboard.readText()'), /^require "json"[\s\S]*Net::HTTP::Post/)
    await close()
  })

  test('sends a request with the key of the reader, and keeps that key nowhere', async () => {
    const acme = await house.partner('Acme')
    const { page, mishaps, close } = await browser.look(house.url)
    await page.goto(`${house.url}/docs/users`)
    await page.getByLabel('Endpoint').selectOption({ label: 'GET List users' })
    await page.getByLabel('Key', { exact: true }).fill(acme.key)
    await page.locator('.try').getByLabel('Password').fill(acme.password)
    await page.getByRole('button', { name: 'Send' }).click()
    await page.locator('.try output', { hasText: '200 OK' }).waitFor()
    assert.match(await page.locator('.try pre').innerText(), /"users": \[\]/)
    await page.getByLabel('Address').fill('https://elsewhere.example/api/users.json')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.locator('.try output', { hasText: 'Only addresses of this service' }).waitFor()
    assert.equal(await page.evaluate('localStorage.length + sessionStorage.length + document.cookie.length'), 0)
    assert.ok(!page.url().includes(acme.key))
    assert.deepEqual(mishaps, [])
    await close()
  })

  test('is read without a script: menu, samples, permalinks; what needs one is not shown', async () => {
    const { page, close } = await browser.look(house.url, { hasScript: false })
    await page.goto(`${house.url}/docs/users`)
    await page.locator('.samples label', { hasText: 'Python' }).first().click()
    assert.ok(await page.locator('.sample[data-language="Python"]').first().isVisible())
    assert.equal(await page.locator('.search:visible, .try:visible, .copy:visible').count(), 0)
    await page.getByRole('link', { name: 'Businesses' }).click()
    assert.equal(new URL(page.url()).pathname, '/docs/businesses')
    await close()
  })

  test('axe finds nothing, and nothing scrolls sideways, on a phone and in the dark', async () => {
    for (const [path, look] of [
      ['/docs/users', { width: 390 }],
      ['/docs/guides/first-calls', { width: 1280, scheme: 'dark' }],
    ] as const) {
      const { page, close } = await browser.look(house.url, look)
      await page.goto(`${house.url}${path}`)
      await inspect(page, `${path} at ${look.width}`)
      await close()
    }
  })

  test('leaves room for the search beside a long name on a phone', async () => {
    const { page, close } = await browser.look(house.url, { width: 390 })
    await page.goto(`${house.url}/docs`)
    await page.evaluate("document.querySelector('.home').prepend('The Agency of Long Names ')")
    const { width = 0 } = (await page.locator('.search input').boundingBox()) ?? {}
    assert.ok(width >= 140, `${width} pixels`)
    await close()
  })
})
