/** `npm run hard:screens -- FOLDER`: takes a picture of every page in four looks and of every sheet on paper, for people to look at. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { draftOf } from '../../src/fields/read.ts'
import { deliverMail } from '../../src/jobs/mail.ts'
import { openLog } from '../../src/lib/log.ts'
import { dayNumber, dayText } from '../../src/lib/time/days.ts'
import { addAnnotation } from '../../src/model/dashboard/annotations.ts'
import { readNdjson } from '../../src/model/imports/formats.ts'
import { importObservations } from '../../src/model/imports/import.ts'
import { sendAgain } from '../../src/model/mail/due-reports.ts'
import { createSchedule } from '../../src/model/mail/schedules.ts'
import { createAccount } from '../../src/model/partners/accounts.ts'
import { removeBrand, setBrand } from '../../src/model/partners/brand-changes.ts'
import { createBusiness } from '../../src/model/partners/businesses.ts'
import { createPartner } from '../../src/model/partners/partners.ts'
import { createSite } from '../../src/model/partners/sites.ts'
import { createShareLink } from '../../src/model/people/share-links.ts'
import { createOwner } from '../../src/model/people/users.ts'
import { newBusiness } from '../../src/resources/business.ts'
import { newUser } from '../../src/resources/user.ts'
import { composeLetter } from '../../src/web/letters/compose.ts'
import { logIn } from '../support/browser.ts'
import { freshPlace } from '../support/engines.ts'
import { openMailbox } from '../support/mailbox.ts'
import { deepWorld, type Line, manySites, oddWorlds } from '../support/page-worlds.ts'
import { loginToken, makePeople, measurePeople, password } from '../support/people.ts'
import { findProgram } from '../support/programs.ts'
import { startTestService } from '../support/service.ts'

const looks = [1440, 390].flatMap((width) => (['light', 'dark'] as const).map((scheme) => ({ width, scheme })))
const folder = process.argv[2] ?? 'screens'
const pdftoppm = findProgram({
  names: ['pdftoppm'],
  debian: 'poppler-utils',
  says: 'Sheets become pictures with pdftoppm. Install it (Debian: apt-get install poppler-utils).',
})
mkdirSync(folder, { recursive: true })

const [place, mailbox] = [await freshPlace('sqlite'), await openMailbox()]
const service = await startTestService(place, { MARQUEE_SMTP_URL: mailbox.url, MARQUEE_MAIL_FROM: 'reports@service.example' })
const { operator, url } = service
const today = new Date().toISOString().slice(0, 10)
const people = await makePeople(operator)
await measurePeople(operator, people.partnerId)
const odd = await makeWorlds()
await addAnnotation(operator, people.chicago, { day: dayText(dayNumber(today) - 40), text: 'Moved to the new address' })
const shared = await createShareLink(operator, people.chicago, { label: 'The landlord', days: 30, password: null })
const locked = await createShareLink(operator, people.chicago, { label: 'The bank', days: 7, password: 'open sesame' })
const recipients = ['dana-owner@people.example', 'friend@else.example']
const schedule = await createSchedule(operator, people.accountId, { rhythm: 'monthly', siteIds: null, recipients })

const browser = await chromium.launch({ executablePath: process.env.TEST_CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] })
try {
  for (const look of looks) await takeAll(look)
  await takeBrand()
  await takePaper()
  await takeLetter()
} finally {
  await browser.close()
  await service.stop()
  await mailbox.close()
  await place.remove()
}

async function makeWorlds() {
  const worlds = oddWorlds(today)
  const { partner } = await createPartner(operator, 'Odd')
  const [account, many] = [await createAccount(operator, partner.id, 'Odd worlds'), await createAccount(operator, partner.id, 'Many')]
  const sites = new Map<string, number>()
  for (const domain of [...Object.keys(worlds), 'deep.example']) {
    const business = await createBusiness(operator, draftOf(newBusiness, { name: `Business of ${domain}`, account_id: account.id }))
    sites.set(domain, (await createSite(operator, business.id, domain)).id)
  }
  const take = async (accountId: number, batches: Iterable<readonly Line[]>) => {
    const bytes = (async function* () {
      for (const lines of batches) yield Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    })()
    await importObservations(operator, { partnerId: partner.id, accountId }, readNdjson(bytes), { createMissing: true })
  }
  await take(account.id, [Object.values(worlds).flat()])
  await take(account.id, deepWorld(today))
  await take(many.id, [manySites(today)])
  for (const [login, account_id] of [
    ['odd-owner', account.id],
    ['many-owner', many.id],
  ] as const)
    await createOwner(operator, draftOf(newUser, { login, email: `${login}@people.example`, password, account_id }))
  return { sites, partnerId: partner.id }
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
    if (login !== 'stranger') await logIn(page, url, login)
    for (const [name, path] of Object.entries(paths)) {
      await page.goto(url + path)
      await shoot(page, `${name}-${look.width}-${look.scheme}`)
    }
    if (login === 'dana-owner') await takeOpened(page, look)
    await context.close()
  }
}

async function pathsByPerson(): Promise<Record<string, Record<string, string>>> {
  const chicago = `/sites/${people.chicago}`
  const worlds = [...odd.sites].flatMap(([domain, id]) => [
    [`world-${domain}-search`, `/sites/${id}/search`],
    [`world-${domain}-reputation`, `/sites/${id}/reputation`],
  ])
  return {
    stranger: {
      login: '/login',
      'login-ended': '/login?session=ended',
      forgot: '/forgot',
      'login-link': `/login-link/${await loginToken(operator, people.users['kim-one-site'])}`,
      'login-link-dead': '/login-link/x',
      'share-password': `/share/${locked.token}`,
      'share-dead': '/share/x',
      'share-guest': `/share/${shared.token}`,
      docs: '/docs',
    },
    'dana-owner': {
      home: '/',
      'home-none': '/?q=zzz',
      search: `${chicago}/search`,
      'search-year': `${chicago}/search?days=365&compare=year`,
      'search-band': `${chicago}/search?band=none`,
      reputation: `${chicago}/reputation`,
      deactivated: `/sites/${people.closed}/search`,
      share: `${chicago}/share`,
      reports: '/reports',
      sessions: '/sessions',
      password: '/password',
      'not-found': '/nothing',
    },
    newcomer: { 'home-nothing': '/' },
    'kim-one-site': { 'home-one': '/' },
    'many-owner': { 'home-500': '/' },
    'odd-owner': {
      'home-odd': '/',
      ...Object.fromEntries(worlds),
      'world-deep-2-years': `/sites/${odd.sites.get('deep.example')}/search?from=${dayText(dayNumber(today) - 729)}&to=${today}`,
      'world-oranges-rivals': `/sites/${odd.sites.get('oranges.example')}/search?rivals=on`,
    },
  }
}

/** The keyword page, and the search page with everything open that can be opened. */
async function takeOpened(page: Page, look: Look): Promise<void> {
  const name = (what: string) => `${what}-${look.width}-${look.scheme}`
  await page.goto(`${url}/sites/${people.chicago}/search`)
  const keyword = (await page.locator('a[data-opens]').first().getAttribute('href')) ?? ''
  await page.locator('a[data-opens]').first().click()
  await page.locator('tr.open svg').first().waitFor()
  await page.locator('#positions .plot').hover()
  await shoot(page, name('search-open'))
  await page.goto(url + keyword)
  await shoot(page, name('keyword'))
  await page.goto(`${url}${keyword}${keyword.includes('?') ? '&' : '?'}engine=Google&locale=en-us`)
  await shoot(page, name('keyword-engine'))
  await page.goto(`${url}/`)
  await page.locator('.menu summary').click()
  await shoot(page, name('menu'))
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
      await page.goto(`${url}/sites/${people.chicago}/search`)
      await shoot(page, `brand-${kind}-${look.width}-${look.scheme}`)
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
  const [search, reputation] = [`/sites/${people.chicago}/search?print=all`, `/sites/${people.chicago}/reputation?print=all`]
  await printAs('dana-owner', { search, reputation, home: '/' }, 'A4')
  await printAs('dana-owner', { 'search-letter': search }, 'Letter')
  const worlds = ['deep.example', 'lost.example', 'one-point.example', 'xn--bckerei-5wa.example']
  await printAs('odd-owner', Object.fromEntries(worlds.map((domain) => [domain, `/sites/${odd.sites.get(domain)}/search?print=all`])), 'A4')
}

