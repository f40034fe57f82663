/** Pages for every reader and every screen: keyboard, axe in both themes, phones, weight and paper. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readNdjson } from '../../src/model/imports/formats.ts'
import { importObservations } from '../../src/model/imports/import.ts'
import { recipientToken } from '../../src/model/mail/recipients.ts'
import { createSchedule } from '../../src/model/mail/schedules.ts'
import { setBrand } from '../../src/model/partners/brand-changes.ts'
import { createShareLink } from '../../src/model/people/share-links.ts'
import { inspect, type Looking, testBrowser } from '../support/browser.ts'
import { textOfPdf } from '../support/pdf.ts'
import { loginToken } from '../support/people.ts'
import { peopleService, withMail } from '../support/people-service.ts'

/** What can be pressed and is less high than a finger is wide. Links within a sentence are as high as its line. */
const smallTargets = `[...document.querySelectorAll('nav a, button, summary, select, .stacks thead a, .rowlink, .card-head a, .pages a, input:not([type=hidden]):not([type=checkbox])')]
  .filter((one) => one.getClientRects().length > 0 && !one.closest('.sr, figcaption, .drop') && one.getBoundingClientRect().height < 43.5)
  .map((one) => one.outerHTML.slice(0, 90))`

describe('pages on every screen', () => {
  const browser = testBrowser()
  const here = peopleService(withMail)

  test('a keyboard reaches everything: skip link first, menus open and close', async () => {
    const { page, close } = await browser.enter(here.url, 'dana-owner')
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to the content')
    await page.keyboard.press('Enter')
    await page.locator('.menu summary').focus()
    await page.keyboard.press('Enter')
    assert.ok(await page.getByRole('button', { name: 'Log out' }).isVisible())
    await page.keyboard.press('Escape')
    assert.ok(!(await page.getByRole('button', { name: 'Log out' }).isVisible()))
    await close()
  })

  test('at a desk the main chart stands above the fold; on a phone a tap keeps a value, and the menu lies on top', async () => {
    const desk = await browser.enter(here.url, 'dana-owner')
    await desk.page.goto(`${here.url}/sites/${here.world.chicago}/search`)
    const bottom = await desk.page.evaluate("document.querySelector('.glance svg.wide').getBoundingClientRect().bottom")
    assert.ok(Number(bottom) <= 900, `the chart ends at ${bottom}`)
    await desk.close()
    const { page, close } = await browser.enter(here.url, 'dana-owner', { width: 390 })
    await page.goto(`${here.url}/sites/${here.world.chicago}/search?chart=position`)
    const finger = (type: string, target: string) => page.dispatchEvent(target, type, { pointerType: 'touch', clientX: 200, bubbles: true })
    await finger('pointerdown', '#positions .plot')
    await finger('pointerleave', '#positions .plot')
    assert.ok(await page.locator('#positions .hover-card').isVisible(), 'a tap shows a value and keeps it')
    await finger('pointerdown', 'h1')
    assert.ok(!(await page.locator('#positions .hover-card').isVisible()), 'a tap elsewhere puts it away')
    await page.locator('.menu summary').click()
    const menu = page.getByRole('button', { name: 'Log out' })
    const { x = 0, y = 0, width = 0, height = 0 } = (await menu.boundingBox()) ?? {}
    const isOnTop = await page.evaluate(`document.elementFromPoint(${x + width / 2}, ${y + height / 2})?.textContent === 'Log out'`)
    assert.ok(isOnTop, 'the menu lies above everything')
    const broken = await page.evaluate(
      "[...document.querySelectorAll('.tabs a')].filter((one) => one.getBoundingClientRect().height > 60).length",
    )
    assert.equal(broken, 0, 'no word of a tab is broken')
    await close()
  })

  test('on a phone the first section of every page ends within five screens, and fingers hit whatever can be pressed', async () => {
    const chicago = `/sites/${here.world.chicago}`
    const { page, close } = await browser.enter(here.url, 'dana-owner', { width: 390 })
    await page.goto(`${here.url}${chicago}/search`)
    const keyword = (await page.locator('a[data-opens]').first().getAttribute('href')) ?? ''
    const sections = {
      '/': '#site-list',
      [`${chicago}/search`]: '.glance',
      [`${chicago}/search?days=365`]: '.glance',
      [`${chicago}/reputation`]: '#competitors',
      [keyword]: 'figure.chart',
      [`${chicago}/share`]: 'main',
      '/reports': 'main',
      '/sessions': 'main',
      '/password': 'main',
      '/nothing': 'main',
    }
    await createShareLink(here.service.operator, here.world.chicago, { label: 'a friend', days: 30, password: null })
    for (const [path, section] of Object.entries(sections)) {
      await page.goto(here.url + path)
      const end = Number(await page.evaluate(`document.querySelector('${section}').getBoundingClientRect().bottom / 844`))
      assert.ok(end > 0.2 && end <= 5, `${section} of ${path} ends after ${end} screens`)
      assert.deepEqual(await page.evaluate(smallTargets), [], `targets of 44 px on ${path}`)
    }
    await close()
    const stranger = await browser.look(here.url, { width: 390 })
    for (const path of ['/login', '/forgot', '/share/x', '/nothing']) {
      await stranger.page.goto(here.url + path)
      assert.deepEqual(await stranger.page.evaluate(smallTargets), [], `targets of 44 px on ${path}`)
    }
    await stranger.close()
  })

  test('nothing scrolls sideways at 320 px: pages, forms with long names in them, and every door', async () => {
    const { operator } = here.service
    const long = { label: 'x'.repeat(100), days: 30 }
    await createShareLink(operator, here.world.chicago, { ...long, password: null })
    const locked = await createShareLink(operator, here.world.chicago, { ...long, password: 'open sesame' })
    const recipients = [`${'a'.repeat(60)}@${'b'.repeat(60)}.example`, 'dana-owner@people.example']
    const schedule = await createSchedule(operator, here.world.accountId, { rhythm: 'weekly', siteIds: null, recipients })
    const token = recipientToken(operator.app, schedule.recipients[0]?.id ?? 0)
    await importLong()
    const fits = async ({ page }: Looking, path: string) => {
      await page.goto(new URL(path, here.url).href)
      assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${path} overflows at 320 px`)
    }
    const chicago = `/sites/${here.world.chicago}`
    const dana = await browser.enter(here.url, 'dana-owner', { width: 320 })
    for (const path of [
      '/',
      '/?q=zzz',
      `/sites/${here.world.closed}/search?days=30`,
      `${chicago}/search?q=xxx`,
      `${chicago}/search`,
      `${chicago}/reputation`,
      `${chicago}/share`,
      '/reports',
      '/sessions',
      '/password',
      '/nothing',
    ])
      await fits(dana, path)
    await dana.page.goto(`${here.url}${chicago}/search`)
    await fits(dana, (await dana.page.locator('a[data-opens]').first().getAttribute('href')) ?? '')
    await dana.page.goto(`${here.url}${chicago}/search?q=xxx`)
    await fits(dana, (await dana.page.locator('a[data-opens]').first().getAttribute('href')) ?? '')
    assert.equal((await dana.page.locator('h1').innerText()).length, 200, 'the keyword of 200 letters wraps')
    await dana.close()
    const newcomer = await browser.enter(here.url, 'newcomer', { width: 320 })
    await fits(newcomer, '/')
    await newcomer.close()
    const stranger = await browser.look(here.url, { width: 320 })
    const link = await loginToken(operator, here.world.users['kim-one-site'])
    for (const path of [
      '/login',
      '/login?session=ended',
      '/forgot',
      `/login-link/${link}`,
      '/login-link/x',
      '/share/x',
      `/share/${locked.token}`,
    ])
      await fits(stranger, path)
    for (const path of [`/reports/confirm/${token}`, `/reports/unsubscribe/${token}`, '/reports/confirm/x', '/docs'])
      await fits(stranger, path)
    await stranger.close()
  })

  /** A keyword, a link, a review and its author, each one long word. */
  async function importLong(): Promise<void> {
    const { operator } = here.service
    const [site, today] = ['chicago.harbor.example', new Date().toISOString().slice(0, 10)]
    const page = { site, source: 'google', page_url: `https://google.example/${site}` }
    const lines = [
      { type: 'ranking', site, phrase: 'x'.repeat(200), search_engine: 'Google', locale: 'en-us', ranked_at: `${today} 04:05:06`, rank: 3 },
      {
        type: 'backlink',
        site,
        source_url: `https://${'l'.repeat(60)}.example/${'p'.repeat(300)}`,
        found_on: today,
        link_strength: 3,
        domain_authority: 4,
        anchor_text: 'a'.repeat(200),
      },
      {
        type: 'review',
        ...page,
        ref: 'long',
        rating: 3,
        date: today,
        user: 'u'.repeat(120),
        header: 'h'.repeat(150),
        detail: 'd'.repeat(400),
      },
    ]
    const bytes = (async function* () {
      yield Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'))
    })()
    const summary = await importObservations(operator, { partnerId: here.world.partnerId }, readNdjson(bytes), { createMissing: true })
    assert.equal(summary.refused, 0, JSON.stringify(summary.faults))
  }

  test('pages are light, shift nothing and ask nobody else', async () => {
    const { page, context, mishaps, close } = await browser.enter(here.url, 'dana-owner')
    for (const path of ['/', `/sites/${here.world.chicago}/search?days=180`, `/sites/${here.world.chicago}/reputation?days=180`]) {
      const network = await context.newCDPSession(page)
      await network.send('Network.enable')
      await network.send('Network.setCacheDisabled', { cacheDisabled: true })
      let bytes = 0
      network.on('Network.loadingFinished', ({ encodedDataLength }) => {
        bytes += encodedDataLength
      })
      await page.goto(here.url + path)
      await page.waitForLoadState('networkidle')
      const shift = await page.evaluate(
        `new Promise((done) => { let sum = 0; new PerformanceObserver((list) => { for (const entry of list.getEntries()) sum += entry.value }).observe({ type: 'layout-shift', buffered: true }); setTimeout(() => done(sum), 300) })`,
      )
      assert.ok(bytes > 5_000 && bytes < 150_000, `${path} weighs ${bytes} bytes`)
      assert.equal(shift, 0, `${path} shifts`)
      await network.detach()
    }
    assert.deepEqual(mishaps, [])
    await close()
  })

  test('on paper there is a letterhead and no navigation', async () => {
    const { page, close } = await browser.enter(here.url, 'dana-owner')
    await page.goto(`${here.url}/sites/${here.world.chicago}/search`)
    await page.emulateMedia({ media: 'print' })
    assert.ok(await page.locator('.letterhead').isVisible())
    for (const hidden of ['.top', '.tabs', '.filters', '.behind']) assert.ok(!(await page.locator(hidden).first().isVisible()), hidden)
    assert.ok((await page.pdf({ format: 'A4' })).length > 20_000)
    // As wide as a sheet, with the longest label that an axis of ranks can have.
    await page.setViewportSize({ width: 690, height: 980 })
    await page.goto(`${here.url}/sites/${here.world.chicago}/search?chart=position`)
    await page.evaluate(
      "for (const label of document.querySelectorAll('#positions .axis text[text-anchor=end]')) label.textContent = '100,000'",
    )
    const cut = `[...document.querySelectorAll('.plot text')].filter((label) => label.getClientRects().length > 0)
      .filter((label) => label.getBoundingClientRect().left < document.querySelector('main').getBoundingClientRect().left)
      .map((label) => label.textContent)`
    assert.deepEqual(await page.evaluate(cut), [], 'no label of an axis is cut')
    await page.goto(`${here.url}/sites/${here.world.chicago}/search?print=all`)
    for (const format of ['A4', 'Letter'] as const) {
      const sheets = textOfPdf(await page.pdf({ format, preferCSSPageSize: true })).split('\f')
      assert.equal(
        sheets.findIndex((text) => text.includes('Appendix')),
        2,
        `the summary fits onto two sheets of ${format}`,
      )
    }
    await close()
  })

  test("the partner's name, colour and logo are on every page, and ours nowhere", async () => {
    const pixel = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
    await setBrand(here.service.operator, here.world.partnerId, { accent: '#ffcc00', logo: pixel })
    const { page, mishaps, close } = await browser.enter(here.url, 'dana-owner')
    for (const path of ['/', `/sites/${here.world.chicago}/search`, `/sites/${here.world.chicago}/reputation`, '/password', '/nothing']) {
      await page.goto(here.url + path)
      assert.doesNotMatch(await page.content(), /marquee/i, path)
      assert.match(await page.title(), /Acme/)
      assert.equal(await page.evaluate("document.querySelector('.brand img').naturalWidth"), 1)
      await inspect(page, `${path} branded`, 'colours')
    }
    assert.deepEqual(mishaps, [])
    await setBrand(here.service.operator, here.world.partnerId, { accent: null, logo: null })
    await close()
  })
})
