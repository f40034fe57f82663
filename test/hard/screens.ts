/** `npm run hard:screens -- FOLDER`: takes a picture of every page in four looks and of every sheet on paper, for people to look at. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { dayNumber, dayText } from '../../src/lib/time/days.ts'
import { nameOfPeriod, runningPeriod } from '../../src/model/mail/periods.ts'
import { removeBrand, setBrand } from '../../src/model/partners/brand-changes.ts'
import { logIn } from '../support/browser.ts'
import type { ReceivedMail } from '../support/mailbox.ts'
import { loginToken } from '../support/people.ts'
import { findPoppler } from '../support/poppler.ts'
import { openFullHouse } from './support/full-house.ts'
import { openScreenWorld } from './support/screen-world.ts'

const looks = [1440, 390].flatMap((width) => (['light', 'dark'] as const).map((scheme) => ({ width, scheme })))
const folder = process.argv[2] ?? 'screens'
const pdftoppm = findPoppler('pdftoppm')
mkdirSync(folder, { recursive: true })

const world = await openScreenWorld()
const { operator, url, people, odd, today } = world
const chicago = `/sites/${people.chicago}`
const house = await openFullHouse(world.service.app, people.partnerId)
const hosts = '--host-resolver-rules=MAP unknown.example 127.0.0.1, MAP marquee.test 127.0.0.1'
const browser = await chromium.launch({ executablePath: process.env.TEST_CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', hosts] })
try {
  for (const look of looks) await takeAll(look)
  await takeBrand()
  await takePaper()
  await takeMails()
} finally {
  await browser.close()
  house.close()
  await world.close()
}

interface Look {
  readonly width: number
  readonly scheme: 'light' | 'dark'
}

async function opened({ width, scheme }: Look): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ viewport: { width, height: width === 390 ? 844 : 900 }, colorScheme: scheme, locale: 'en-GB' })
  return { context, page: await context.newPage() }
}

async function takeAll(look: Look): Promise<void> {
  for (const [login, paths] of Object.entries(await pathsByPerson())) {
    const { context, page } = await opened(look)
    const shootAs: Shoot = (name, part) => shoot(page, `${name}-${look.width}-${look.scheme}`, part)
    if (login !== 'stranger') await logIn(page, url, login)
    for (const [name, path] of Object.entries(paths)) {
      await page.goto(new URL(path, url).href)
      await shootAs(name)
    }
    if (login === 'dana-owner') await takeOpened(page, shootAs)
    if (login === 'dana-owner') await takeForms(page, shootAs)
    if (login === 'stranger') await takeStrangersForms(page, shootAs)
    await context.close()
  }
}

async function pathsByPerson(): Promise<Record<string, Record<string, string>>> {
  const worlds = [...odd].flatMap(([domain, id]) => [
    [`world-${domain}-search`, `/sites/${id}/search`],
    [`world-${domain}-reputation`, `/sites/${id}/reputation`],
  ])
  const port = new URL(url).port
  return {
    stranger: {
      login: '/login',
      'login-ended': '/login?session=ended',
      'login-plain-http': `http://marquee.test:${port}/login`,
      'error-421': `http://unknown.example:${port}/login`,
      'error-404': '/nothing',
      forgot: '/forgot',
      'login-link': `/login-link/${await loginToken(operator, people.users['kim-one-site'])}`,
      'login-link-dead': '/login-link/x',
      'share-password': `/share/${world.links.locked.token}`,
      'share-dead': '/share/x',
      'share-guest': `/share/${world.links.shared.token}`,
      'share-guest-reputation': `${chicago}/reputation`,
      confirm: `/reports/confirm/${world.tokens.asked}`,
      'confirm-done': `/reports/confirm/${world.tokens.confirmed}`,
      'confirm-dead': '/reports/confirm/x',
      unsubscribe: `/reports/unsubscribe/${world.tokens.confirmed}`,
      docs: '/docs',
      'docs-errors': '/docs/errors',
    },
    'dana-owner': {
      home: '/',
      'home-none': '/?q=zzz',
      'home-reason': '/?reason=lost',
      search: `${chicago}/search`,
      'search-7': `${chicago}/search?days=7`,
      'search-year': `${chicago}/search?days=365&compare=year`,
      'search-alone': `${chicago}/search?compare=none`,
      'search-band': `${chicago}/search?band=none`,
      'search-bad-days': `${chicago}/search?from=2026-02-01&to=2026-01-01`,
      reputation: `${chicago}/reputation`,
      'reputation-year': `${chicago}/reputation?days=365&compare=year`,
      'reputation-narrowed': `${chicago}/reputation?stars=1&words=sorry`,
      deactivated: `/sites/${people.closed}/search`,
      share: `${chicago}/share`,
      reports: '/reports',
      sessions: '/sessions',
      password: '/password',
      'not-found': '/nothing',
    },
    newcomer: { 'home-nothing': '/' },
    'cara-quay': deskPaths(),
    'kim-one-site': { 'home-one': '/', 'kim-sessions': '/sessions' },
    'many-owner': { 'home-500': '/', 'home-500-last': '/?sort=site&page=5' },
    'odd-owner': {
      'home-odd': '/',
      ...Object.fromEntries(worlds),
      'world-deep-2-years': `/sites/${odd.get('deep.example')}/search?from=${dayText(dayNumber(today) - 729)}&to=${today}`,
      'world-oranges-rivals': `/sites/${odd.get('oranges.example')}/search?rivals=on`,
    },
  }
}

/** Somebody of the staff, at every page of the desk that is made for a customer with sites, people and a report. */
function deskPaths(): Record<string, string> {
  const customer = `/desk/customers/${people.accountId}`
  const run = nameOfPeriod(runningPeriod('monthly', today))
  return {
    desk: '/desk',
    'desk-none': '/desk?q=zzz',
    'desk-found': '/desk?q=evanston',
    'desk-archived': '/desk?archived=yes',
    'desk-deleted': '/desk/deleted',
    'desk-add': '/desk/add',
    'desk-add-table': '/desk/add/table',
    'desk-bulk': `/desk/bulk?do=tag&tag=vip&customer=${people.accountId}`,
    'desk-customer': customer,
    'desk-customer-sees': `${customer}?sees=${people.evanston}`,
    'desk-customer-why': `${customer}?person=${people.users['lee-business']}&site=${people.chicago}`,
    'desk-customer-delete': `${customer}/delete`,
    'desk-tracked': `${customer}/sites/${people.chicago}`,
    'desk-person': `${customer}/people/${people.users['lee-business']}`,
    'desk-data': '/desk/data',
    'desk-data-programs': '/desk/data?show=programs',
    'desk-reports': '/desk/reports',
    'desk-suppressed': '/desk/reports/suppressed',
    'desk-report': `/desk/reports/${world.schedule}`,
    'desk-report-new': `/desk/reports/new?customer=${people.accountId}`,
    'desk-run': `/desk/reports/runs/${run}`,
    'desk-team': '/desk/team',
    'desk-brand': '/desk/brand',
    'desk-requests': '/desk/developers/requests',
    'desk-developers': '/desk/developers',
  }
}