async function printAs(login: string, paths: Readonly<Record<string, string>>, format: 'A4' | 'Letter'): Promise<void> {
  const { context, page } = await opened({ width: 1440, scheme: 'light' })
  await logIn(page, url, login)
  for (const [name, path] of Object.entries(paths)) {
    await page.goto(url + path)
    await sheets(`paper-${name}`, await page.pdf({ format, preferCSSPageSize: true }))
  }
  await context.close()
}

async function takeLetter(): Promise<void> {
  await sendAgain(operator, schedule.id)
  await deliverMail(service.app, openLog('error'), composeLetter, new AbortController().signal)
  await removeBrand(operator, people.partnerId)
  const mail = mailbox.take('dana-owner@people.example').at(-1)
  if (mail === undefined) throw new Error('No letter came')
  const inside = mail.attachments.reduce(
    (text, { cid, type, content }) => text.replaceAll(`cid:${cid}`, `data:${type};base64,${content.toString('base64')}`),
    mail.html,
  )
  for (const look of looks) {
    const { context, page } = await opened(look)
    await page.setContent(inside)
    await shoot(page, `letter-${look.width}-${look.scheme}`)
    await context.close()
  }
  await sheets('letter', mail.attachments.find(({ type }) => type === 'application/pdf')?.content ?? Buffer.alloc(0))
}

async function shoot(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}

async function sheets(name: string, pdf: Buffer): Promise<void> {
  writeFileSync(join(folder, `${name}.pdf`), pdf)
  execFileSync(pdftoppm, ['-r', '60', '-png', join(folder, `${name}.pdf`), join(folder, `${name}-sheet`)])
}
