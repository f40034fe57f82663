import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { draftOf } from '../../src/fields/read.ts'
import { dayText } from '../../src/lib/time/days.ts'
import { setBrand } from '../../src/model/partners/brand-changes.ts'
import { createBusiness } from '../../src/model/partners/businesses.ts'
import { setPartner } from '../../src/model/partners/partners.ts'
import { createSite } from '../../src/model/partners/sites.ts'
import { newBusiness } from '../../src/resources/business.ts'
import { outsideLink } from '../../src/web/components/components.ts'
import { testBrowser } from '../support/browser.ts'
import { importLines } from '../support/data.ts'
import { freshPlace, type Place } from '../support/engines.ts'
import { makePeople, type PeopleWorld } from '../support/people.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { hostileAddresses, payloads } from '../support/xss.ts'

/** 100 in the ordinary run; `HOSTILE_WORDS=500` for all. */
const words = payloads(Number(process.env.HOSTILE_WORDS ?? 100))
const site = 'chicago.harbor.example'
const today = dayText(Math.floor(Date.now() / 86_400_000))

describe('words that would run', () => {
  const browser = testBrowser()
  let place: Place
  let service: TestService
  let world: PeopleWorld
  before(async () => {
    place = await freshPlace('sqlite')
    service = await startTestService(place)
    world = await makePeople(service.operator)
    const page_url = 'https://maps.example/place'
    const lines = words.flatMap((word, index) => [
      {
        type: 'review',
        site,
        source: 'google',
        page_url,
        ref: `r${index}`,
        rating: 3,
        date: today,
        user: word,
        header: word,
        detail: word,
        url: `https://maps.example/?q=${encodeURIComponent(word)}&raw="'><`,
      },
      {
        type: 'backlink',
        site,
        source_url: `https://blog.example/${index}?${encodeURIComponent(word)}`,
        found_on: today,
        link_strength: 1,
        domain_authority: 1,
        anchor_text: word,
      },
      {
        type: 'ranking',
        site,
        phrase: word.trim().slice(0, 200),
        search_engine: 'Google',
        locale: 'en-us',
        ranked_at: `${today} 01:00:00`,
        rank: 5,
      },
    ])
    const hostile = ['"><img src=x onerror=window.hit=1>', "'onfocus=window.hit=1 "].map((name) => name.slice(0, 50))
    lines.push(
      ...(hostile.map((search_engine) => ({
        type: 'ranking',
        site,
        phrase: 'engine',
        search_engine,
        locale: search_engine,
        ranked_at: `${today} 01:00:00`,
        rank: 5,
      })) as never[]),
    )
    lines.push(
      ...(hostile.map((source) => ({
        type: 'review_count',
        site,
        source,
        page_url,
        page_source: 'google',
        date: today,
        count: 1,
        rating_sum: 1,
      })) as never[]),
    )
    const target = { partnerId: world.partnerId }
    const summary = await importLines(
      { ...service, ...world, target, siteId: 0, otherAccountId: 0 },
      [{ type: 'page', site, source: 'google', page_url }, ...lines],
      { createMissing: true },
    )
    assert.equal(summary.refused, 0, JSON.stringify(summary.faults[0]))
    for (const [index, word] of words.entries()) {
      const name = word.trim().slice(0, 255)
      const business = await createBusiness(service.operator, draftOf(newBusiness, { name, account_id: world.accountId }))
      await createSite(service.operator, business.id, `site-${index}.example`)
    }
  })
  after(async () => {
    await service?.stop()
    await place?.remove()
  })

  const isUnharmed = async (page: Page, mishaps: readonly string[], where: string) => {
    assert.equal(await page.evaluate('window.hit'), undefined, where)
    assert.deepEqual(mishaps, [], where)
    assert.equal(
      await page
        .locator(
          'script:not([src]), iframe, object, embed, base, [onerror], [onload], [onclick], [onfocus], [style]:not(.hover-rule):not(.hover-card)',
        )
        .count(),
      0,
      where,
    )
    const links = (await page.evaluate(
      "[...document.querySelectorAll('[href],[src],[action]')].map((one) => one.href || one.src || one.action)",
    )) as unknown[]
    for (const link of links) assert.match(String(link), /^https?:/, where)
  }

  test('in reviews they are shown as they were written, and none runs', async () => {
    const { page, mishaps, close } = await browser.enter(service.url, 'dana-owner')
    const shown: string[] = []
    for (let number = 1; number <= Math.ceil(words.length / 25); number++) {
      await page.goto(`${service.url}/sites/${world.chicago}/reputation?page=${number}`)
      await page.evaluate("document.querySelectorAll('.reviews summary').forEach((summary) => summary.click())")
      shown.push(...(await page.locator('.reviews .text:visible').allTextContents()))
      await isUnharmed(page, mishaps, `reviews, page ${number}`)
    }
    assert.deepEqual(shown.toSorted(), words.toSorted())
    await close()
  })

  test('in keywords, links, engines and filters they are shown as they were written, and none runs', async () => {
    const { page, mishaps, close } = await browser.enter(service.url, 'dana-owner')
    await page.goto(`${service.url}/sites/${world.chicago}/search?print=all`)
    const keywords = (await page.locator('#keyword-table tbody th').allTextContents()).filter((text) => text !== 'engine')
    assert.deepEqual(keywords.toSorted(), [...new Set(words.map((word) => word.trim().slice(0, 200)))].toSorted())
    const anchors = (await page.locator('#backlinks ~ .scroll td span[dir]').allTextContents()).toSorted()
    assert.deepEqual(anchors, words.toSorted())
    await isUnharmed(page, mishaps, 'search')
    await page.locator('a[data-opens]').nth(3).click()
    await page.locator('tr.open svg').first().waitFor()
    await page.locator('figure.chart .plot').first().hover()
    await isUnharmed(page, mishaps, 'history')
    const address = await page.locator('a[data-opens]').nth(4).getAttribute('href')
    await page.goto(new URL(address ?? '', service.url).href)
    await isUnharmed(page, mishaps, 'keyword')
    await close()
  })

  test('in names of businesses and in the address they are shown as they were written, and none runs', async () => {
    const { page, mishaps, close } = await browser.enter(service.url, 'dana-owner')
    await page.goto(`${service.url}/?print=all`)
    const names = (await page.locator('#sites th small:not(.reasons)').allTextContents()).filter((text) => !text.startsWith('Harbor'))
    assert.deepEqual(names.toSorted(), words.map((word) => word.trim().slice(0, 255)).toSorted())
    await isUnharmed(page, mishaps, 'home')
    await page.locator('.find [type=search]').focus()
    await page.locator('.find [type=search]').fill('site-')
    await page.getByRole('option').first().waitFor()
    await isUnharmed(page, mishaps, 'switcher')
    for (const word of words.slice(0, 8)) {
      const query = new URLSearchParams({
        q: word,
        words: word,
        engine: word,
        locale: word,
        source: word,
        from: word,
        sort: word,
        band: word,
      })
      for (const path of [
        '/',
        `/sites/${world.chicago}/search`,
        `/sites/${world.chicago}/reputation`,
        '/nothing',
        `/login/${encodeURIComponent(word)}`,
      ]) {
        await page.goto(`${service.url}${path}?${query}`)
        await isUnharmed(page, mishaps, `${path} ${word}`)
      }
    }
    await close()
  })

  test("a partner's name is only a name", async () => {
    for (const word of words.slice(0, 4)) {
      await setPartner(service.operator, world.partnerId, { name: word.trim().slice(0, 255) })
      await setBrand(service.operator, world.partnerId, { support: 'https://acme.example/help' })
      const { page, mishaps, close } = await browser.enter(service.url, 'dana-owner')
      assert.equal(await page.locator('.top .brand span').textContent(), word.trim().slice(0, 255))
      await isUnharmed(page, mishaps, word)
      await close()
    }
  })

  test('an address that is no place on the web is never a link', () => {
    for (const address of hostileAddresses) assert.doesNotMatch(String(outsideLink(address, 'x')), /<a/, address)
    assert.match(
      String(outsideLink('https://a.example/"><b>', 'x')),
      /^<a href="https:\/\/a\.example\/&quot;&gt;&lt;b&gt;" rel="noopener noreferrer nofollow"/,
    )
  })
})