/** The whole page, or what the window shows of it. */
type Shoot = (name: string, part?: 'page' | 'window') => Promise<void>

/** The keyword page, and pages with everything open that can be opened. */
async function takeOpened(page: Page, shootAs: Shoot): Promise<void> {
  await page.goto(`${url}${chicago}/search`)
  const keyword = (await page.locator('a[data-opens]').first().getAttribute('href')) ?? ''
  await page.locator('a[data-opens]').first().click()
  await page.locator('tr.open svg').first().waitFor()
  await page.locator('.glance .behind summary').first().click()
  await shootAs('search-open')
  for (const tab of ['top10', 'position', 'missing', 'backlinks']) {
    await page.goto(`${url}${chicago}/search?chart=${tab}`)
    await shootAs(`search-${tab}`)
  }
  await page.goto(`${url}${chicago}/search?chart=position`)
  await page.locator('.explain summary').click()
  await page.locator('#positions .plot').scrollIntoViewIfNeeded()
  await page.locator('#positions .plot').hover()
  await shootAs('search-hover', 'window')
  await page.evaluate('scrollTo(0, 0)')
  await page.locator('.period .custom summary').click()
  await shootAs('search-more', 'window')
  await page.goto(url + keyword)
  await shootAs('keyword')
  await page.goto(`${url}${keyword}${keyword.includes('?') ? '&' : '?'}engine=Google&locale=en-us`)
  await shootAs('keyword-engine')
  await page.goto(`${url}${chicago}/reputation`)
  await page.evaluate("document.querySelectorAll('main details').forEach((one) => { one.open = true })")
  await page.locator('figure .plot').first().hover()
  await shootAs('reputation-open')
  await page.goto(`${url}/`)
  await page.locator('.menu summary').click()
  await shootAs('menu')
  await page.goto(`${url}/`)
  await page.locator('.find [type=search]').fill('harbor')
  await page.getByRole('option').first().waitFor()
  await shootAs('switcher')
}

/** What is answered to a form that is filled in wrongly, or in vain. */
async function takeForms(page: Page, shootAs: Shoot): Promise<void> {
  const send = (selector: string) => Promise.all([page.waitForEvent('load'), page.locator(selector).first().click()])
  await page.goto(`${url}/password`)
  for (const name of ['Current password', 'New password', 'New password again']) await page.getByLabel(name, { exact: true }).fill('short')
  await send('main form .button')
  await shootAs('password-wrong')
  await page.goto(`${url}/reports`)
  await page.locator('.some-sites summary').click()
  await page.getByLabel('Email addresses').fill('nobody')
  await send('main form .button')
  await shootAs('reports-wrong')
  await page.goto(`${url}${chicago}/share`)
  await send('main form .button')
  await shootAs('share-made')
  await page.goto(`${url}/password`)
  for (const name of ['Current password', 'New password', 'New password again']) await page.getByLabel(name, { exact: true }).fill('short')
  await page.evaluate("document.querySelector('main [name=form_token]').value = 'x'")
  await send('main form .button')
  await shootAs('error-403')
  house.fillQueue()
  await page.goto(`${house.url}/sessions`)
  await shootAs('error-429')
}

