/** An invitation in a real browser, from the menu of the owner to the page of the invited, with and without script, on a phone and at a desk. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { testBrowser } from '../support/browser.ts'
import { freshPlace, type Place } from '../support/engines.ts'
import { eventually } from '../support/eventually.ts'
import { type Mailbox, openMailbox } from '../support/mailbox.ts'
import { makePeople, type PeopleWorld, password } from '../support/people.ts'
import { startTestService, type TestService } from '../support/service.ts'

describe('an invitation in a browser', () => {
  const browser = testBrowser()
  let [mailbox, place, service, world] = [] as unknown as [Mailbox, Place, TestService, PeopleWorld]
  before(async () => {
    mailbox = await openMailbox()
    place = await freshPlace('sqlite')
    service = await startTestService(place, { MARQUEE_SMTP_URL: mailbox.url, MARQUEE_MAIL_FROM: 'desk@service.example' })
    world = await makePeople(service.operator)
  })
  after(async () => {
    await service?.stop()
    await mailbox?.close()
    await place?.remove()
  })

  for (const [width, hasScript] of [
    [1440, true],
    [390, false],
  ] as const) {
    test(`leads from the menu to the site, at ${width} ${hasScript ? 'with' : 'without'} script`, async () => {
      const email = `new${width}@quay.example`
      const dana = await browser.enter(service.url, 'dana-owner', { width, hasScript })
      await dana.page.locator('.menu summary').click()
      await dana.page.getByRole('link', { name: 'People' }).click()
      await dana.page.getByLabel('Email').fill(email)
      await dana.page.getByLabel('Sees').selectOption({ label: 'chicago.harbor.example' })
      await dana.page.getByRole('button', { name: 'Invite', exact: true }).click()
      await dana.page.getByText('The invitation is on its way.').waitFor()
      const path = await linkTo(email)
      const { page, mishaps, close } = await browser.look(service.url, { width, hasScript })
      await page.goto(`${service.url}${path}`)
      await page.getByLabel('Your name').fill('Nia')
      await page.getByLabel('Password', { exact: true }).fill(password)
      await page.getByLabel('Password again').fill(password)
      await page.getByRole('button', { name: 'Begin' }).click()
      await page.waitForURL(`**/sites/${world.chicago}/search*`)
      assert.equal(await page.getByRole('searchbox').count(), 0, 'one site is all there is')
      await page.locator('.menu summary').click()
      await page.getByRole('link', { name: 'People' }).click()
      await page.getByText('Ask dana-owner to invite someone.').waitFor()
      await page.goto(`${service.url}/me`)
      await page.getByLabel('Name').fill(`Nia at ${width}`)
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('It is saved.').waitFor()
      await dana.page.reload()
      await dana.page.getByRole('link', { name: `Nia at ${width}` }).click()
      await dana.page.getByRole('button', { name: 'Take all of this away' }).click()
      await dana.page.getByText('They see nothing here any more.').waitFor()
      await page.goto(service.url)
      await page.getByText('No sites yet').first().waitFor()
      assert.deepEqual([...mishaps, ...dana.mishaps], [])
      await close()
      await dana.close()
    })
  }

  async function linkTo(email: string): Promise<string> {
    let text: string | undefined
    await eventually(() => {
      text ??= mailbox.take(email)[0]?.text
      return text !== undefined
    })
    return /http:\/\/[^/]+(\/invitation\/\S+)/.exec(text ?? '')?.[1] ?? assert.fail(text)
  }
})
