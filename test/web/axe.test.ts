/** Axe on every page at rest, on a phone and at a desk, in both themes. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { inspect, testBrowser } from '../support/browser.ts'
import { freshPlace, type Place } from '../support/engines.ts'
import { makePeople, measurePeople, type PeopleWorld } from '../support/people.ts'
import { startTestService, type TestService } from '../support/service.ts'

describe('pages at rest', () => {
  const browser = testBrowser()
  let service: TestService
  let world: PeopleWorld
  let url: string
  let place: Place
  before(async () => {
    place = await freshPlace('sqlite')
    service = await startTestService(place)
    url = service.url
    world = await makePeople(service.operator)
    await measurePeople(service.operator, world.partnerId)
  })
  after(async () => {
    await service?.stop()
    await place?.remove()
  })

  for (const width of [1440, 390])
    test(`axe finds nothing and nothing overflows on any page, at ${width}, light and dark`, async () => {
      const { page, mishaps, close } = await browser.enter(url, 'dana-owner', { width })
      const keyword = await keywordPath(page, `${url}/sites/${world.chicago}/search`)
      for (const path of [
        '/',
        '/?q=zzz',
        `/sites/${world.chicago}/search`,
        `/sites/${world.chicago}/reputation`,
        `/sites/${world.closed}/search?days=30`,
        `/sites/${world.chicago}/share`,
        '/reports',
        '/sessions',
        '/password',
        '/nothing',
        keyword,
      ]) {
        await page.goto(new URL(path, url).href)
        await inspect(page, `${path} at ${width}`)
      }
      assert.deepEqual(mishaps, [])
      await close()
      const stranger = await browser.look(url, { width })
      for (const path of ['/login', '/forgot', '/login-link/x']) {
        await stranger.page.goto(url + path)
        await inspect(stranger.page, `${path} at ${width}`)
      }
      await stranger.close()
    })

  async function keywordPath(page: Page, search: string): Promise<string> {
    await page.goto(search)
    return (await page.locator('a[data-opens]').first().getAttribute('href')) ?? ''
  }
})
