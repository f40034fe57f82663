/** Mails to a strict server: who they are from, what is refused for good and what is tried again, and whom TLS trusts. */
import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import type { SMTPServerOptions } from 'smtp-server'
import { readSettings } from '../../src/config.ts'
import { deliverMail } from '../../src/jobs/mail.ts'
import { openLog } from '../../src/lib/log.ts'
import { verdictOn } from '../../src/lib/network/smtp-verdicts.ts'
import { type App, openApp } from '../../src/model/core/app.ts'
import type { OperatorCaller } from '../../src/model/core/caller.ts'
import { queueMail } from '../../src/model/mail/queue.ts'
import { endSuppression, listSuppressions } from '../../src/model/mail/suppressions.ts'
import { createPartner } from '../../src/model/partners/partners.ts'
import { type Certificate, makeCertificate } from '../support/certificate.ts'
import { onEachEngine } from '../support/engines.ts'
import { openStrictMailServer, type StrictMailServer } from '../support/strict-mail-server.ts'

const log = openLog('silent')
const compose = async () => ({ senderName: 'Acme', subject: 'A report', text: 'All is well.' })

onEachEngine('a mail', (place) => {
  let server: StrictMailServer
  let certificate: Certificate
  let app: App
  let operator: OperatorCaller
  let accountId: number
  let partnerId: number
  let serial = 0
  let minutes = 0
  before(async () => {
    certificate = makeCertificate()
    server = await openStrictMailServer()
    const clock = { now: () => new Date(Date.now() + minutes * 60_000).toISOString().replace(/\.\d+/, '') }
    app = await openApp(readSettings({ ...place.env, ...mailTo(server) }), { clock })
    operator = { kind: 'operator', app, requestId: 'test' }
    const made = await createPartner(operator, 'Acme')
    accountId = made.account.id
    partnerId = made.partner.id
  })
  after(async () => {
    await app?.close()
    await server?.close()
    certificate?.remove()
  })

  const mailTo = ({ port }: StrictMailServer, more: Record<string, string> = {}) => ({
    MARQUEE_SMTP_URL: `smtp://127.0.0.1:${port}`,
    MARQUEE_MAIL_FROM: 'Marquee <reports@acme.example>',
    ...more,
  })
  /** Closed at the end of the test, also of one that fails. */
  const open = async (t: TestContext, options: SMTPServerOptions) => {
    const opened = await openStrictMailServer(options)
    t.after(() => opened.close())
    return opened
  }
  /** The service with other settings, and nothing remembered of any mail server. */
  const restarted = (more: Record<string, string> = {}, to = server): App => ({
    ...app,
    settings: readSettings({ ...place.env, ...mailTo(to, more) }),
  })
  /** One after the other. */
  const send = async (by: App, ...recipients: string[]) => {
    const keys = recipients.map(() => `mail ${++serial}`)
    for (const [index, recipient] of recipients.entries()) {
      const mail = { key: keys[index] ?? '', kind: 'report' as const, account_id: accountId, recipient, payload: {} }
      await by.store.write((tx) => queueMail(tx, by, mail))
      await deliverMail(by, log, compose, new AbortController().signal)
    }
    const mails = await by.store.db.selectFrom('mails').select(['state', 'error']).where('key', 'in', keys).orderBy('id').execute()
    await by.store.write((tx) => tx.deleteFrom('mails').where('key', 'in', keys).execute())
    return mails
  }
  const statesOf = async (by: App, ...recipients: string[]) => (await send(by, ...recipients)).map(({ state }) => state)

  test('has a bare address as the sender of its envelope, and the name in the mail', async () => {
    server.refuses.sender = (address) => (address === 'reports@acme.example' ? null : '501 5.1.7 Bad sender address syntax')
    assert.deepEqual(await send(app, 'dana@else.example'), [{ state: 'sent', error: null }])
    assert.equal(server.senders.at(-1), 'reports@acme.example')
    assert.equal(server.froms.at(-1), 'Acme <reports@acme.example>')
    delete server.refuses.sender
  })

  // biome-ignore format: a table reads by its columns
  const answers: readonly [answer: string, alone: 'failed' | 'queued', whileOthersAreTaken: 'failed' | 'queued'][] = [
    ['550 5.1.1 User unknown',                         'failed', 'failed'],
    ['550 5.1.2 No such domain',                       'failed', 'failed'],
    ['553 5.1.3 Bad address syntax',                   'failed', 'failed'],
    ['551 5.1.6 Moved away',                           'failed', 'failed'],
    ['556 5.1.10 No mail here',                        'failed', 'failed'],
    ['554 5.2.1 Mailbox disabled',                     'failed', 'failed'],
    ['550 No such user',                               'queued', 'failed'],
    ['551 Not here',                                   'queued', 'failed'],
    ['553 Not allowed',                                'queued', 'failed'],
    ['550 5.2.1.7 is listed',                          'queued', 'failed'],
    ['554 Refused',                                    'queued', 'queued'],
    ['550 5.7.1 Relaying denied',                      'queued', 'queued'],
    ['550 5.4.1 Access denied',                        'queued', 'queued'],
    ['550 5.1.8 Bad sender',                           'queued', 'queued'],
    ['550 5.1.11 None of ours',                        'queued', 'queued'],
    ['552 5.2.2 Mailbox full',                         'queued', 'queued'],
    ['552 5.2.1 Mailbox full',                         'queued', 'queued'],
    ['530 5.1.1 Authenticate first',                   'queued', 'queued'],
    ['535 Authenticate first',                         'queued', 'queued'],
    ['450 4.1.1 Greylisted',                           'queued', 'queued'],
  ]

  test('to a recipient whom the server refuses has failed only where its words are of the recipient', async () => {
    for (const [answer, alone, whileOthersAreTaken] of answers) {
      server.refuses.recipient = (address) => (address.startsWith('nobody') ? answer : null)
      assert.deepEqual(await statesOf(restarted(), 'nobody@else.example'), [alone], answer)
      assert.deepEqual(await statesOf(restarted(), 'dana@else.example', 'nobody@else.example'), ['sent', whileOthersAreTaken], answer)
    }
  })

  test('is tried again where the server took the same recipient before, or another one more than an hour ago, or another server did', async (t) => {
    const by = restarted()
    server.refuses.recipient = (address) => (address.startsWith('kim') ? '550 No' : null)
    assert.deepEqual(await statesOf(by, 'rosa@else.example', 'kim@else.example'), ['sent', 'failed'])
    server.refuses.recipient = () => '550 No'
    assert.deepEqual(await statesOf(by, 'rosa@else.example'), ['queued'])
    const wrongRelay = await open(t, {})
    wrongRelay.refuses.recipient = () => '550 No'
    const elsewhere = { ...by, settings: restarted({}, wrongRelay).settings }
    assert.deepEqual(await statesOf(elsewhere, 'kim@else.example', 'dana@else.example'), ['queued', 'queued'])
    minutes = 61
    assert.deepEqual(await statesOf(by, 'kim@else.example'), ['queued'])
    minutes = 0
    delete server.refuses.recipient
  })

  test('to an address that a server calls unknown on two days is handed to it no more, until it is taken off the list', async () => {
    const list = () => listSuppressions(operator, partnerId, undefined)
    const asked: string[] = []
    server.refuses.recipient = (address) => {
      asked.push(address)
      return address.startsWith('gone') ? '550 5.1.1 User unknown' : null
    }
    assert.deepEqual(await statesOf(app, 'gone@else.example', 'gone@else.example'), ['failed', 'failed'])
    assert.deepEqual((await list()).items, [], 'twice on one day may be a mistake of the server')
    minutes = 24 * 60
    await statesOf(app, 'gone@else.example')
    const [entry] = (await list()).items
    assert.deepEqual([entry?.address, entry?.reason], ['g…@else.example', 'refused'])
    assert.match(JSON.stringify(await send(app, 'gone@else.example', 'dana@else.example')), /"failed".*on two days.*"sent"/)
    assert.deepEqual(asked.slice(-2), ['gone@else.example', 'dana@else.example'], 'the server was asked for the last time before')
    await endSuppression(operator, partnerId, entry?.id ?? 0)
    server.refuses.recipient = () => null
    assert.deepEqual(await statesOf(app, 'gone@else.example'), ['sent'])
    minutes = 0
    delete server.refuses.recipient
  })

  test('that a server takes in between makes a refusal count from anew', async () => {
    server.refuses.recipient = () => '550 5.1.1 User unknown'
    await statesOf(app, 'back@else.example')
    delete server.refuses.recipient
    await statesOf(app, 'back@else.example')
    minutes = 24 * 60
    server.refuses.recipient = () => '550 5.1.1 User unknown'
    await statesOf(app, 'back@else.example')
    minutes = 0
    delete server.refuses.recipient
    assert.deepEqual((await listSuppressions(operator, partnerId, undefined)).items, [])
  })

  test('is tried again whatever is said of the sender, the login or the mail itself, in the words of the server', async (t) => {
    const by = restarted()
    assert.deepEqual(await statesOf(by, 'dana@else.example'), ['sent'])
    server.refuses.sender = () => '550 5.1.1 Unknown sender'
    assert.match(JSON.stringify(await send(by, 'kim@else.example')), /"queued".*550 5\.1\.1 Unknown sender/)
    delete server.refuses.sender
    server.refuses.mail = () => '550 5.1.1 Content refused'
    assert.match(JSON.stringify(await send(by, 'kim@else.example')), /"queued".*550 5\.1\.1 Content refused/)
    delete server.refuses.mail
    const strict = await open(t, {
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: (_, __, done) => done(Object.assign(new Error('5.1.1 Wrong password'), { responseCode: 550 })),
    })
    const loggedIn = restarted({ MARQUEE_SMTP_URL: `smtp://dana:hunter2@127.0.0.1:${strict.port}` })
    assert.match(JSON.stringify(await send(loggedIn, 'kim@else.example')), /"queued".*5\.1\.1 Wrong password/)
    await strict.close()
    assert.match(JSON.stringify(await send(loggedIn, 'kim@else.example')), /"queued".*ECONNREFUSED/)
  })

  test('goes through a relay with a self-made certificate where its file is named, or where the operator goes without the check', async (t) => {
    for (const secure of [false, true]) {
      const relay = await open(t, { key: certificate.key, cert: certificate.cert, secure })
      const url = { MARQUEE_SMTP_URL: `${secure ? 'smtps' : 'smtp'}://127.0.0.1:${relay.port}` }
      assert.match(JSON.stringify(await send(restarted(url), 'dana@else.example')), /"queued".*self-signed certificate/)
      assert.deepEqual(await statesOf(restarted({ ...url, MARQUEE_SMTP_CA_FILE: certificate.file }), 'dana@else.example'), ['sent'])
      assert.deepEqual(await statesOf(restarted({ ...url, MARQUEE_SMTP_TLS: 'unverified' }), 'dana@else.example'), ['sent'])
    }
  })
})

