/** Files in a real browser, with and without script: dropped, corrected, given their columns, stored; axe looks at each page on the way. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { renewFigures } from '../../../src/model/dashboard/desk/site-figures.ts'
import { inspect, testBrowser } from '../../support/browser.ts'
import { peopleService } from '../../support/people-service.ts'
import { staffIn } from '../../support/sample-world.ts'

const header = 'site,phrase,search_engine,locale,ranked_at,rank'
const pictures = process.env['SCREENSHOTS']

describe('files at the desk, in a browser', () => {
  const browser = testBrowser()
  const here = peopleService()

  before(async () => {
    const { app } = here.service
    const partner = app.store.db.selectFrom('partners').select('account_id').where('id', '=', here.world.partnerId)
    await staffIn(here.service, here.world.partnerId, (await partner.executeTakeFirstOrThrow()).account_id ?? 0, 'quay')
    await renewFigures(app, AbortSignal.timeout(60_000))
  })

  const file = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })

  for (const { width, hasScript } of [
    { width: 1440, hasScript: true },
    { width: 390, hasScript: false },
  ]) {
    test(`are corrected and stored at ${width}, ${hasScript ? 'with' : 'without'} script`, async () => {
      const { page, mishaps, close } = await browser.enter(here.url, 'cara-quay', { width, hasScript })
      const look = async (name: string) => {
        if (hasScript) await inspect(page, `${name} at ${width}`)
        await picture(page, `${name}-${width}`)
      }
      await page.goto(`${here.url}/desk/data?customer=${here.world.accountId}`)
      await look('sources')
      await page
        .getByLabel('Files')
        .setInputFiles([
          file(
            `chicago.harbor.example-${width}.csv`,
            `phrase,search_engine,locale,ranked_at,rank\ntyres,Google,en-us,2026-11-1${width % 5},3`,
          ),
          file('somebody.csv', `${header}\nnobody.example,tyres,Google,en-us,2026-11-14,3`),
          file('unknown.csv', 'Begriff;Platz;Tag\nreifen;3;14.11.2026\nfelgen;x;14.11.2026'),
          file('page.csv', '<!doctype html><html>'),
        ])
      await page.getByRole('button', { name: 'Store', exact: true }).click()
      await page.getByRole('heading', { name: '4 files' }).waitFor()
      await look('files')
      await page.getByRole('button', { name: 'Store all' }).click()
      await page.getByText('Please say more of').waitFor()
      await look('files-wrong')
      await page.getByRole('link', { name: 'unknown.csv' }).click()
      await page.getByLabel('What a row is').selectOption('ranking')
      await page.getByLabel('Days are written as').selectOption('dd.mm.yyyy')
      await page.getByText('What holds for all rows').click()
      await page.getByLabel('Search engine').fill('Google')
      await page.getByLabel('Locale').fill('de-de')
      await page.getByRole('button', { name: 'Look at it like this' }).click()
      await page.getByLabel('Begriff').selectOption('phrase')
      await page.getByLabel('Platz').selectOption('rank')
      await page.getByLabel('Tag', { exact: true }).selectOption('ranked_at')
      await page.getByRole('button', { name: 'Look at it like this' }).click()
      await page.getByRole('cell', { name: 'reifen' }).waitFor()
      await look('columns')
      await page.getByRole('link', { name: '4 files' }).click()
      await page.getByLabel('Whose somebody.csv is').fill('Harbor Dental')
      await page.getByLabel('Leave out unknown.csv').check()
      await page.getByRole('button', { name: 'Store all' }).click()
      await page.getByText(/of 2 files stored/).waitFor()
      // With script the page renews itself; without, it is opened again.
      for (const done = page.getByText('2 of 2 files stored'); (await done.count()) === 0; await page.waitForTimeout(200))
        if (!hasScript) await page.reload()
      await look('files-stored')
      assert.deepEqual(mishaps, [])
      await close()
    })
  }

  async function picture(page: Page, name: string): Promise<void> {
    if (pictures === undefined) return
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: `${pictures}/${name}-${colorScheme}.png`, fullPage: true })
    }
  }
})
