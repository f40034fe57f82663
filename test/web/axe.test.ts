/** Axe on every page at rest, on a phone and at a desk, in both themes. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { inspect, testBrowser } from '../support/browser.ts'
import { peopleService, withMail } from '../support/people-service.ts'

describe('pages at rest', () => {
  const browser = testBrowser()
  const here = peopleService(withMail)

  for (const width of [1440, 390])
    test(`axe finds nothing and nothing overflows on any page, at ${width}, light and dark`, async () => {
      const { page, mishaps, close } = await browser.enter(here.url, 'dana-owner', { width })
      const keyword = await keywordPath(page, `${here.url}/sites/${here.world.chicago}/search`)
      for (const path of [
        '/',
        '/?q=zzz',
        `/sites/${here.world.chicago}/search`,
        `/sites/${here.world.chicago}/reputation`,
        `/sites/${here.world.closed}/search?days=30`,
        `/sites/${here.world.chicago}/share`,
        '/reports',
        '/sessions',
        '/password',
        '/nothing',
        keyword,
      ]) {
        await page.goto(new URL(path, here.url).href)
        await inspect(page, `${path} at ${width}`)
      }
      assert.deepEqual(mishaps, [])
      await close()
      const stranger = await browser.look(here.url, { width })
      for (const path of ['/login', '/forgot', '/login-link/x']) {
        await stranger.page.goto(here.url + path)
        await inspect(stranger.page, `${path} at ${width}`)
      }
      await stranger.close()
    })

  async function keywordPath(page: Page, search: string): Promise<string> {
    await page.goto(search)
    return (await page.locator('a[data-opens]').first().getAttribute('href')) ?? ''
  }
})