describe('the settings of mails and the answers of servers', () => {
  test('the sender is a bare address, or a name and an address', () => {
    for (const good of [
      'a@b.example',
      ' a@b.example ',
      '<a@b.example>',
      'Marquee <a@b.example>',
      '"Acme, Inc." <a@b.example>',
      'Ü <a@bücher.example>',
    ])
      assert.equal(readSettings({ MARQUEE_MAIL_FROM: good }).mailFrom, good)
    for (const bad of [
      'Marquee',
      'a@b@c.example',
      'Marquee a@b.example',
      'Marquee <>',
      'Marquee <a b@c.example>',
      'A <a@b.example> B',
      '"A <a@b.example>',
      'a@b.example, c@d.example',
      'A\r\nBcc: x <a@b.example>',
      'a@b.example\n'.repeat(2),
    ])
      assert.throws(() => readSettings({ MARQUEE_MAIL_FROM: bad }), /^SettingError: MARQUEE_MAIL_FROM must be a mail address such as /, bad)
  })

  test('an answer of several lines, or of a number alone, is understood', () => {
    const said = (response: string) => verdictOn({ command: 'RCPT TO', response })
    assert.equal(said('550-5.1.1 The account does not exist.\n550 5.1.1 Look it up'), 'final')
    assert.equal(said('550-The account\n550 does not exist'), 'final where others are taken')
    assert.equal(said('550'), 'final where others are taken')
  })

  test('the file of authorities must be one', () => {
    for (const bad of ['/nowhere.pem', '/etc/hostname'])
      assert.throws(
        () => readSettings({ MARQUEE_SMTP_CA_FILE: bad }),
        /MARQUEE_SMTP_CA_FILE must be a readable file of certificates in PEM, not "/,
      )
    assert.throws(() => readSettings({ MARQUEE_SMTP_TLS: 'off' }), /MARQUEE_SMTP_TLS must be one of verified, unverified/)
  })
})
