/** What happened between the ends of a period is told by page, list, print, mail and PDF alike, as an oracle finds it in the report. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { draftOf } from '../../src/fields/read.ts'
import { readNdjson } from '../../src/model/imports/formats.ts'
import { importObservations } from '../../src/model/imports/import.ts'
import { createSchedule } from '../../src/model/mail/schedules.ts'
import { createBusiness } from '../../src/model/partners/businesses.ts'
import { createSite } from '../../src/model/partners/sites.ts'
import { logIn } from '../../src/model/people/logins.ts'
import { createOwner } from '../../src/model/people/users.ts'
import { newBusiness } from '../../src/resources/business.ts'
import { newUser } from '../../src/resources/user.ts'
import { letterheadOf } from '../../src/web/letters/letterhead.ts'
import { sampleLetter } from '../../src/web/letters/report.ts'
import { type Happened, whatHappened } from '../support/course-oracle.ts'
import { courseWorlds } from '../support/course-worlds.ts'
import { freshPlace, type Place } from '../support/engines.ts'
import type { SiteReport } from '../support/page-oracle.ts'
import { textOfPdf } from '../support/pdf.ts'
import { startTestService, type TestPartner, type TestService } from '../support/service.ts'

const { from, to, worlds } = courseWorlds(new Date().toISOString().slice(0, 10))

describe('between the ends of a period', () => {
  let place: Place
  let service: TestService
  let acme: TestPartner
  let cookie: string
  const sites = new Map<string, number>()
  const mails = new Map<string, { text: string; html: string; pdf: string }>()
  const happened = new Map<string, Happened>()

  before(async () => {
    place = await freshPlace('sqlite')
    service = await startTestService(place)
    acme = await service.partner('Acme')
    for (const domain of Object.keys(worlds)) {
      const draft = draftOf(newBusiness, { name: `Business of ${domain}`, account_id: acme.accountId })
      const business = await createBusiness(service.operator, draft)
      sites.set(domain, (await createSite(service.operator, business.id, domain)).id)
    }
    const bytes = (async function* () {
      for (const lines of Object.values(worlds)) yield Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    })()
    await importObservations(service.operator, { partnerId: acme.id, accountId: acme.accountId }, readNdjson(bytes), {
      createMissing: true,
    })
    const owner = { login: 'course-owner', email: 'course@people.example', password: 'correct horse battery', account_id: acme.accountId }
    await createOwner(service.operator, draftOf(newUser, owner))
    const visitor = { app: service.app, requestId: 'test', network: '192.0.2.1', hostPartnerId: null }
    cookie = `__Host-session=${(await logIn(visitor, { name: owner.login, password: owner.password, isRemembered: false })).token}`
    const head = await letterheadOf(service.app, acme.accountId)
    for (const [domain, id] of sites) {
      happened.set(domain, whatHappened(await reportOf(id), from, to))
      const wishes = { rhythm: 'monthly', siteIds: [id], recipients: [`course-${id}@people.example`] } as const
      const schedule = await createSchedule(service.operator, acme.accountId, wishes)
      const letter = await sampleLetter(service.app, head, { schedule_id: schedule.id, from, to })
      const sheet = letter?.attachments?.find(({ contentType }) => contentType === 'application/pdf')?.content as Buffer
      mails.set(domain, { text: words(letter?.text ?? ''), html: words(letter?.html ?? ''), pdf: words(textOfPdf(sheet)) })
    }
    for (const table of ['report_recipients', 'report_schedules'] as const)
      await service.app.store.write((tx) => tx.deleteFrom(table).execute())
  })
  after(async () => {
    await service?.stop()
    await place?.remove()
  })

  async function reportOf(id: number): Promise<SiteReport> {
    const reply = (await acme.get(`/api/seo_report.json?site_id=${id}`)).json() as {
      accounts: Record<string, { sites: Record<string, SiteReport>[] }>[]
    }
    const site = reply.accounts.flatMap((keyed) => Object.values(keyed)).flatMap((account) => account.sites)[0]?.[String(id)]
    assert.ok(site)
    return site
  }

  const get = async (path: string) => {
    const reply = await service.stranger.get(path, { headers: { cookie, accept: 'text/html' } })
    assert.equal(reply.status, 200, path)
    return reply.text
  }
  const search = (domain: string, query = '') => get(`/sites/${sites.get(domain)}/search?period=last-month${query}`)
  const lead = (page: string) => words(/<p class="lead">([\s\S]*?)<\/p>/.exec(page)?.[1] ?? '')
  const homeRow = async (domain: string) =>
    words(
      (await get('/?period=last-month')).split('<tr>').find((row) => words(row).startsWith(domain) && row.includes('scope="row"')) ?? '',
    )

  for (const domain of Object.keys(worlds).filter((one) => one !== 'reviews-only.example'))
    test(`${domain}: page, mail and PDF tell what the report holds, and nothing else`, async () => {
      const { losses, gaps, measuredDays, mean } = happened.get(domain) as Happened
      const page = await search(domain)
      const { text, html, pdf } = mails.get(domain) as { text: string; html: string; pdf: string }
      const told = { page: lead(page), text, html, pdf }
      for (const [where, said] of Object.entries(told)) {
        for (const loss of losses) assert.ok(said.includes(loss.text), `${where} of ${domain}: ${loss.text}, in ${said}`)
        for (const gap of gaps) assert.ok(said.includes(`ot measured ${gap}`), `${where} of ${domain}: ${gap}, in ${said}`)
        if (losses.length === 0) assert.doesNotMatch(said, /back since/, `${where} of ${domain}`)
        if (gaps.length === 0) assert.doesNotMatch(said, /[Nn]ot measured \d/, `${where} of ${domain}`)
      }
      for (const { keywords } of losses) assert.match(told.page, new RegExp(`${keywords} keywords? (was|were) not found`))
      if (gaps.length > 0) assert.ok(told.page.includes(`measured on ${measuredDays} of ${Number(to.slice(8))} days`), told.page)
      if (measuredDays > 1) for (const said of [words(page), text, html]) assert.ok(said.includes(`${mean.toFixed(1)} on average`), said)
    })

  test('a loss and a gap are reasons of attention, on the list, in print and in the mail; a flat month is none', async () => {
    for (const [domain, reason] of [
      ['lost-inside.example', happened.get('lost-inside.example')?.losses[0]?.text],
      ['gap-inside.example', `not measured ${happened.get('gap-inside.example')?.gaps[0]}`],
    ] as const) {
      assert.ok(reason)
      assert.ok((await homeRow(domain)).includes(reason), await homeRow(domain))
      const printed = words((await search(domain, '&print=all')).split('Needs attention')[1] ?? '')
      assert.ok(printed.includes(reason), printed.slice(0, 300))
      assert.match(mails.get(domain)?.text ?? '', new RegExp(`Needs attention: [^.]*${reason.slice(0, 12)}`))
    }
    assert.doesNotMatch(mails.get('flat.example')?.text ?? '', /Needs attention/)
    assert.match(await get('/?period=last-month&reason=lost-inside'), /lost-inside/)
  })

  test('the mail and the page of the same month say the same, compared with the month before', async () => {
    const page = await search('flat.example')
    const [, compared = ''] = /compared with ([^.]*)\./.exec(words(page)) ?? []
    assert.match(compared, /^1 – /)
    const linked = /\/sites\/\d+\/search\?from=\S+/.exec(mails.get('flat.example')?.text ?? '')?.[0] ?? ''
    assert.equal(lead(await get(linked)), lead(page))
    assert.ok(words(await get(linked)).includes(`compared with ${compared}`))
  })

  test('what was dismissed stays away until it gets worse, for who dismissed it', async () => {
    const domain = 'lost-inside.example'
    const page = await get('/?period=last-month')
    const row = page.split('<tr>').find((one) => one.includes(`Dismiss: ${domain}`)) ?? ''
    const form = Object.fromEntries([...row.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]))
    const send = async (seen: string) => {
      const body = new URLSearchParams({ ...form, seen })
      const reply = await service.stranger.ask('POST', `/sites/${sites.get(domain)}/attention?period=last-month`, {
        body: String(body),
        type: 'application/x-www-form-urlencoded',
        headers: { cookie, 'sec-fetch-site': 'same-origin' },
      })
      assert.equal(reply.status, 303, reply.text)
    }
    await send(form['seen'] ?? '')
    assert.match(await homeRow(domain), /Dismissed: 4 keywords not found .*Show again/)
    assert.doesNotMatch(await get('/?period=last-month&reason=lost-inside'), new RegExp(`Dismiss: ${domain}`))
    assert.match(await get('/?period=last-month'), /Dismiss: gap-inside/, 'the neighbours stay')
    await send((form['seen'] ?? '').replace(/\d+$/, '83'))
    assert.match(await homeRow(domain), /back since .*Dismiss/, '84 keyword days are more than 83')
    await send('')
  })

  test('a keyword says of each engine on how many days it was not found, and which days were not measured', async () => {
    const keyword = async (domain: string) => {
      const path = /\/sites\/\d+\/keywords\/\d+/.exec(await search(domain))?.[0] ?? ''
      return words(await get(`${path}?period=last-month`))
    }
    assert.match(
      await keyword('lost-on-bing.example'),
      /Striped: not found, or only after the first thousand results, on 21 days on Bing en-us\./,
    )
    assert.match(await keyword('gap-inside.example'), /Not measured 4 – 24 /)
  })

  test('mails write dates as their reader does, or as the owner of the account', async () => {
    await service.app.store.write((tx) =>
      tx
        .insertInto('preferences')
        .expression((eb) =>
          eb
            .selectFrom('users')
            .where('login', '=', 'course-owner')
            .select(['id as user_id', eb.val('US').as('region')]),
        )
        .columns(['user_id', 'region'])
        .onConflict((on) => on.column('user_id').doUpdateSet({ region: 'US' }))
        .execute(),
    )
    const siteId = sites.get('gap-inside.example') ?? 0
    const wishes = { rhythm: 'monthly', siteIds: [siteId], recipients: ['course@people.example'] } as const
    const schedule = await createSchedule(service.operator, acme.accountId, wishes)
    const head = await letterheadOf(service.app, acme.accountId)
    const letter = await sampleLetter(service.app, head, { schedule_id: schedule.id, from, to })
    assert.match(words(letter?.text ?? ''), /ot measured \w+ 4 – 24, \d{4} \(21 days\)/)
  })

  test('a site with reviews alone is entered at its reviews, and has no line about positions', async () => {
    const id = sites.get('reviews-only.example')
    const reply = await fetch(`${service.url}/sites/${id}`, { headers: { cookie }, redirect: 'manual' })
    assert.equal(reply.headers.get('location'), `/sites/${id}/reputation`)
    assert.match(await get('/'), new RegExp(`href="/sites/${id}/reputation"[^>]*>reviews-only`))
    assert.match(
      await search('reviews-only.example'),
      new RegExp(`There are reviews of this business\\. <a [^>]*href="/sites/${id}/reputation`),
    )
    assert.match(
      words(await get(`/sites/${sites.get('flat.example')}/reputation`)),
      /There are positions, links or figures of this site\. Open Search/,
    )
    const mail = mails.get('reviews-only.example')?.text ?? ''
    assert.doesNotMatch(mail, /keyword|Visibility|Backlinks/)
    assert.match(mail, new RegExp(`/sites/${id}/reputation\\?from=${from}&to=${to}`))
    assert.doesNotMatch(words(await search('flat.example')), /Backlinks –/)
  })
})

function words(markup: string): string {
  const plain = markup.replaceAll(/<\/(th|td|dt|dd|p|h\d|li|a|small|div)>/g, ' ').replaceAll(/<[^>]*>/g, '')
  return plain.replaceAll('&amp;', '&').replaceAll(/\s+/g, ' ').trim()
}
