/** A real browser at the real service: people with windows of their own, and everything that must not happen in them. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before } from 'node:test'
import { type Browser, type BrowserContext, type Cookie, chromium, type Page } from 'playwright-core'
import { password } from './people.ts'

export interface Looking {
  readonly context: BrowserContext
  readonly page: Page
  /** Errors on the console, refusals of the browser policy, requests to other hosts, dialogs. */
  readonly mishaps: string[]
  close(): Promise<void>
}

export interface Look {
  readonly width?: number
  readonly scheme?: 'light' | 'dark'
  readonly hasScript?: boolean
  readonly locale?: string
}

export interface TestBrowser {
  look(url: string, look?: Look): Promise<Looking>
  /** Logged in, on the first page. */
  enter(url: string, login: string, look?: Look): Promise<Looking>
}

const axe = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')

const switches = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run']

/** Started before the first test of the file and gone after the last. Whoever has logged in once enters again with the same cookie, as long as it lives. */
export function testBrowser(...more: string[]): TestBrowser {
  let browser: Browser
  const cookies = new Map<string, Cookie[]>()
  before(async () => {
    const executablePath = process.env.TEST_CHROMIUM ?? '/usr/bin/chromium'
    browser = await chromium.launch({ executablePath, args: [...switches, ...more] })
  })
  after(() => browser?.close())
  const look: TestBrowser['look'] = (url, how) => open(browser, url, how)
  return {
    look,
    async enter(url, login, how) {
      const looking = await look(url, how)
      const { page, context } = looking
      const known = cookies.get(`${url} ${login}`)
      if (known !== undefined) {
        await context.addCookies(known)
        await page.goto(`${url}/`)
        if (new URL(page.url()).pathname !== '/login') return looking
      }
      await logIn(page, url, login)
      cookies.set(`${url} ${login}`, await context.cookies())
      return looking
    },
  }
}

export async function logIn(page: Page, url: string, login: string, given = password): Promise<void> {
  await page.goto(`${url}/login`)
  await page.getByLabel('Login or email').fill(login)
  await page.getByLabel('Password', { exact: true }).fill(given)
  // Whatever answers, a test goes on when it stands.
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Log in' }).click()])
}

/** What axe looks at: everything, only the colours where nothing else is new, or only what has been opened since it looked at everything. */
type Inspected = 'all' | 'colours' | 'opened'

const onlyColours = "runOnly: ['color-contrast']"
const openedParts = ['tr.open', 'details[open]', '.hover-card:not([hidden])', '.hits:not([hidden])']

/** What may be wrong on a phone and right at a desk: what is hidden, scrolls, or is too small for a finger there. Colours and words are the same. */
const onlyLayout = `runOnly: ['target-size', 'scrollable-region-focusable', 'link-name', 'button-name', 'label', 'aria-hidden-focus']`

/** Axe finds nothing on the page as it stands, in light and in dark, and nothing makes it scroll sideways. */
export async function inspect(page: Page, where: string, what: Inspected = 'all'): Promise<void> {
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axe)
  assert.deepEqual(await page.evaluate(tooWide), [], `${where} overflows`)
  const isPhone = (page.viewportSize()?.width ?? 1440) < 500
  const looks = isPhone
    ? ([['dark', onlyLayout]] as const)
    : ([
        ['light', ''],
        ['dark', onlyColours],
      ] as const)
  for (const [colorScheme, rules] of looks) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    assert.deepEqual(await violationsOn(page, what, what === 'colours' ? onlyColours : rules), [], `${where}, ${colorScheme}`)
  }
}

/** What makes the page scroll sideways, if anything does. */
const tooWide = `document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll('body *')]
  .filter((one) => one.getBoundingClientRect().right > innerWidth + 1 && !one.closest('.scroll, .sr'))
  .slice(0, 5).map((one) => one.outerHTML.slice(0, 120))`

/** Only what is wrong is gathered, without selectors to find it by, and not in tables that are closed: all of that takes long on a page of many rows. */
async function violationsOn(page: Page, what: Inspected, options: string): Promise<string[]> {
  const parts = what === 'opened' ? `include: ${JSON.stringify(openedParts)}.filter((part) => document.querySelector(part)),` : ''
  const where = `{ ${parts} exclude: [['.behind:not([open]) table']] }`
  const run = `axe.run(${where}, { resultTypes: ['violations'], selectors: false, preload: false, ${options} })`
  const { violations } = (await page.evaluate(run)) as {
    violations: { id: string; nodes: { html: string; failureSummary: string }[] }[]
  }
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)} ${nodes[0]?.failureSummary}`)
}

async function open(
  browser: Browser,
  url: string,
  { width = 1440, scheme = 'light', hasScript = true, locale = 'en-GB' }: Look = {},
): Promise<Looking> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme, javaScriptEnabled: hasScript, locale })
  const page = await context.newPage()
  const mishaps: string[] = []
  page.on('console', (message) => {
    // A refused form answers with its status, which the browser notes; that is no mishap of the page.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) mishaps.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => mishaps.push(`error: ${error.message}`))
  page.on('dialog', async (dialog) => {
    mishaps.push(`dialog: ${dialog.message()}`)
    await dialog.dismiss()
  })
  page.on('request', (request) => {
    if (new URL(request.url()).host !== new URL(url).host) mishaps.push(`elsewhere: ${request.url()}`)
  })
  if (hasScript) await page.addInitScript(noteViolations)
  return { context, page, mishaps, close: () => context.close() }
}

const noteViolations =
  "addEventListener('securitypolicyviolation', (event) => console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI))"
