import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { suspendUser, unsuspendUser } from '../../src/model/people/user-states.ts'
import { findUser } from '../../src/model/people/users.ts'
import { logIn, testBrowser } from '../support/browser.ts'
import { freshPlace, type Place } from '../support/engines.ts'
import { loginToken, makePeople, measurePeople, type PeopleWorld, password } from '../support/people.ts'
import { startTestService, type TestService } from '../support/service.ts'

describe('people at the dashboard', () => {
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

  const says = (page: Page) => page.locator('main').innerText()

  test('dana the owner logs in, is remembered if she asks, and logs out', async () => {
    const { page, context, mishaps, close } = await browser.look(url)
    await page.goto(`${url}/`)
    assert.equal(new URL(page.url()).pathname, '/login')
    await page.getByLabel('Login or email').fill('dana-owner')
    await page.getByLabel('Password', { exact: true }).fill('not my password')
    await page.getByRole('button', { name: 'Log in' }).click()
    assert.equal(await page.getByRole('alert').innerText(), 'Login or password is not right.')
    assert.equal(await page.getByLabel('Login or email').inputValue(), 'dana-owner')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByLabel('Remember me').check()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'All sites' }).waitFor()
    const cookie = (await context.cookies()).find(({ name }) => name === '__Host-session')
    assert.ok(cookie?.httpOnly && cookie.secure && cookie.sameSite === 'Lax')
    assert.ok(Math.abs(cookie.expires - Date.now() / 1000 - 14 * 86_400) < 60)
    assert.equal((await findUser(service.operator, world.users['dana-owner'])).state, 'active')
    await page.locator('.menu summary').click()
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.waitForURL('**/login')
    await page.goto(`${url}/sites/${world.chicago}/search`)
    assert.equal(new URL(page.url()).pathname, '/login')
    assert.deepEqual(mishaps, [])
    await close()
  })

  test('dana finds her sites: sorted, searched, and by the slash key', async () => {
    const { page, mishaps, close } = await browser.enter(url, 'dana-owner')
    const names = () => page.locator('#sites tbody tr th a').allInnerTexts()
    const sorted = (order: string) => page.waitForURL(`**sort=site&order=${order}*`)
    assert.equal((await names()).length, 2)
    assert.deepEqual(await page.locator('#deactivated tbody tr th a').allInnerTexts(), ['oldtown.harbor.example'], 'apart')
    await Promise.all([sorted('up'), page.locator('#sites').getByRole('link', { name: 'Site', exact: true }).click()])
    assert.deepEqual(await names(), ['chicago.harbor.example', 'evanston.harbor.example'])
    await Promise.all([sorted('down'), page.locator('#sites').getByRole('link', { name: 'Site', exact: true }).click()])
    assert.deepEqual(await names(), ['evanston.harbor.example', 'chicago.harbor.example'])
    await page.reload()
    assert.equal((await names())[0], 'evanston.harbor.example', 'the address keeps the order')
    await Promise.all([page.waitForURL('**q=evan*'), page.getByLabel('Search these sites').fill('evan')])
    assert.deepEqual(await names(), ['evanston.harbor.example'])
    await page.getByRole('heading', { name: 'All sites' }).click()
    await page.keyboard.press('/')
    await page.keyboard.type('chic')
    await page.getByRole('option', { name: /chicago/ }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/sites/${world.chicago}/search*`)
    assert.deepEqual(mishaps, [])
    await close()
  })

  test('dana reads the search page: a sentence, figures, charts with tables behind, keywords with their history', async () => {
    const { page, mishaps, close } = await browser.enter(url, 'dana-owner')
    await page.goto(`${url}/sites/${world.chicago}/search`)
    assert.match(
      await page.locator('.lead').innerText(),
      /^Visibility \d+\.\d of 100, (up|down) \d+\.\d points since .*\. \d of 8 keywords stand in the top 10/,
    )
    assert.match(await says(page), /Not measured \d/)
    assert.equal(await page.locator('figure.chart').count(), 6)
    assert.equal(await page.locator('#keyword-table tbody tr').count(), 8)
    await page.locator('#positions .plot').hover()
    assert.match(await page.locator('#positions .hover-card').innerText(), /chicago\.harbor\.example\s*\d+\.\d( \([+−]\d)?/)
    await page.getByRole('link', { name: 'teeth whitening' }).first().click()
    await page.locator('tr.open svg').first().waitFor()
    assert.equal(new URL(page.url()).pathname, `/sites/${world.chicago}/search`, 'the history opens below the row')
    await page.getByLabel('Engine', { exact: true }).getByRole('link', { name: 'Google', exact: true }).click()
    await page.waitForURL('**engine=Google**')
    assert.equal(await page.locator('#keyword-table tbody tr').count(), 8)
    await page.locator('#keywords + .filters').getByRole('link', { name: 'Not found' }).click()
    await page.waitForURL('**band=none**')
    assert.deepEqual(await page.locator('#keyword-table tbody th').allInnerTexts(), ['dental cleaning'])
    await page.getByLabel('Period').getByRole('link', { name: '30 days' }).click()
    await page.waitForURL('**days=30**')
    assert.match(page.url(), /engine=Google/, 'what was chosen stays chosen')
    await page.getByText('More', { exact: true }).click()
    await page.getByLabel('From').fill('2026-01-01')
    await page.getByLabel('To', { exact: true }).fill('2025-01-01')
    await page.getByRole('button', { name: 'Show' }).click()
    assert.match(await page.getByRole('alert').innerText(), /first day came after the last/)
    assert.deepEqual(mishaps, [])
    await close()
  })

  test('dana reads the reputation page and finds a review by its words', async () => {
    const { page, mishaps, close } = await browser.enter(url, 'dana-owner')
    await page.goto(`${url}/sites/${world.chicago}/reputation`)
    assert.match(await page.locator('.lead').innerText(), /^Rated \d\.\d of 5, .* since /)
    assert.equal(await page.locator('.reviews > li').count(), 25)
    assert.equal(await page.locator('.reviews script').count(), 0)
    await page.locator('#by-words').fill('nobody said sorry')
    await page.locator('#by-stars').selectOption('4')
    await page.getByRole('button', { name: 'Show', exact: true }).last().click()
    await page.waitForURL('**words=nobody**')
    const texts = await page.locator('.reviews > li').allInnerTexts()
    assert.ok(texts.length > 0 && texts.every((text) => text.includes('Nobody said sorry')))
    assert.match(await says(page), /perhaps not this business: match 65/)
    assert.deepEqual(mishaps, [])
    await close()
  })

  test('what is seen can be taken along as CSV', async () => {
    const { page, close } = await browser.enter(url, 'dana-owner')
    await page.goto(`${url}/sites/${world.chicago}/search?engine=Bing`)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('#keywords').getByRole('link', { name: 'Download as CSV' }).click(),
    ])
    const text = readFileSync((await download.path()) ?? '', 'utf8')
    assert.equal(download.suggestedFilename(), 'chicago.harbor.example-keywords.csv')
    assert.equal(text.trim().split('\r\n').length, 1 + 8)
    assert.ok(!text.includes('Google'))
    assert.match(text, /dental cleaning,Bing,en-us,not found,/)
    await close()
  })

  test('kim with one site lands on it, and nothing else is there', async () => {
    const { page, close } = await browser.enter(url, 'kim-one-site')
    await page.waitForURL(`**/sites/${world.chicago}/search`)
    await page.goto(`${url}/sites/${world.evanston}/search`)
    assert.match(await says(page), /There is nothing at this address/)
    await close()
  })

  test('a newcomer without sites is told whom to ask', async () => {
    const { page, close } = await browser.enter(url, 'newcomer')
    assert.match(await says(page), /no site has been opened to you\. Please ask the person who gave you your login/)
    await close()
  })

  test('rosa sees that a business is deactivated; dana opens it with a notice', async () => {
    const rosa = await browser.enter(url, 'rosa-account')
    assert.match(await says(rosa.page), /oldtown\.harbor\.example\s*deactivated/)
    assert.equal(await rosa.page.getByRole('link', { name: 'oldtown.harbor.example' }).count(), 0)
    await rosa.close()
    const dana = await browser.enter(url, 'dana-owner')
    await dana.page.getByRole('link', { name: 'oldtown.harbor.example' }).click()
    assert.match(await says(dana.page), /This business is deactivated/)
    await dana.close()
  })

  test('a suspended person is out at the next click', async () => {
    const { page, close } = await browser.enter(url, 'lee-business')
    await page.waitForURL('**/search')
    await suspendUser(service.operator, world.users['lee-business'])
    await page.reload()
    assert.equal(new URL(page.url()).pathname, '/login')
    await logIn(page, url, 'lee-business')
    assert.equal(await page.getByRole('alert').innerText(), 'Login or password is not right.')
    await unsuspendUser(service.operator, world.users['lee-business'])
    await close()
  })

  test('a link from the operator lets kim in once and lets her set a password', async () => {
    const token = await loginToken(service.operator, world.users['kim-one-site'])
    const { page, mishaps, close } = await browser.look(url)
    await page.goto(`${url}/login-link/${token}`)
    await page.reload()
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('heading', { name: 'Set your password' }).waitFor()
    await page.getByLabel('New password', { exact: true }).fill('short')
    await page.getByLabel('New password again').fill('short')
    await page.getByRole('button', { name: 'Save' }).click()
    assert.match(await page.getByRole('alert').innerText(), /at least 8 characters/)
    await page.getByLabel('New password', { exact: true }).fill(password)
    await page.getByLabel('New password again').fill(password)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(`**/sites/${world.chicago}/search*`)
    assert.match(await says(page), /Your password is changed/)
    await page.goto(`${url}/login-link/${token}`)
    assert.match(await says(page), /no longer works/)
    assert.deepEqual(mishaps, [])
    await close()
  })

  test('without mail the page says whom to ask', async () => {
    const { page, close } = await browser.look(url)
    await page.goto(`${url}/forgot`)
    assert.match(await says(page), /ask the person who gave you your login/)
    await close()
  })

  test('everything works without script', async () => {
    const { page, close } = await browser.enter(url, 'dana-owner', { hasScript: false })
    await page.locator('#sites').getByRole('link', { name: 'Average position' }).click()
    assert.match(page.url(), /sort=position/)
    await page.locator('#narrow').fill('evan')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.waitForURL('**q=evan*')
    await page.getByRole('link', { name: 'evanston.harbor.example' }).click()
    await page.waitForURL(`**/sites/${world.evanston}/search`)
    assert.ok(await page.locator('figure.chart svg:visible').first().isVisible())
    await page.getByText('Show the numbers').first().click()
    assert.ok(await page.locator('#positions table').isVisible())
    await page.getByRole('link', { name: 'dental implants' }).first().click()
    await page.waitForURL('**/keywords/**')
    await page.locator('.menu summary').click()
    await page.getByRole('button', { name: 'Light or dark' }).click()
    assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark')
    await close()
  })

  test('the theme is remembered and nothing flashes', async () => {
    const { page, close } = await browser.enter(url, 'dana-owner')
    await page.locator('.menu summary').click()
    await page.getByRole('button', { name: 'Light or dark' }).click()
    assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark')
    const html = await (await page.request.get(`${url}/`)).text()
    assert.match(html, /<html lang="en" data-theme="dark">/)
    await close()
  })
})
