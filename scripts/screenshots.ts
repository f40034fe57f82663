/** Photographs the pages of the demo world into docs/screenshots: `node scripts/screenshots.ts`, with Chromium installed. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { operatorOn } from '../src/cli/command.ts'
import { openDemo } from '../src/cli/commands/operation/demo.ts'
import { readSettings } from '../src/config.ts'
import { buildDemo } from '../src/demo/build.ts'
import { measureDemo } from '../src/demo/measure.ts'
import { openLog } from '../src/lib/log.ts'
import { openApp } from '../src/model/core/app.ts'
import { startService } from '../src/service.ts'
import { findChromium } from '../test/support/chromium.ts'

const folder = join(import.meta.dirname, '..', 'docs', 'screenshots')
const pages = [
  { name: 'login', path: '/login', login: null },
  { name: 'home', path: '/', login: 'dana-harbor' },
  { name: 'search', path: '/sites/1/search', login: 'dana-harbor' },
  { name: 'keyword', path: null, login: 'dana-harbor' },
  { name: 'reputation', path: '/sites/1/reputation', login: 'dana-harbor' },
  { name: 'password', path: '/password', login: 'dana-harbor' },
  { name: 'no-sites', path: '/', login: 'newcomer' },
] as const
const looks = [
  { width: 1440, scheme: 'light' },
  { width: 1440, scheme: 'dark' },
  { width: 390, scheme: 'light' },
  { width: 390, scheme: 'dark' },
] as const
/** Long pages are cut: what comes below looks like what is above. */
const mostHeight = { 1440: 2600, 390: 3200 }

const data = mkdtempSync(join(tmpdir(), 'marquee-screenshots-'))
const settings = readSettings({ DATA_DIR: data, PORT: '0', MARQUEE_ADMIN_PORT: '0', LOG_LEVEL: 'silent' })
await (await openApp(settings, { schema: 'bring up' })).close()
const service = await startService(settings, openLog('silent'))
const browser = await chromium.launch({
  executablePath: findChromium(),
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
})
try {
  const operator = operatorOn(service.app)
  const ids = await buildDemo(operator)
  await measureDemo(operator, ids, 1, () => {})
  const { users } = await openDemo(operator, ids)
  mkdirSync(folder, { recursive: true })
  for (const page of pages) for (const look of looks) await photograph(browser, page, look, users)
} finally {
  await browser.close()
  await service.stop()
  rmSync(data, { recursive: true })
}

async function photograph(
  by: Browser,
  { name, path, login }: (typeof pages)[number],
  { width, scheme }: (typeof looks)[number],
  users: readonly { login: string; password: string }[],
): Promise<void> {
  const context = await by.newContext({ viewport: { width, height: 900 }, colorScheme: scheme, locale: 'en-GB' })
  const page = await context.newPage()
  await page.goto(`${service.url}/login`)
  if (login !== null) {
    await page.fill('#name', login)
    await page.fill('#password', users.find((user) => user.login === login)?.password ?? '')
    await page.click('button')
    await page.waitForURL((url) => url.pathname !== '/login')
  }
  await page.goto(`${service.url}${path ?? (await firstKeyword())}`)
  const height = Number(await page.evaluate('document.documentElement.scrollHeight'))
  const clip = { x: 0, y: 0, width, height: Math.min(height, mostHeight[width]) }
  await page.screenshot({ path: join(folder, `${name}-${width}-${scheme}.png`), fullPage: true, clip })
  await context.close()

  async function firstKeyword(): Promise<string> {
    await page.goto(`${service.url}/sites/1/search`)
    return (await page.locator('a[data-opens]').first().getAttribute('href')) ?? '/'
  }
}
