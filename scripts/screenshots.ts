/** Photographs the pages of the demo world into docs/screenshots, with Chromium installed: `node scripts/screenshots.ts`, or only those that are named, `node scripts/screenshots.ts desk home`. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { operatorOn } from '../src/cli/command.ts'
import { openDemo } from '../src/cli/commands/operation/demo.ts'
import { readSettings } from '../src/config.ts'
import { buildDemo } from '../src/demo/build.ts'
import { measureDemo } from '../src/demo/measure.ts'
import { draftOf } from '../src/fields/read.ts'
import { openLog } from '../src/lib/log.ts'
import { openApp } from '../src/model/core/app.ts'
import type { OperatorCaller } from '../src/model/core/caller.ts'
import { renewFigures } from '../src/model/dashboard/desk/site-figures.ts'
import { nameOfPeriod, runningPeriod } from '../src/model/mail/periods.ts'
import { createSchedule } from '../src/model/mail/schedules.ts'
import { changeCustomer } from '../src/model/partners/customers.ts'
import { assignCustomer } from '../src/model/people/staff/assignments.ts'
import { changedCustomer } from '../src/resources/account.ts'
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
  { name: 'desk', path: '/desk', login: 'ben-desk' },
  { name: 'desk-customer', path: '/desk/customers/3', login: 'ben-desk' },
  { name: 'desk-reports', path: null, login: 'ben-desk' },
] as const
const looks = [
  { width: 1440, scheme: 'light' },
  { width: 1440, scheme: 'dark' },
  { width: 390, scheme: 'light' },
  { width: 390, scheme: 'dark' },
] as const
/** What the desk looks like in the others is told by the dashboards. */
const looksOf = (name: string) => looks.filter(({ width, scheme }) => !name.startsWith('desk') || (width === 1440) === (scheme === 'light'))
/** Long pages are cut: what comes below looks like what is above. */
const mostHeight = { 1440: 2600, 390: 3200 }

const wanted = process.argv.slice(2)
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
  const { users, staff } = await openDemo(operator, ids)
  await workAtDesk(operator)
  mkdirSync(folder, { recursive: true })
  const taken = pages.filter(({ name }) => wanted.length === 0 || wanted.some((one) => name === one || name.startsWith(`${one}-`)))
  for (const page of taken) for (const look of looksOf(page.name)) await photograph(browser, page, look, [...users, ...staff])
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
    const steps = page.getByRole('button', { name: 'Do not show this any more' })
    if (await steps.isVisible()) await Promise.all([page.waitForEvent('load'), steps.click()])
  }
  await page.goto(`${service.url}${path ?? (name === 'keyword' ? await firstKeyword() : runPath())}`)
  const height = Number(await page.evaluate('document.documentElement.scrollHeight'))
  const clip = { x: 0, y: 0, width, height: Math.min(height, mostHeight[width]) }
  await page.screenshot({ path: join(folder, `${name}-${width}-${scheme}.png`), fullPage: true, clip })
  await context.close()

  async function firstKeyword(): Promise<string> {
    await page.goto(`${service.url}/sites/1/search`)
    return (await page.locator('a[data-opens]').first().getAttribute('href')) ?? '/'
  }
}

/** The month that ends next. */
function runPath(): string {
  return `/desk/reports/runs/${nameOfPeriod(runningPeriod('monthly', service.app.clock.now().slice(0, 10)))}`
}

/** What an agency has done with its customers: reports, tags, and who looks after them. */
async function workAtDesk(operator: OperatorCaller): Promise<void> {
  const { db } = service.app.store
  const staff = await db.selectFrom('staff').select(['user_id', 'partner_id']).executeTakeFirstOrThrow()
  const accounts = db.selectFrom('accounts').innerJoin('users', 'users.id', 'accounts.owner_id').select(['accounts.id', 'email'])
  const owned = await accounts.where('accounts.partner_id', '=', staff.partner_id).orderBy('accounts.id').execute()
  for (const [at, { id, email }] of owned.entries()) {
    const release = at === 0 ? 'by_hand' : 'unless_wrong'
    await createSchedule(operator, id, { rhythm: 'monthly', siteIds: null, recipients: [email], release })
    await changeCustomer(operator, id, draftOf(changedCustomer, { tags: at === 0 ? 'dental, vip' : 'local' }))
    await assignCustomer(operator, id, at === 0 ? staff.user_id : null)
  }
  await renewFigures(service.app, AbortSignal.timeout(120_000))
}
