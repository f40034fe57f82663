/** Axe on every page, at rest and with everything open that opens, on a phone and at a desk, in both themes. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { draftOf } from '../../src/fields/read.ts'
import { renewFigures } from '../../src/model/dashboard/desk/site-figures.ts'
import { lastPeriod, type NamedPeriod, nameOfPeriod } from '../../src/model/mail/periods.ts'
import { recipientToken } from '../../src/model/mail/recipients.ts'
import { createSchedule } from '../../src/model/mail/schedules.ts'
import { invitePerson, personInvitationToken } from '../../src/model/people/keepers/people-invitations.ts'
import { createShareLink } from '../../src/model/people/share-links.ts'
import { inviteStaffByLink } from '../../src/model/people/staff/staff-invitations.ts'
import { newStaffInvitation } from '../../src/resources/user.ts'
import { pages } from '../../src/web/pages.ts'
import { inspect, testBrowser } from '../support/browser.ts'
import { loginToken } from '../support/people.ts'
import { peopleService, withMail } from '../support/people-service.ts'
import { staffIn } from '../support/sample-world.ts'

describe('axe finds nothing', () => {
  const browser = testBrowser()
  const here = peopleService(withMail)
  let doors: string[]
  let guest: string
  let run: NamedPeriod
  let mailing = 0
  const inspected = new Set<string>()
  before(async () => {
    const { operator } = here.service
    const share = (password: string | null) => createShareLink(operator, here.world.chicago, { label: 'a friend', days: 30, password })
    const schedule = await createSchedule(operator, here.world.accountId, {
      rhythm: 'weekly',
      siteIds: null,
      recipients: ['dana-owner@people.example', 'friend@else.example'],
    })
    run = { rhythm: 'weekly', ...lastPeriod('weekly', operator.app.clock.now().slice(0, 10)) }
    mailing = schedule.id
    await operator.app.store.write((tx) =>
      tx
        .insertInto('report_runs')
        .values({
          schedule_id: mailing,
          account_id: here.world.accountId,
          rhythm: run.rhythm,
          period_from: run.from,
          period_to: run.to,
          state: 'held',
          reasons: JSON.stringify([{ kind: 'never' }]),
          sentence: '',
          updated_at: run.to,
        })
        .execute(),
    )
    const token = recipientToken(operator.app, schedule.recipients[1]?.id ?? 0)
    guest = `/share/${(await share(null)).token}`
    const { account_id } = await operator.app.store.db
      .selectFrom('partners')
      .select('account_id')
      .where('id', '=', here.world.partnerId)
      .executeTakeFirstOrThrow()
    await staffIn(here.service, here.world.partnerId, account_id ?? 0, 'quay')
    await renewFigures(operator.app, AbortSignal.timeout(60_000))
    const wanted = draftOf(newStaffInvitation, { email: 'new@quay.example', role: 'member', customers: 'all' })
    const { url } = await inviteStaffByLink(operator, here.world.partnerId, wanted)
    doors = [
      new URL(url).pathname,
      '/join/x',
      await invitation(),
      '/invitation/x',
      '/email/x',
      '/login',
      '/login?session=ended',
      '/forgot',
      `/login-link/${await loginToken(operator, here.world.users['kim-one-site'])}`,
      '/login-link/x',
      `/share/${(await share('open sesame')).token}`,
      '/share/x',
      `/reports/confirm/${token}`,
      `/reports/unsubscribe/${token}`,
      '/reports/confirm/x',
      guest,
    ]
  })

  async function invitation(): Promise<string> {
    const { app } = here.service
    const { partnerId, accountId, users, chicago } = here.world
    const owner = { kind: 'person', app, requestId: 'test', partnerId, accountId, userId: users['dana-owner'], post: null } as const
    await app.store.write((tx) => tx.updateTable('users').set({ state: 'active' }).where('id', '=', owner.userId).execute())
    await invitePerson(owner, accountId, { email: 'axe@quay.example', scope: { scope_type: 'Site', scope_id: chicago }, isEditor: false })
    const [made] = await app.store.db.selectFrom('people_invitations').selectAll().where('name', '=', 'axe@quay.example').execute()
    return made === undefined ? '' : `/invitation/${personInvitationToken(app, made)}`
  }

  for (const width of [1440, 390]) {
    test(`on the pages of a site, at rest or open, at ${width}`, async () => {
      const { page, mishaps, close } = await browser.enter(here.url, 'dana-owner', { width })
      const chicago = `/sites/${here.world.chicago}`
      const keyword = await keywordPath(page, `${here.url}${chicago}/search`)
      for (const path of [`${chicago}/search`, `${chicago}/reputation`, keyword]) await inspectAt(page, path, width)
      assert.deepEqual(mishaps, [])
      await close()
    })

    test(`on the other pages of a person, at rest or open, at ${width}`, async () => {
      const { page, mishaps, close } = await browser.enter(here.url, 'dana-owner', { width })
      const closed = `/sites/${here.world.closed}/search?days=30&engine=Google`
      const share = `/sites/${here.world.chicago}/share`
      for (const path of [
        '/',
        '/?q=zzz',
        closed,
        share,
        '/reports',
        '/me',
        '/people',
        `/people?person=${here.world.users['rosa-account']}`,
        '/sessions',
        '/password',
        '/second-factor',
        '/nothing',
      ])
        await inspectAt(page, path, width)
      assert.deepEqual(mishaps, [])
      await close()
      const newcomer = await browser.enter(here.url, 'newcomer', { width })
      await inspect(newcomer.page, `nothing to see at ${width}`)
      await newcomer.close()
    })

    test(`on the desk, at rest or open, at ${width}`, async () => {
      const { page, mishaps, close } = await browser.enter(here.url, 'cara-quay', { width })
      const customer = `/desk/customers/${here.world.accountId}`
      const why = `${customer}?person=${here.world.users['lee-business']}&site=${here.world.chicago}`
      const customers = [
        customer,
        `${customer}?business=${await someBusiness()}`,
        why,
        `${customer}/sites/${here.world.chicago}`,
        `${customer}/sites/${here.world.chicago}?remove=site`,
        `${customer}/people/${here.world.users['lee-business']}`,
      ]
      const data = ['/desk/data', '/desk/data?show=programs', `/desk/data/${await someFile()}`, `/desk/data/${await someFile()}?ask=undo`]
      const runs = `/desk/reports/runs/${nameOfPeriod(run)}`
      const reports = [
        '/desk/reports',
        `/desk/reports/${mailing}`,
        runs,
        `${runs}?show=held`,
        '/desk/reports/suppressed',
        '/desk/reports/new',
        `/desk/reports/new?customer=${here.world.accountId}`,
      ]
      for (const path of [
        '/desk',
        '/desk?q=zzz',
        '/desk?sort=name&order=down',
        '/desk/add',
        '/desk/brand',
        '/desk/reviews',
        '/desk/sources',
        '/desk/brand/address',
        '/desk/brand/logos',
        ...customers,
        ...data,
        ...reports,
      ])
        await inspectAt(page, path, width)
      for (const path of [
        '/desk?q=evanston',
        `${customer}?sees=${here.world.evanston}`,
        `${customer}/delete`,
        '/desk?archived=yes',
        '/desk/deleted',
        `/desk/bulk?do=tag&tag=vip&customer=${here.world.accountId}`,
        '/desk/add/table',
      ])
        await inspectAt(page, path, width)
      for (const [table, said] of [
        ['Client,Website,Chef\nPine,pine.example,x', '1 customer can be made'],
        ['Client,Website,Chef\nPine,pine,x', 'Nothing is made: 1 line has a fault'],
      ] as const) {
        await page.getByRole('textbox', { name: 'Table' }).fill(table)
        await page.getByRole('button', { name: 'Look at it' }).click()
        await page.getByText(said).waitFor()
        await inspect(page, `a look at a table at ${width}`)
      }
      await page.goto(`${here.url}/desk/data`)
      const file = (name: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from('site,phrase\nchicago.harbor.example,dentist') })
      await page.locator('input[type=file]').setInputFiles([file('one.csv'), file('two.csv')])
      await Promise.all([page.waitForURL(/arrived/), page.getByRole('button', { name: 'Store', exact: true }).click()])
      const arrived = new URL(page.url()).pathname
      for (const path of [arrived, `${arrived}/1`]) await inspectAt(page, path, width)
      await page.goto(here.url + customer)
      await page.getByRole('button', { name: 'Open as they see it: lee-business' }).click()
      for (const path of ['/?view=list', `/sites/${here.world.evanston}/search`, '/desk']) await inspectAt(page, path, width)
      await page.getByRole('button', { name: 'Leave' }).click()
      assert.deepEqual(mishaps, [])
      await close()
    })

    test(`on the pages of the staff and of developers, and where the first asks for the password, at ${width}`, async () => {
      const { page, mishaps, close } = await browser.enter(here.url, 'cara-quay', { width })
      const { store } = here.service.app
      const proved = (proved_at: string | null) => store.write((tx) => tx.updateTable('sessions').set({ proved_at }).execute())
      const staff = store.db.selectFrom('staff').select('user_id').where('partner_id', '=', here.world.partnerId)
      const { user_id } = await staff.executeTakeFirstOrThrow()
      await proved(null)
      await inspectAt(page, '/desk/team', width)
      await proved(here.service.app.clock.now())
      const keys = store.db.selectFrom('keys').select('id').where('partner_id', '=', here.world.partnerId)
      const developers = [
        '/desk/developers',
        '/desk/developers/requests',
        `/desk/developers?key=${(await keys.executeTakeFirstOrThrow()).id}`,
      ]
      for (const path of ['/desk/team', `/desk/team?member=${user_id}`, ...developers]) await inspectAt(page, path, width)
      assert.deepEqual(mishaps, [])
      await close()
    })

    test(`on any page of a stranger or a guest, at ${width}`, async () => {
      const { page, mishaps, close } = await browser.look(here.url, { width })
      for (const path of doors) {
        await page.goto(here.url + path)
        await inspect(page, `${path} at ${width}`)
      }
      assert.deepEqual(mishaps, [])
      await close()
    })
  }

  test('on every page of the desk that is in the table', () => {
    const shown = pages.filter(({ method, path }) => method === 'GET' && /^\/desk(\/|$)/.test(path) && !/\.csv$|preview/.test(path))
    const patterns = shown.map(({ path }) => [path, new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)] as const)
    const missed = patterns.filter(([template, pattern]) => ![...inspected].some((path) => path === template || pattern.test(path)))
    assert.deepEqual(
      missed.map(([template]) => template),
      [],
    )
  })

  async function inspectAt(page: Page, path: string, width: number): Promise<void> {
    inspected.add(path.split('?')[0] ?? '')
    await page.goto(here.url + path)
    await inspect(page, `${path} at ${width}`)
    // What opens at the desk opens alike on a phone.
    if (path.startsWith('/desk') && width === 390) return
    if (await openAll(page)) await inspect(page, `${path} open at ${width}`, 'opened')
  }

  async function someBusiness(): Promise<number> {
    const businesses = here.service.app.store.db.selectFrom('businesses').select('id').where('account_id', '=', here.world.accountId)
    return (await businesses.executeTakeFirstOrThrow()).id
  }

  async function someFile(): Promise<number> {
    const files = here.service.app.store.db.selectFrom('intakes').select('id').where('partner_id', '=', here.world.partnerId)
    return (await files.where('state', '=', 'stored').executeTakeFirstOrThrow()).id
  }

  async function keywordPath(page: Page, search: string): Promise<string> {
    await page.goto(search)
    return (await page.locator('a[data-opens]').first().getAttribute('href')) ?? ''
  }

  /** Opens the rows of two keywords, a chart's table, all menus and explanations, the sites that fit a search, and a tooltip. False if nothing on the page opens. */
  async function openAll(page: Page): Promise<boolean> {
    const rows = await page.locator('a[data-opens]').count()
    for (let row = 0; row < Math.min(2, rows); row++) {
      await page.locator('a[data-opens]').nth(row).click()
      await page.locator('tr.open').nth(row).locator('svg:visible').first().waitFor()
    }
    const opened = await page.evaluate(`(() => {
      const some = [...document.querySelectorAll('details:not(.behind), .chart .behind:first-of-type')]
      const [behind] = document.querySelectorAll('.behind')
      for (const one of some) if (!one.matches('.behind') || one === behind) one.open = true
      return some.length
    })()`)
    if (opened === 0) return false
    if (new URL(page.url()).pathname === '/' && (await page.locator('.find').count()) > 0) {
      await page.locator('.find [type=search]').fill('harbor')
      await page.getByRole('option').first().waitFor()
    }
    if ((await page.locator('figure [data-plot]').count()) > 0) {
      // A tap keeps the tooltip, whatever lies above the chart.
      const tap = { pointerType: 'touch', clientX: page.viewportSize()?.width === 390 ? 200 : 400, bubbles: true }
      await page.locator('figure [data-plot]').first().dispatchEvent('pointerdown', tap)
      assert.ok(await page.locator('.hover-card').first().isVisible(), 'the tooltip')
    }
    const ids = (await page.evaluate("[...document.querySelectorAll('[id]')].map((one) => one.id)")) as string[]
    assert.equal(ids.length, new Set(ids).size, `no id stands twice on ${page.url()}`)
    return true
  }
})
