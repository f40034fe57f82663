/** Many mails at once: partners take turns, a person's letter goes first, and a connection that does not speak holds up one mail. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { readSettings } from '../../src/config.ts'
import { deliverMail } from '../../src/jobs/mail.ts'
import { openLog } from '../../src/lib/log.ts'
import { workBudget } from '../../src/lib/work/budget.ts'
import { type App, openApp } from '../../src/model/core/app.ts'
import { queueMail } from '../../src/model/mail/queue.ts'
import { createPartner } from '../../src/model/partners/partners.ts'
import { testClock } from '../support/clock.ts'
import { onEachEngine } from '../support/engines.ts'
import { openSilentMailServer, type SilentMailServer } from '../support/silent-mail-server.ts'
import { openStrictMailServer, type StrictMailServer } from '../support/strict-mail-server.ts'

const log = openLog('silent')
const compose = async () => ({ senderName: 'Acme', subject: 'A report', text: 'All is well.' })
const { places, share } = workBudget.mail

onEachEngine('many mails', (place) => {
  const clock = testClock()
  let server: StrictMailServer
  let line: SilentMailServer
  let app: App
  let acme: number
  let globex: number
  before(async () => {
    server = await openStrictMailServer()
    app = await openApp(readSettings(place.env), { clock })
    const operator = { kind: 'operator', app, requestId: 'test' } as const
    acme = (await createPartner(operator, 'Acme')).account.id
    globex = (await createPartner(operator, 'Globex')).account.id
  })
  beforeEach(async (t) => {
    line = await openSilentMailServer(server.port)
    server.recipients.length = 0
    await app.store.write((tx) => tx.deleteFrom('mails').execute())
    if ('after' in t) t.after(() => line.close())
  })
  after(async () => {
    await app?.close()
    await server?.close()
  })

  /** One of the processes that send. */
  const process = (port = line.port): App => ({
    ...app,
    settings: readSettings({ ...place.env, MARQUEE_SMTP_URL: `smtp://127.0.0.1:${port}`, MARQUEE_MAIL_FROM: 'reports@acme.example' }),
  })
  const deliver = (by = process()) => deliverMail(by, log, compose, new AbortController().signal)
  const queue = (accountId: number, kind: 'report' | 'confirmation', name: string, count = 1) =>
    app.store.write(async (tx) => {
      for (let n = 0; n < count; n++) {
        const recipient = `${name}-${n}@readers.example`
        await queueMail(tx, app, { key: recipient, kind, account_id: accountId, recipient, payload: {} })
      }
    })
  const statesOf = async () => {
    const mails = await app.store.db.selectFrom('mails').select('state').execute()
    return Object.fromEntries(
      Map.groupBy(mails, ({ state }) => state)
        .entries()
        .map(([state, list]) => [state, list.length]),
    )
  }
  const until = async (isSo: () => boolean | Promise<boolean>) => {
    while (!(await isSo())) await pause(20)
  }

  test("acme's 80 reports do not make the reports of globex wait, nor a confirmation that was queued last", async () => {
    await queue(acme, 'report', 'acme', 80)
    await queue(globex, 'report', 'globex', 5)
    await queue(acme, 'confirmation', 'asked')
    await deliver()
    const order = server.recipients.map((recipient) => recipient.split('-')[0])
    assert.equal(order.length, 86)
    assert.equal(new Set(server.recipients).size, 86)
    assert.ok(order.indexOf('asked') < places, `the confirmation was number ${order.indexOf('asked') + 1}`)
    assert.ok(order.lastIndexOf('globex') <= 5 * 2 + places, `the last report of globex was number ${order.lastIndexOf('globex') + 1}`)
    assert.deepEqual(await statesOf(), { sent: 86 })
    assert.ok(line.counts.most <= places && line.counts.most > 1, `${line.counts.most} connections at the same time`)
    assert.ok(line.counts.all <= 2 * places, `${line.counts.all} connections for 86 mails`)
  })

  test('a mail server that accepts and never speaks holds up what is on that connection, and nothing else', async () => {
    await queue(acme, 'report', 'acme', 20)
    await queue(globex, 'report', 'globex', 20)
    line.holdNext(places - 1)
    const delivered = deliver()
    await until(() => server.recipients.length === 0 && line.counts.all >= places - 1)
    await queue(acme, 'confirmation', 'asked')
    await queue(globex, 'confirmation', 'asked-too')
    await until(() => server.recipients.length >= 1)
    assert.match(server.recipients[0] ?? '', /^asked/)
    await until(() => line.closeHeld() > 0)
    await delivered
    assert.deepEqual(await statesOf(), { sent: 42 })
    clock.pass(60)
    await deliver()
    assert.deepEqual(await statesOf(), { sent: 42 })
    assert.equal(new Set(server.recipients).size, 42)
    assert.equal(server.recipients.length, 42)
  })

  test('one partner holds its share of the connections, and another partner takes the rest', async () => {
    await queue(acme, 'report', 'acme', 20)
    line.holdNext(share)
    const delivered = deliver()
    await until(() => line.counts.all === share)
    await queue(globex, 'report', 'globex', 20)
    await until(() => server.recipients.length === 20)
    assert.ok(server.recipients.every((recipient) => recipient.startsWith('globex')))
    line.closeHeld()
    await delivered
    assert.deepEqual(await statesOf(), { sent: 40 })
  })

  test('what cannot come to a mail server waits for as long as it takes', async () => {
    await queue(acme, 'report', 'acme', 3)
    await line.close()
    for (let tries = 0; tries < 10; tries++) {
      await deliver(process(1))
      clock.pass(9 * 3600)
    }
    assert.deepEqual(await statesOf(), { queued: 3 })
    line = await openSilentMailServer(server.port)
    await deliver()
    assert.deepEqual(await statesOf(), { sent: 3 })
  })

  test('a mail is not sent again when the mail server went away with the whole of it', async (t) => {
    let wholes = 0
    const dying = createServer((client) => {
      client.on('error', () => {})
      client.write('220 here\r\n')
      let text = ''
      client.on('data', (chunk) => {
        text += chunk
        if (text.includes('\r\n.\r\n')) {
          wholes++
          client.destroy()
        } else client.write(/DATA\r\n$/.test(text) ? '354 go on\r\n' : /DATA\r\n/.test(text) ? '' : '250 fine\r\n')
      })
    }).listen(0, '127.0.0.1')
    t.after(() => dying.close())
    await once(dying, 'listening')
    await queue(acme, 'report', 'acme', 3)
    for (let tries = 0; tries < 3; tries++) {
      await deliver(process((dying.address() as AddressInfo).port))
      clock.pass(9 * 3600)
    }
    assert.equal(wholes, 3)
    assert.deepEqual(await statesOf(), { uncertain: 3 })
  })

  test('several processes send each mail once', async () => {
    await queue(acme, 'report', 'acme', 30)
    await queue(globex, 'report', 'globex', 30)
    await Promise.all([deliver(), deliver(), deliver()])
    assert.equal(server.recipients.length, 60)
    assert.equal(new Set(server.recipients).size, 60)
    assert.deepEqual(await statesOf(), { sent: 60 })
  })
})
