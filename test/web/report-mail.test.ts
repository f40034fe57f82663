/** Scheduled reports by mail: from the owner's page to the mailbox, through a real SMTP server, and out again with one click. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import xlsx from 'xlsx'
import { deliverMail } from '../../src/jobs/mail.ts'
import { html } from '../../src/lib/html.ts'
import { openLog } from '../../src/lib/log.ts'
import type { App } from '../../src/model/core/app.ts'
import { lastPeriod } from '../../src/model/mail/periods.ts'
import { letterHtml } from '../../src/web/letters/letter.ts'
import { composeByReaders } from '../../src/web/letters/letter-work.ts'
import type { MailedLine, MailedReport } from '../../src/web/letters/report/mailed-report.ts'
import { reportHtml } from '../../src/web/letters/report/report-html.ts'
import { reportText } from '../../src/web/letters/report/report-text.ts'
import { pdfOf } from '../../src/web/letters/sheet.ts'
import { freshPlace, type Place } from '../support/engines.ts'
import { type Mailbox, openMailbox } from '../support/mailbox.ts'
import { structureOfPdf, textOfPdf } from '../support/pdf.ts'
import { makePeople, measurePeople } from '../support/people.ts'
import { PlainBrowser } from '../support/plain-browser.ts'
import { startTestService, type TestService } from '../support/service.ts'

const day = 86_400_000

const plainHead = {
  brandName: 'Acme',
  senderName: 'Acme',
  logo: null,
  support: 'help@acme.example',
  home: 'https://a.example',
  accent: '#000000',
}
const emptyReport: MailedReport = {
  accountName: 'Many',
  period: '1 – 7 Nov 2026',
  inShort: '',
  sentence: '',
  summary: '',
  lines: [],
  leftOut: { sites: 0, needing: 0 },
  sites: [],
}

describe('reports by mail', () => {
  let mailbox: Mailbox
  let place: Place
  let service: TestService
  let chicago: number
  before(async () => {
    mailbox = await openMailbox()
    place = await freshPlace('sqlite')
    service = await startTestService(place)
    const world = await makePeople(service.operator)
    chicago = world.chicago
    await measurePeople(service.operator, world.partnerId)
  })
  after(async () => {
    await service?.stop()
    await mailbox?.close()
    await place?.remove()
  })

  /** The service as it will be some days later, with the mail server of the test. */
  const later = (days: number): App => ({
    ...service.app,
    settings: { ...service.app.settings, smtpUrl: mailbox.url, mailFrom: 'reports@service.example' },
    clock: { now: () => new Date(Date.now() + days * day).toISOString().replace(/\.\d+/, '') },
  })
  const deliver = (app: App) => deliverMail(app, openLog('silent'), composeByReaders, new AbortController().signal)

  test('dana schedules reports; a friend confirms, both get the same figures as the page, and the friend leaves with one click', async () => {
    const dana = new PlainBrowser(service.stranger)
    await dana.logIn('dana-owner')
    const form = {
      form_token: await dana.token('/reports'),
      rhythm: 'weekly',
      recipients: 'dana-owner@people.example, friend@else.example',
    }
    assert.equal((await dana.post('/reports', form)).status, 303)
    assert.match((await dana.get('/reports')).text, /friend@else\..{0,40}has not confirmed yet/)
    await deliver(later(0))
    const [asked] = mailbox.take('friend@else.example')
    assert.ok(asked)
    const [, confirm = ''] = /(\/reports\/confirm\/[\w.]+)/.exec(asked.text) ?? []
    const friend = new PlainBrowser(service.stranger)
    assert.equal((await friend.post(confirm, { form_token: await friend.token(confirm) })).status, 303)

    await deliver(later(7))
    await deliver(later(7))
    const mails = mailbox.take('friend@else.example')
    assert.equal(mails.length, 1, 'once, although the job ran twice')
    const [mail] = mails
    assert.ok(mail)
    assert.match(mail.text, /chicago\.harbor\.example/)
    assert.match(mail.html, /Visibility, of 100/)
    assert.doesNotMatch(mail.html, /<svg|<script|<style/)
    const pictures = mail.attachments.filter(({ type }) => type === 'image/png')
    assert.ok(pictures.length > 0)
    for (const { cid } of pictures) assert.ok(mail.html.includes(`cid:${cid}`))
    assert.match(mail.headers['list-unsubscribe-post'] ?? '', /One-Click/)
    assert.match(mail.headers['list-id'] ?? '', /^<reports-\d+\.[\w.]+>$/)
    assert.equal(mail.headers['auto-submitted'], 'auto-generated')
    assert.match(mail.subject, /^Harbor.*: visibility \d+ on average.*, \d+ new reviews$/)

    const pdf = mail.attachments.find(({ type }) => type === 'application/pdf')
    assert.ok(pdf)
    const words = textOfPdf(pdf.content)
    assert.match(words, /1 of \d/)
    const [, whole = ''] = /^Document\s+H1 \(block\)\s+"(.*)"/.exec(structureOfPdf(pdf.content)) ?? []
    assert.equal(whole, 'Harbor Dental', 'the sheet says what its pieces are')
    assert.match(structureOfPdf(pdf.content), /Table.*\n\s+TR\s+TH\s+"Site"/)
    assert.match(structureOfPdf(pdf.content), /H2 \(block\)\s+"chicago\.harbor\.example"[\s\S]*Figure/)
    assert.doesNotMatch(structureOfPdf(pdf.content), /"1 of \d"/, 'and its page numbers are none')
    const { from, to } = lastPeriod('weekly', later(7).clock.now().slice(0, 10))
    const pages = await Promise.all(['search', 'reputation'].map((tab) => dana.get(`/sites/${chicago}/${tab}?from=${from}&to=${to}`)))
    const figures = pages.flatMap(({ text }) => figuresOn(text))
    assert.ok(figures.length >= 8)
    for (const { label, value } of figures) {
      assert.ok(mail.text.includes(`${label}: ${value}`), `the mail says ${label}: ${value}, as the page does`)
      assert.ok(words.includes(label.slice(0, 20)) && words.includes(value), `the sheet says ${label}: ${value}, as the page does`)
    }

    const [, stop = ''] = /<[^>]*(\/reports\/unsubscribe\/[\w.]+)>/.exec(mail.headers['list-unsubscribe'] ?? '') ?? []
    const clicked = await service.stranger.ask('POST', stop, {
      body: 'List-Unsubscribe=One-Click',
      type: 'application/x-www-form-urlencoded',
    })
    assert.equal(clicked.status, 200)
    for (const door of ['confirm', 'unsubscribe']) {
      const dead = await friend.get(`/reports/${door}/${stop.split('/').at(-1)?.slice(0, -3)}`)
      assert.equal(dead.status, 410)
      assert.match(dead.text, /This link no longer works.*If mails still come, open the link in the newest one\./s)
    }
    await deliver(later(14))
    assert.deepEqual(mailbox.take('friend@else.example'), [])
    assert.equal(mailbox.take('dana-owner@people.example').length, 2)
  })

  test('dana chooses sites, and is told of a mail that could not be delivered', async () => {
    const dana = new PlainBrowser(service.stranger)
    await dana.logIn('dana-owner')
    const page = await dana.get('/reports')
    const [, site = ''] = /name="site" value="(\d+)"/.exec(page.text) ?? []
    const form = { form_token: await dana.token('/reports'), rhythm: 'monthly', recipients: 'dana-owner@people.example', site }
    assert.equal((await dana.post('/reports', form)).status, 303)
    assert.match((await dana.get('/reports')).text, /<h2>Every month<\/h2><p class="quiet">chicago\.harbor\.example<\/p>/)
    const refused = await dana.post('/reports', { ...form, site: '987654' })
    assert.equal(refused.status, 422)
    assert.match(refused.text, /<option value="monthly" selected>/, 'what was chosen stays')
    assert.doesNotMatch((await dana.get('/reports')).text, /could not be delivered/)
    await service.app.store.write((tx) =>
      tx.updateTable('mails').set({ state: 'failed' }).where('recipient', '=', form.recipients).execute(),
    )
    assert.match((await dana.get('/reports')).text, /the mail of [^<]* could not be delivered/)
  })

  test('dana downloads the report of a site and of all as PDFs, and the list as a workbook; kim those of one site alone', async () => {
    const dana = new PlainBrowser(service.stranger)
    await dana.logIn('dana-owner')
    const page = await dana.get(`/sites/${chicago}/search?days=30`)
    const [, path = ''] = /href="([^"]*report\.pdf[^"]*)" download>Download PDF</.exec(page.text) ?? []
    const one = await fileOf(dana, path)
    assert.match(one.type, /^application\/pdf/)
    assert.match(one.name, /^chicago\.harbor\.example-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.pdf$/)
    for (const { label, value } of figuresOn(page.text)) {
      const words = textOfPdf(one.bytes)
      assert.ok(words.includes(label.slice(0, 20)) && words.includes(value), `the sheet says ${label}: ${value}, as the page does`)
    }
    assert.match(textOfPdf((await fileOf(dana, '/sites.pdf?days=30')).bytes), /All sites[\s\S]*of 2 sites[\s\S]*chicago\.harbor\.example/)
    const rows = xlsx.utils.sheet_to_json<Record<string, unknown>>(
      xlsx.read((await fileOf(dana, '/sites.xlsx?days=30')).bytes).Sheets['Data'] ?? {},
    )
    const chicagos = rows.find(({ Site }) => Site === 'chicago.harbor.example')
    assert.equal(typeof chicagos?.['Visibility'], 'number')
    const kim = new PlainBrowser(service.stranger)
    await kim.logIn('kim-one-site')
    assert.doesNotMatch(textOfPdf((await fileOf(kim, '/sites.pdf')).bytes), /evanston\.harbor\.example/)
  })

  test('an account whose stored name has several lines is named in one', async () => {
    const dana = new PlainBrowser(service.stranger)
    await dana.logIn('dana-owner')
    const name = (text: string) =>
      service.app.store.write((tx) => tx.updateTable('accounts').set({ name: text }).where('name', 'like', 'Harbor%').execute())
    await name('Harbor Dental\r\nYou have won:\u202e http://prize.example')
    const form = { form_token: await dana.token('/reports'), rhythm: 'weekly', recipients: 'another@else.example' }
    assert.equal((await dana.post('/reports', form)).status, 303)
    await deliver(later(0))
    const [asked] = mailbox.take('another@else.example')
    assert.match(
      asked?.text ?? '',
      /^dana-owner of .+ would like to send you the reports of Harbor Dental You have won: http:\/\/prize\.example by mail\.\n/,
    )
    await name('Harbor Dental')
  })

  test('kim, who owns no account, finds no page of schedules', async () => {
    const kim = new PlainBrowser(service.stranger)
    await kim.logIn('kim-one-site')
    assert.equal((await kim.get('/reports')).status, 404)
  })

  test('a sheet holds names in any script, and cuts what is too long for its line', async () => {
    const names = ['عيادة دبي', 'תל אביב', 'กรุงเทพฯ', '渋谷の歯医者', '北京诊所', '서울 치과', '臺灣鑰匙龜']
    const figures = [
      { label: 'A label that is far too long for a third of a sheet of paper, whatever the font', value: '7', change: null, note: '' },
    ]
    const site = {
      id: 1,
      path: '/sites/1/search',
      name: 'x'.repeat(300),
      businessName: names.join(', '),
      sentences: [names.join(' ')],
      figures,
      charts: [],
      attention: [],
      moves: [],
      reviews: null,
    }
    const lineOf = (name: string) => ({
      ...site,
      name,
      visibility: '3.5',
      visibilityChange: null,
      rating: null,
      ratingChange: null,
      newReviews: '1',
    })
    const bytes = await pdfOf(plainHead, {
      ...emptyReport,
      accountName: 'Zürich '.repeat(60),
      lines: [lineOf('lined.example'), { ...lineOf('y'.repeat(300)), attention: ['z'.repeat(300)] }],
      leftOut: { sites: 1, needing: 0 },
      sites: [site],
    })
    const words = textOfPdf(bytes).normalize('NFKC')
    for (const name of ['渋谷の歯医者', '北京诊所', '서울 치과', 'กรุงเทพ', '臺灣鑰匙龜'])
      assert.ok(words.includes(name.normalize('NFKC')), name)
    assert.doesNotMatch(words, /\ufffd/)
    assert.match(words, /A label that is far too long .*\.\.\./)
    assert.match(words, /Questions\? help@acme\.example/)
    assert.match(words, /One more site is not listed here; it needs no attention\./)
    assert.doesNotMatch(words, /cannot be printed/)
    const small = { ...site, name: 'small.example', businessName: 'Small', sentences: ['Not measured since 8 Aug 2026.'] }
    const together = textOfPdf(await pdfOf(plainHead, { ...emptyReport, sites: [small, small, small] }))
    assert.match(together, /1 of 1/, 'sites that fit share a sheet')
    const sheets = textOfPdf(await pdfOf(plainHead, { ...emptyReport, sites: Array(9).fill(small) })).split('\f')
    for (const text of sheets.filter((one) => one.includes('small.example')))
      assert.equal(text.match(/small\.example/g)?.length, text.match(/Not measured since/g)?.length, 'and none is torn')
    const ancient = await pdfOf(plainHead, {
      ...emptyReport,
      accountName: 'a\u{12000}',
      sites: [{ ...site, businessName: '', sentences: [] }],
    })
    assert.match(textOfPdf(ancient), /One character of these names cannot be printed/)
  })

  test('a mail of eighty sites is one that mail programs do not cut, and says what it leaves out', () => {
    const change = { arrow: 'down', tone: 'worse', short: '12.5', words: 'down 12.5 points' } as const
    const line = (id: number): MailedLine => ({
      id,
      path: `/sites/${100_000 + id}/search?from=2026-10-01&to=2026-10-31`,
      name: `${'a-long-name-of-a-site-'.repeat(2)}${id}.example`,
      businessName: '',
      visibility: '42.5',
      visibilityChange: change,
      rating: '4.5',
      ratingChange: change,
      newReviews: '1,234',
      attention: ['12 of 40 keywords not found any more', 'not measured 4 – 24 Oct 2026 (21 days), measured on 10 of 31 days'],
    })
    const lines = Array.from({ length: 80 }, (_, id) => line(id))
    const report = { ...emptyReport, lines, leftOut: { sites: 20, needing: 1 } }
    const text = letterHtml(plainHead, reportHtml(plainHead, report), html``)
    assert.ok(Buffer.byteLength(text) < 75_000, `${Buffer.byteLength(text)} bytes leave room for three sites in full`)
    assert.match(text, /20 more sites are not listed here; 1 of them needs attention\./)
    assert.match(text, /color:#b0352b">▼ 12\.5</)
    assert.match(reportText(plainHead, report, ''), /Needs attention: 12 of 40 keywords/)
  })

  async function fileOf({ cookie }: PlainBrowser, path: string) {
    const reply = await fetch(`${service.url}${path.replaceAll('&amp;', '&')}`, { headers: { cookie } })
    assert.equal(reply.status, 200, path)
    const [, name = ''] = /filename="([^"]*)"/.exec(reply.headers.get('content-disposition') ?? '') ?? []
    return { type: reply.headers.get('content-type') ?? '', name, bytes: Buffer.from(await reply.arrayBuffer()) }
  }

  /** What was not measured has no figure in a mail. */
  function figuresOn(page: string): { label: string; value: string }[] {
    const glance = page.split('aria-label="At a glance"')[1]?.split('</section>')[0] ?? ''
    const found = glance.matchAll(/<dt>(?:<a[^>]*>)?([^<]*)(?:<\/a>)?<\/dt><dd[^>]*>(?:<a[^>]*>)?([^<]*)</g)
    return [...found].flatMap(([, label = '', value = '']) => (value.trim() === '' ? [] : [{ label, value: value.trim() }]))
  }
})
