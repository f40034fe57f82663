/** From the printed invitation to a client who sees their filled page, by pages alone, in a real browser: every click and every typed field is counted. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { inspect, type Looking, testBrowser } from '../../support/browser.ts'
import { marqueeOn } from '../../support/command.ts'
import { freshPlace, type Place } from '../../support/engines.ts'
import { startTestService, type TestService } from '../../support/service.ts'

/** What the flow took when it was recorded; the most that is allowed is 25 clicks and 12 typed fields. */
const recorded = { clicks: 9, fields: 8 }

describe('the first five minutes of an agency', () => {
  const browser = testBrowser()
  const services: TestService[] = []
  /** Who has begun an agency, with script. */
  let boss: Looking
  const places: Place[] = []
  after(async () => {
    for (const service of services) await service.stop()
    for (const place of places) await place.remove()
  })

  for (const hasScript of [true, false])
    describe(hasScript ? 'with script' : 'without script', () => {
      let place: Place
      let service: TestService
      before(async () => {
        place = await freshPlace('sqlite')
        places.push(place)
      })
      const marquee = marqueeOn({
        get engine() {
          return place.engine
        },
        get env() {
          return place.env
        },
      } as Place)

      test('take few clicks and fields, and no command after the first', async () => {
        const { stdout } = await marquee(place, 'partner create --name Quay --invite boss@quay.example')
        const invitation = /\/join\/[\w.]+/.exec(stdout)?.[0] ?? assert.fail(stdout)
        service = await startTestService(place)
        services.push(service)
        const looking = await browser.look(service.url, { hasScript })
        if (hasScript) boss = looking
        const took = { clicks: 0, fields: 0 }
        const hand = handOn(took)

        await looking.page.goto(service.url + invitation)
        await hand.type(looking.page, 'Your name', 'Bo Quay')
        await hand.type(looking.page, 'Password', 'a good password')
        await hand.type(looking.page, 'Password again', 'a good password')
        await hand.press(looking.page, 'Begin')
        assert.equal(new URL(looking.page.url()).pathname, '/desk')
        if (hasScript) await inspect(looking.page, 'the first steps')

        await hand.type(looking.page, 'Name', 'Harbor Dental')
        await hand.type(looking.page, 'Domain', 'harbor.example')
        await hand.press(looking.page, 'Add this customer')
        await looking.page.getByText('The customer is added.').waitFor()

        await hand.follow(looking.page, 'Customers')
        await hand.press(looking.page, 'Use sample data')
        await stored(looking.page)

        await hand.follow(looking.page, 'Customers')
        await hand.open(looking.page, 'Invite the client')
        await hand.type(looking.page, 'Email of somebody at Harbor Dental', 'dana@harbor.example')
        await hand.press(looking.page, 'Invite', true)
        const link = (await looking.page.locator('.notice code').textContent()) ?? ''
        assert.match(link, /\/login-link\//)

        const client = await browser.look(service.url, { hasScript })
        await client.page.goto(service.url + new URL(link).pathname)
        await hand.press(client.page, 'Log in')
        await hand.type(client.page, 'New password', 'another good password')
        await hand.type(client.page, 'New password again', 'another good password')
        await hand.press(client.page, 'Save the password')
        assert.match(new URL(client.page.url()).pathname, /^\/sites\/\d+\/search$/)
        await client.page.getByText('book online').first().waitFor()
        assert.match((await client.page.textContent('h1')) ?? '', /harbor/)

        assert.deepEqual([...looking.mishaps, ...client.mishaps], [])
        assert.ok(took.clicks <= 25 && took.fields <= 12, JSON.stringify(took))
        assert.deepEqual(took, recorded)
        if (!hasScript) await looking.close()
        await client.close()
      })
    })

  test('go on with the keyboard alone', async () => {
    const { page, mishaps } = boss
    await page.goto(new URL('/desk', page.url()).href)
    const keys = keyboardOn(page)
    await keys.reach('Skip to the content')
    await page.keyboard.press('Enter')
    assert.equal(await page.getByRole('rowheader', { name: 'Harbor Dental' }).count(), 1)
    await keys.reach('Harbor Dental', 'checkbox')
    await page.keyboard.press('Space')
    await keys.reach('With the chosen customers')
    await page.keyboard.type('Give')
    await keys.reach('Go on')
    await keys.enter()
    await keys.reach('Tag')
    await page.keyboard.type('north')
    await keys.enter()
    await keys.reach('Change 1 customer')
    await keys.enter()
    await page.getByText('1 customer is changed.').waitFor()
    for (const tab of ['Data', 'Reports', 'Brand', 'Team', 'Developers', 'Customers']) {
      await keys.reach(tab)
      await keys.enter()
      await page.getByRole('navigation', { name: 'Pages of the desk' }).locator('[aria-current]', { hasText: tab }).waitFor()
    }
    await keys.reach('Search by name')
    await page.keyboard.type('harbor.example')
    await keys.reach('Who may see harbor.example?')
    await keys.enter()
    assert.match(page.url(), /\/desk\/customers\/\d+\?sees=/)
    await keys.reach('Bo Quay')
    await page.keyboard.press('Enter')
    await keys.reach('Log out')
    await keys.enter()
    assert.equal(new URL(page.url()).pathname, '/login')
    assert.deepEqual(mishaps, [])
  })
})

/** Goes on by the tabulator; whatever it stops at can be seen to be it. */
function keyboardOn(page: Page) {
  const stoppedAt = () =>
    page.evaluate(`(() => {
      const at = document.activeElement
      const label = at.labels?.[0]?.textContent ?? at.getAttribute('aria-label') ?? at.textContent
      const { outlineStyle, boxShadow } = getComputedStyle(at)
      const { top, bottom, width } = at.getBoundingClientRect()
      const isSeen = at === document.body || (outlineStyle !== 'none' || boxShadow !== 'none') && width > 0 && bottom > 0 && top < innerHeight
      return { label: at === document.body ? 'the end' : label.trim().replace(/\\s+/g, ' '), type: at.type ?? '', isSeen }
    })()`) as Promise<{ label: string; type: string; isSeen: boolean }>
  return {
    async reach(name: string, type = '') {
      const passed: string[] = []
      for (let presses = 0; presses < 80; presses++) {
        await page.keyboard.press('Tab')
        const stop = await stoppedAt()
        assert.ok(stop.isSeen, `${stop.label} is seen to be where the keyboard is, on ${page.url()}`)
        if (stop.label.startsWith(name) && (type === '' || stop.type === type)) return
        passed.push(stop.label)
      }
      assert.fail(`${name} is not reached on ${page.url()}, but ${passed.join(' | ')}`)
    },
    async enter() {
      await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')])
    },
  }
}

/** Whatever a person does is counted. */
function handOn(took: { clicks: number; fields: number }) {
  const click = async (page: Page, act: () => Promise<void>) => {
    took.clicks += 1
    await Promise.all([page.waitForEvent('load'), act()])
  }
  return {
    async type(page: Page, label: string, text: string) {
      took.fields += 1
      await page.getByLabel(label, { exact: true }).fill(text)
    },
    press: (page: Page, name: string, exact = false) => click(page, () => page.getByRole('button', { name, exact }).click()),
    follow: (page: Page, name: string) =>
      click(page, () => page.getByRole('navigation', { name: 'Pages of the desk' }).getByRole('link', { name }).click()),
    async open(page: Page, summary: string) {
      took.clicks += 1
      await page.getByText(summary, { exact: true }).click()
    },
  }
}

/** Nobody clicks meanwhile. */
async function stored(page: Page): Promise<void> {
  while (!(await page.getByRole('heading', { name: 'This file is stored' }).isVisible())) {
    await page.waitForTimeout(200)
    await page.reload()
  }
}
