/** From the printed invitation to a client who sees their filled page, by pages alone, in a real browser: every click and every typed field is counted. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { inspect, testBrowser } from '../../support/browser.ts'
import { marqueeOn } from '../../support/command.ts'
import { freshPlace, type Place } from '../../support/engines.ts'
import { startTestService, type TestService } from '../../support/service.ts'

/** What the flow took when it was recorded; the most that is allowed is 25 clicks and 12 typed fields. */
const recorded = { clicks: 9, fields: 8 }

describe('the first five minutes of an agency', () => {
  const browser = testBrowser()
  const services: TestService[] = []
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
        const boss = await browser.look(service.url, { hasScript })
        const took = { clicks: 0, fields: 0 }
        const hand = handOn(took)

        await boss.page.goto(service.url + invitation)
        await hand.type(boss.page, 'Your name', 'Bo Quay')
        await hand.type(boss.page, 'Password', 'a good password')
        await hand.type(boss.page, 'Password again', 'a good password')
        await hand.press(boss.page, 'Begin')
        assert.equal(new URL(boss.page.url()).pathname, '/desk')
        if (hasScript) await inspect(boss.page, 'the first steps')

        await hand.type(boss.page, 'Name', 'Harbor Dental')
        await hand.type(boss.page, 'Domain', 'harbor.example')
        await hand.press(boss.page, 'Add this customer')
        await boss.page.getByText('The customer is added.').waitFor()

        await hand.follow(boss.page, 'Customers')
        await hand.press(boss.page, 'Use sample data')
        await stored(boss.page)

        await hand.follow(boss.page, 'Customers')
        await hand.open(boss.page, 'Invite the client')
        await hand.type(boss.page, 'Email of somebody at Harbor Dental', 'dana@harbor.example')
        await hand.press(boss.page, 'Invite', true)
        const link = (await boss.page.locator('.notice code').textContent()) ?? ''
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

        assert.deepEqual([...boss.mishaps, ...client.mishaps], [])
        assert.ok(took.clicks <= 25 && took.fields <= 12, JSON.stringify(took))
        assert.deepEqual(took, recorded)
        await boss.close()
        await client.close()
      })
    })
})

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
