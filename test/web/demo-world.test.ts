import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { endpoints } from '../../src/api/endpoints.ts'
import { exampleIds } from '../../src/api/reference/samples.ts'
import { buildDemo } from '../../src/demo/build.ts'
import { measureDemo } from '../../src/demo/measure.ts'
import { type DemoIds, idOf } from '../../src/demo/read.ts'
import { demoPassword } from '../../src/demo/rows.ts'
import { businesses, demoPartner, sites } from '../../src/demo/world.ts'
import { issueKey, keyScopes } from '../../src/model/partners/keys/keys.ts'
import { type Looking, logIn, testBrowser } from '../support/browser.ts'
import { freshPlace, type Place } from '../support/engines.ts'
import { startTestService, type TestService } from '../support/service.ts'

const chicago = 'chicago.harbordental.example'
const oakLawn = 'oaklawn.harbordental.example'
const nowhere = 999_999
/** A page of few rows, for those who look where someone has already looked at all of them. */
const few = '?days=30&engine=Google'

describe('people in the demo world', () => {
  const browser = testBrowser()
  let place: Place
  let service: TestService
  let ids: DemoIds
  const inside = new Map<string, Looking>()
  before(async () => {
    place = await freshPlace('sqlite')
    service = await startTestService(place)
    ids = await buildDemo(service.operator)
    await measureDemo(service.operator, ids)
  })
  after(async () => {
    await service?.stop()
    await place?.remove()
  })

  const pathOf = (domain: string, page: string) => `/sites/${idOf(ids.sites, domain)}/${page}`
  const goTo = (page: Page, path: string) => page.goto(new URL(path, service.url).href)

  /** Logged in once and then known by the cookie; each test begins on the first page. */
  async function enter(login: string): Promise<Looking> {
    const known = inside.get(login)
    const looking = known ?? (await browser.look(service.url))
    inside.set(login, looking)
    if (known) await goTo(looking.page, '/')
    else await logIn(looking.page, service.url, login, demoPassword(service.operator, login))
    return looking
  }

  test('the samples and the OpenAPI documents name ids that a program finds here', async () => {
    const { key, password } = await issueKey(service.operator, idOf(ids.partners, demoPartner), { scopes: keyScopes })
    const authorization = `Basic ${Buffer.from(`${key}:${password}`).toString('base64')}`
    const rows = endpoints.filter(
      ({ method, path, changes }) => method === 'GET' && !changes && path.includes('{') && !/external_id|editors\/\{/.test(path),
    )
    const known = rows.filter(({ path }) => [...path.matchAll(/\{(\w+)\}/g)].every(([, name = '']) => name in exampleIds))
    assert.ok(known.length > 25, String(known.length))
    const missed: string[] = []
    for (const { path, query } of known) {
      const needed = Object.values(query ?? {}).some(({ isRequired }) => isRequired) ? '?scope_type=Site&scope_id=1' : ''
      const address = path.replace(/\{(\w+)\}/g, (_, name: string) => String(exampleIds[name]))
      const { status, body } = await fetch(`${service.url}/api/${address}.json${needed}`, { headers: { authorization } })
      await body?.cancel()
      if (status !== 200) missed.push(`${status} ${address}`)
    }
    assert.deepEqual(missed, [])
  })

  test('dana the owner sees the sites of her account on the first page, and no other', async () => {
    const dana = await enter('dana-harbor')
    assert.equal(new URL(dana.page.url()).pathname, '/')
    const shown = await dana.page.locator('#sites tbody th a, #deactivated tbody th a').allInnerTexts()
    assert.deepEqual(shown.toSorted(), sitesOf('Harbor Dental Group').toSorted())
    const figures = (await dana.page.getByRole('row', { name: chicago }).innerText()).replaceAll(/\s+/g, ' ')
    assert.match(figures, /Harbor Dental Chicago .*\d+\.\d .*\d\.\d .*\d{4}/)
    await fitsBothWidths(dana.page)
    assert.deepEqual(dana.mishaps, [])
  })

  test('dana opens the search page of a site, the history of a keyword and the reputation page by their links', async () => {
    const dana = await enter('dana-harbor')
    const { page } = dana
    await page.getByRole('link', { name: chicago }).click()
    await page.waitForURL(`**${pathOf(chicago, 'search')}`)
    assert.match(await page.locator('.lead').innerText(), /^Visibility \d+\.\d of 100/)
    assert.equal(await page.locator('figure.chart').count(), 5)
    await fitsBothWidths(page)

    const keyword = page.locator('a[data-opens]').first()
    const phrase = await keyword.innerText()
    const history = (await keyword.getAttribute('href')) ?? ''
    await keyword.click()
    await page.locator('tr.open svg').first().waitFor()
    await goTo(page, history)
    assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), phrase)
    assert.ok(await page.locator('figure.chart svg:visible').first().isVisible())
    await fitsBothWidths(page)

    await page.goBack()
    await page.getByRole('link', { name: 'Reputation', exact: true }).click()
    await page.waitForURL(`**${pathOf(chicago, 'reputation')}`)
    assert.match(await page.locator('.lead').innerText(), /^Rated \d\.\d of 5/)
    assert.equal(await page.locator('.reviews > li').count(), 25)
    await fitsBothWidths(page)
    assert.deepEqual(dana.mishaps, [])
  })

  test('dana opens the site of her deactivated business and is told so on both of its pages', async () => {
    const dana = await enter('dana-harbor')
    await dana.page.getByRole('link', { name: oakLawn }).click()
    for (const tab of ['Search', 'Reputation']) {
      await dana.page.getByRole('link', { name: tab, exact: true }).click()
      await dana.page.waitForURL(`**${pathOf(oakLawn, tab.toLowerCase())}*`)
      assert.match(await dana.page.locator('.notice').innerText(), /^This business is deactivated\./)
      await goTo(dana.page, pathOf(oakLawn, tab.toLowerCase()) + few)
      await fitsBothWidths(dana.page)
    }
    assert.deepEqual(dana.mishaps, [])
  })

  test('kim, who may see one site, lands on it directly', async () => {
    const kim = await enter('kim-chicago')
    assert.equal(new URL(kim.page.url()).pathname, pathOf(chicago, 'search'))
    assert.equal(await kim.page.getByRole('heading', { level: 1 }).innerText(), chicago)
    assert.deepEqual(kim.mishaps, [])
  })

  test('the newcomer, to whom nothing is open, is greeted and told whom to ask', async () => {
    const newcomer = await enter('newcomer')
    assert.equal(await newcomer.page.getByRole('heading', { level: 1 }).innerText(), 'No sites yet')
    assert.match(await newcomer.page.locator('.lead').innerText(), /Please ask the person who gave you your login/)
    await fitsBothWidths(newcomer.page)
    assert.deepEqual(newcomer.mishaps, [])
  })

  test('a stranger is led to the login from every address, whether anything is there or not', async () => {
    const stranger = await browser.look(service.url)
    const there = ['search', 'keywords/1', 'reputation', 'search.csv'].map((page) => pathOf(chicago, page))
    for (const path of ['/', '/password', ...there, `/sites/${nowhere}/search`]) {
      await goTo(stranger.page, path)
      assert.equal(new URL(stranger.page.url()).pathname, '/login', path)
      assert.equal(await stranger.page.getByText('harbordental').count(), 0)
    }
    assert.deepEqual(stranger.mishaps, [])
  })

  test("every address of another's site is the same 404 as that of a site that never was", async () => {
    for (const [login, own] of [
      ['dana-harbor', sitesOf('Harbor Dental Group')],
      ['kim-chicago', [chicago]],
      ['newcomer', []],
      ['gina-globex', sitesOf('Globex Clinics')],
    ] as const) {
      const others = sites.map(({ domain }) => domain).filter((domain) => !own.some((mine) => mine === domain))
      const { page, mishaps } = await enter(login)
      for (const name of ['search', 'reputation', 'search.csv?table=keywords', 'reputation.csv?table=reviews']) {
        const paths = others.map((domain) => pathOf(domain, name))
        const [never, ...answers] = await fetchFrom(page, [`/sites/${nowhere}/${name}`, ...paths])
        assert.equal(never?.status, 404)
        for (const mine of await fetchFrom(
          page,
          own.slice(0, 1).map((domain) => pathOf(domain, name)),
        ))
          assert.equal(mine.status, 200, name)
        for (const [index, answer] of answers.entries()) assert.deepEqual(answer, never, `${login} at ${others[index]}, ${name}`)
      }
      assert.deepEqual(mishaps, [])
    }
  })

  test("the page in place of another's site says that nothing is there, or nothing to see", async () => {
    const { page, mishaps } = await enter('dana-harbor')
    const answer = await goTo(page, pathOf('globex-clinics.example', 'search'))
    assert.equal(answer?.status(), 404)
    assert.match(await page.locator('main').innerText(), /There is nothing at this address, or it is not yours to see/)
    await fitsBothWidths(page)
    assert.deepEqual(mishaps, [])
  })

  test("a keyword of another's site has no history at one's own site either", async () => {
    const [gina, dana] = [await enter('gina-globex'), await enter('dana-harbor')]
    const theirs = (await gina.page.locator('a[data-opens]').first().getAttribute('href')) ?? ''
    const own = theirs.replace(/^\/sites\/\d+/, `/sites/${idOf(ids.sites, chicago)}`)
    const [seen] = await fetchFrom(gina.page, [theirs])
    const [never, ...answers] = await fetchFrom(dana.page, [own.replace(/keywords\/\d+/, `keywords/${nowhere}`), theirs, own])
    assert.deepEqual([seen?.status, never?.status], [200, 404])
    assert.deepEqual(answers, [never, never])
    assert.deepEqual(gina.mishaps, [])
    assert.deepEqual(dana.mishaps, [])
  })
})

function sitesOf(account: string): string[] {
  const names = businesses.filter((business) => business.account === account).map(({ name }) => name)
  return sites.filter(({ business }) => names.includes(business)).map(({ domain }) => domain)
}

/** At the desk, and as narrow as the phone of a shop owner. Axe looks at every page in a test of its own. */
async function fitsBothWidths(page: Page): Promise<void> {
  const where = new URL(page.url()).pathname
  assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${where} scrolls sideways`)
  await page.setViewportSize({ width: 390, height: 844 })
  assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${where} scrolls sideways on a phone`)
  await page.setViewportSize({ width: 1440, height: 900 })
}

/** Asked by the page itself, so with the person's cookie; without the id of the request, which is never the same. */
function fetchFrom(page: Page, paths: readonly string[]): Promise<{ status: number; type: string | null; text: string }[]> {
  return page.evaluate(async (all) => {
    const answers = await Promise.all(all.map((path) => fetch(path)))
    const texts = await Promise.all(answers.map((answer) => answer.text()))
    return answers.map(({ status, headers }, index) => ({
      status,
      type: headers.get('content-type'),
      text: (texts[index] ?? '').replace(/Request [\w-]+/, 'Request'),
    }))
  }, paths)
}