async function takeStrangersForms(page: Page, shootAs: Shoot): Promise<void> {
  const send = () => Promise.all([page.waitForEvent('load'), page.locator('main form .button').click()])
  await page.goto(`${url}/login`)
  await page.getByLabel('Login or email').fill('nobody-here')
  await page.getByLabel('Password', { exact: true }).fill('not this one')
  await send()
  await shootAs('login-wrong')
  await page.goto(`${url}/forgot`)
  await page.getByLabel('Login or email').fill('nobody-here')
  await send()
  await shootAs('forgot-sent')
  await page.goto(`${url}/share/${world.links.locked.token}`)
  await page.getByLabel('Password', { exact: true }).fill('not this one')
  await send()
  await shootAs('share-wrong')
  // Without the cookie of the share link, which would count as its partner's.
  await page.context().clearCookies()
  house.fillQueue()
  await page.goto(`${house.url}/login`)
  await shootAs('error-503')
}

async function takeBrand(): Promise<void> {
  const [dark, light] = await Promise.all([wordMark('#12203a'), wordMark('#f4f7ff')])
  for (const [kind, logos] of [
    ['plate', { logo: dark }],
    ['pair', { logo: dark, darkLogo: light }],
  ] as const) {
    await setBrand(operator, people.partnerId, { name: 'Acme Insights', accent: '#ffcc00', support: 'help@acme.example', ...logos })
    for (const look of looks) {
      const { context, page } = await opened(look)
      await logIn(page, url, 'dana-owner')
      for (const [name, path] of [
        ['search', `${chicago}/search`],
        ['password', '/password'],
      ]) {
        await page.goto(url + path)
        await shoot(page, `brand-${kind}-${name}-${look.width}-${look.scheme}`)
      }
      await context.close()
    }
  }
}

/** A logo of letters, as agencies have them. */
async function wordMark(color: string): Promise<Buffer> {
  const { context, page } = await opened({ width: 390, scheme: 'light' })
  await page.setContent(
    `<body style="margin:0;background:transparent"><b id="mark" style="font:700 40px sans-serif;color:${color}">Acme Insights</b>`,
  )
  const picture = await page.locator('#mark').screenshot({ omitBackground: true })
  await context.close()
  return picture
}

async function takePaper(): Promise<void> {
  const [search, reputation] = [`${chicago}/search?print=all`, `${chicago}/reputation?print=all`]
  const keyword = await keywordPath()
  for (const format of ['A4', 'Letter'] as const) {
    await printAs('dana-owner', { search, reputation, keyword, home: '/?print=all', screen: `${chicago}/search` }, format)
    const worlds = [...odd].flatMap(([domain, id]) => [
      [`${domain}-search`, `/sites/${id}/search?print=all`],
      [`${domain}-reputation`, `/sites/${id}/reputation?print=all`],
    ])
    await printAs('odd-owner', Object.fromEntries(worlds), format)
  }
}

async function keywordPath(): Promise<string> {
  const { context, page } = await opened({ width: 1440, scheme: 'light' })
  await logIn(page, url, 'dana-owner')
  await page.goto(`${url}${chicago}/search`)
  const path = (await page.locator('a[data-opens]').first().getAttribute('href')) ?? ''
  await context.close()
  return path
}

async function printAs(login: string, paths: Readonly<Record<string, string>>, format: 'A4' | 'Letter'): Promise<void> {
  const { context, page } = await opened({ width: 1440, scheme: 'light' })
  await logIn(page, url, login)
  for (const [name, path] of Object.entries(paths)) {
    await page.goto(url + path)
    sheets(`paper-${format}-${name}`, await page.pdf({ format, preferCSSPageSize: true }))
  }
  await context.close()
}

async function takeMails(): Promise<void> {
  await takeMail('letter', await world.reportTo('dana'))
  await removeBrand(operator, people.partnerId)
  await takeMail('letter-odd', await world.reportTo('odd'))
  const [question] = world.mailbox.take('friend@else.example')
  if (question !== undefined) await takeMail('letter-question', question)
}

async function takeMail(name: string, { html, attachments }: ReceivedMail): Promise<void> {
  const inside = attachments.reduce(
    (text, { cid, type, content }) => text.replaceAll(`cid:${cid}`, `data:${type};base64,${content.toString('base64')}`),
    html,
  )
  for (const look of looks) {
    const { context, page } = await opened(look)
    await page.setContent(inside)
    await shoot(page, `${name}-${look.width}-${look.scheme}`)
    await context.close()
  }
  for (const { type, content } of attachments) if (type === 'application/pdf') sheets(name, content)
}

async function shoot(page: Page, name: string, part: 'page' | 'window' = 'page'): Promise<void> {
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: part === 'page' })
}

function sheets(name: string, pdf: Buffer): void {
  writeFileSync(join(folder, `${name}.pdf`), pdf)
  execFileSync(pdftoppm, ['-r', '70', '-png', join(folder, `${name}.pdf`), join(folder, `${name}-sheet`)])
}
