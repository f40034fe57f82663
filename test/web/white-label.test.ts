/** White label: every page, mail and sheet of a branded partner is read for our name, at the partner's own host. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { deliverMail } from '../../src/jobs/mail.ts'
import { openLog } from '../../src/lib/log.ts'
import type { App } from '../../src/model/core/app.ts'
import { confirmRecipient, recipientToken } from '../../src/model/mail/recipients.ts'
import { createSchedule } from '../../src/model/mail/schedules.ts'
import { removeAccountBrand, removeBrand, setAccountBrand, setBrand } from '../../src/model/partners/brand-changes.ts'
import { createShareLink } from '../../src/model/people/share-links.ts'
import { composeByReaders } from '../../src/web/letters/letter-work.ts'
import { freshPlace, type Place } from '../support/engines.ts'
import { type Mailbox, openMailbox, type ReceivedMail } from '../support/mailbox.ts'
import { loginToken, makePeople, measurePeople, type PeopleWorld } from '../support/people.ts'
import { PlainBrowser } from '../support/plain-browser.ts'
import { findPoppler } from '../support/poppler.ts'
import { type Reply, startTestService, type TestService } from '../support/service.ts'

const pixel = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
const icon = Buffer.concat([Buffer.from([0, 0, 1, 0, 1, 0]), Buffer.alloc(40)])
const acme = {
  hostName: 'reports.acme.example',
  name: 'Acme Insights',
  accent: '#ffcc00',
  logo: pixel,
  darkLogo: pixel,
  favicon: icon,
  support: 'help@acme.example',
  senderName: 'Acme Reports',
}
const secure = { host: acme.hostName, 'x-forwarded-proto': 'https' }

describe('white label', () => {
  let mailbox: Mailbox
  let place: Place
  let service: TestService
  let world: PeopleWorld
  before(async () => {
    mailbox = await openMailbox()
    place = await freshPlace('sqlite')
    const mail = { MARQUEE_SMTP_URL: mailbox.url, MARQUEE_MAIL_FROM: 'reports@mail.example' }
    service = await startTestService(place, { ...mail, MARQUEE_TRUSTED_PROXIES: '127.0.0.1', BASE_URL: 'https://marquee.test' })
    world = await makePeople(service.operator)
    await measurePeople(service.operator, world.partnerId)
    await setBrand(service.operator, world.partnerId, acme)
  })
  after(async () => {
    await service?.stop()
    await mailbox?.close()
    await place?.remove()
  })

  const visitor = () => new PlainBrowser(service.stranger, secure)
  const logged = async (login = 'dana-owner') => {
    const browser = visitor()
    assert.equal((await browser.logIn(login)).status, 303)
    return browser
  }
  const isSilent = (reply: Reply, path: string) => {
    assert.doesNotMatch(reply.text, /marquee/i, path)
    assert.doesNotMatch(JSON.stringify(reply.headers), /marquee/i, path)
  }

  test('whatever page, file or error is asked for at the host of the partner, it never says our name', async () => {
    const dana = await logged()
    const { token } = await createShareLink(service.operator, world.chicago, { label: '', days: 7, password: 'secret-word' })
    const link = `/login-link/${await loginToken(service.operator, world.users['rosa-account'])}`
    const waiting = ['/', '/reports', '/sessions', '/password', `/sites/${world.chicago}/share`, '/nothing', '/sites.json', '/favicon.ico']
    const strangers = ['/login', '/login?session=ended', '/forgot', link, `/share/${token}`, '/share/dead', '/reports/confirm/1.x']
    const seen = new Set<string>()
    for (const path of strangers) isSilent(await visitor().get(path), path)
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
      if (seen.has(shapeOf(path)) || path.startsWith('/logout')) continue
      seen.add(shapeOf(path))
      const reply = await dana.get(path)
      isSilent(reply, path)
      waiting.push(...linksIn(reply.text))
    }
    assert.ok(seen.size > 30, `${seen.size} addresses were read`)
    for (const [path, form] of [
      ['/login', { name: 'dana-owner', password: 'wrong' }],
      ['/forgot', { name: 'nobody' }],
      [`/share/${token}`, { password: 'wrong' }],
      ['/nothing', {}],
    ] as const)
      isSilent(await visitor().post(path, { form_token: await visitor().token(), ...form }), path)
  })

  test('pages carry the name, both logos, the icon and whom to ask', async () => {
    const { text } = await visitor().get('/login')
    assert.match(text, /<title>Log in · Acme Insights<\/title>/)
    assert.match(text, /mailto:help@acme\.example/)
    const [light = '', dark = '', favicon = ''] = [
      /class="on-light" src="([^"]+)"/,
      /class="on-dark" src="([^"]+)"/,
      /rel="icon" href="([^"]+)"/,
    ].map((shape) => shape.exec(text)?.[1] ?? '')
    assert.equal(new Set([light, dark, favicon]).size, 3)
    const types = [light, dark, favicon].map(async (path) => (await visitor().get(path)).headers['content-type'])
    assert.deepEqual(await Promise.all(types), ['image/png', 'image/png', 'image/x-icon'])
    assert.equal((await visitor().get(light)).headers['set-cookie'], undefined)
  })

  test('the mails of a schedule, their sheets and the mail to who forgot the password are in the brand', async () => {
    const { recipients } = await createSchedule(service.operator, world.accountId, {
      rhythm: 'weekly',
      siteIds: null,
      recipients: ['friend@else.example', 'dana-owner@people.example'],
    })
    await deliver(service.app)
    await confirmRecipient(service.app, recipientToken(service.app, recipients[1]?.id ?? 0))
    await deliver({ ...service.app, clock: { now: () => new Date(Date.now() + 7 * 86_400_000).toISOString().replace(/\.\d+/, '') } })
    const dana = visitor()
    await dana.post('/forgot', { form_token: await dana.token('/forgot'), name: 'rosa-account' })
    const forgotten = await arrival('rosa-account@people.example')
    const mails = [forgotten, ...mailbox.take('friend@else.example'), ...mailbox.take('dana-owner@people.example')]
    assert.equal(mails.length, 4)
    for (const mail of mails) {
      assert.doesNotMatch(JSON.stringify({ ...mail, attachments: mail.attachments.map(({ cid }) => cid) }), /marquee/i, mail.subject)
      assert.match(mail.headers['from'] ?? '', /Acme Reports/)
      assert.match(mail.text, /https:\/\/reports\.acme\.example\//)
      assert.match(mail.text, /Questions\? help@acme\.example/)
    }
    const report = mails.find(({ attachments }) => attachments.some(({ type }) => type === 'application/pdf'))
    assert.equal(report?.headers['reply-to'], 'help@acme.example')
    assert.match(report?.html ?? '', /background:#ffcc00;color:#0c1114/, 'the colour stays true, and the ink is chosen for it')
    assert.match(report?.html ?? '', /cid:logo@brand/)
    const words = textsOfPdf(report?.attachments.find(({ type }) => type === 'application/pdf')?.content ?? Buffer.alloc(0))
    assert.match(words, /Acme Insights/)
    assert.doesNotMatch(words, /marquee/i)
  })

  test("an account's own brand stands over its partner's, field by field, and in its mails too", async () => {
    await setAccountBrand(service.operator, world.accountId, { name: 'Harbor Dental', accent: '#003366' })
    const { text } = await (await logged()).get('/password')
    assert.match(text, /· Harbor Dental<\/title>/)
    assert.match(text, /accent-003366\.css/)
    assert.match(text, /mailto:help@acme\.example/, "what it leaves out is its partner's")
    assert.match((await visitor().get('/login')).text, /· Acme Insights<\/title>/, 'before anybody has logged in it is the partner')
    const link = `/login-link/${await loginToken(service.operator, world.users['rosa-account'])}`
    assert.match((await visitor().get(link)).text, /· Harbor Dental<\/title>/)
    await removeAccountBrand(service.operator, world.accountId)
    assert.match((await (await logged()).get('/password')).text, /· Acme Insights<\/title>/)
  })

  test('taking the brand off restores ours, and leaves no picture behind', async () => {
    const { text } = await visitor().get('/login')
    await removeBrand(service.operator, world.partnerId)
    const own = new PlainBrowser(service.stranger, { host: 'marquee.test', 'x-forwarded-proto': 'https' })
    await own.logIn('dana-owner')
    const page = await own.get('/password')
    assert.match(page.text, /· Marquee<\/title>/)
    assert.doesNotMatch(page.text, /accent-|acme|\/brand\//i)
    assert.equal((await visitor().get('/login')).status, 421)
    assert.equal((await own.get(/src="(\/brand\/[^"]+)"/.exec(text)?.[1] ?? '')).status, 404)
    assert.equal((await service.app.store.db.selectFrom('brand_pictures').selectAll().execute()).length, 0)
  })

  const deliver = (app: App) => deliverMail(app, openLog('silent'), composeByReaders, new AbortController().signal)

  /** It is mailed after the answer, so that its time tells nothing. */
  async function arrival(address: string): Promise<ReceivedMail> {
    for (let tries = 0; tries < 200; tries++) {
      const [mail] = mailbox.take(address)
      if (mail) return mail
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error(`no mail came for ${address}`)
  }
})

/** Addresses of one page that differ in ids, order or period alone are read once. */
function shapeOf(path: string): string {
  const [place = '', query = ''] = path.split('?')
  const asked = new URLSearchParams(query)
  return [place.replace(/\d+/g, 'N'), ...['table', 'print', 'view'].map((name) => asked.get(name) ?? '')].join(' ')
}

function linksIn(text: string): string[] {
  return [...text.matchAll(/(?:href|src|action)="(\/[^"#]*)/g)].map(([, path = '']) => path.replaceAll('&amp;', '&'))
}

function textsOfPdf(bytes: Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), 'pdf-'))
  const file = join(folder, 'report.pdf')
  writeFileSync(file, bytes)
  try {
    return (
      execFileSync(findPoppler('pdftotext'), ['-layout', file, '-'], { encoding: 'utf8' }) +
      execFileSync(findPoppler('pdfinfo'), [file], { encoding: 'utf8' })
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
