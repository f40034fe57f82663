/** The person of a new customer is invited by mail, from the form and from a table alike, and once. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { agencyOn } from '../../support/agency.ts'
import { onPageEngine } from '../../support/engines.ts'
import { eventually } from '../../support/eventually.ts'
import { type Mailbox, openMailbox, type ReceivedMail } from '../../support/mailbox.ts'
import { PlainBrowser } from '../../support/plain-browser.ts'

onPageEngine('the person of a new customer', (place) => {
  let mailbox: Mailbox
  const env: Record<string, string> = { MARQUEE_MAIL_FROM: 'desk@service.example' }
  before(async () => {
    mailbox = await openMailbox()
    env['MARQUEE_SMTP_URL'] = mailbox.url
  })
  after(() => mailbox?.close())
  const { service, at, send } = agencyOn(place, env)
  const mailsTo = async (address: string): Promise<ReceivedMail[]> => {
    const got: ReceivedMail[] = []
    await eventually(() => {
      got.push(...mailbox.take(address))
      return got.length > 0
    })
    return [...got, ...mailbox.take(address)]
  }
  const queued = async () => {
    const mails = service.app.store.db.selectFrom('mails').select('recipient').where('kind', '=', 'invitation')
    return (await mails.orderBy('id').execute()).map(({ recipient }) => recipient)
  }

  test('from the form: gets a link, no password, and sees the customer', async () => {
    const browser = await at('ben-desk')
    const { headers } = await send(browser, '/desk/add', {
      name: 'Sunrise',
      domain: 'sunrise.example',
      email: 'Sue@sunrise.example',
      contact: 'Sue',
    })
    assert.match(headers.location ?? '', /done=added/)
    const [mail, ...more] = await mailsTo('sue@sunrise.example')
    assert.ok(mail)
    assert.equal(more.length, 0)
    assert.match(mail.text, /Sunrise.*You log in as Sue@sunrise\.example/)
    const path = /http:\/\/[^/]+(\/login-link\/\S+)/.exec(mail.text)?.[1] ?? assert.fail(mail.text)
    const client = new PlainBrowser(service.stranger)
    const entered = await client.post(path, { form_token: await client.token(path) })
    assert.equal(entered.headers.location, '/password')
    assert.match((await browser.get((headers.location ?? '').split('?')[0] ?? '')).text, /Sue/)
  })

  test('from a table: nobody is mailed by a look, and everybody once by the making', async () => {
    const browser = await at('ben-desk')
    const before = await queued()
    const table = 'customer,domain,email\nA,a.example,a@clients.example\nB,b.example,b@clients.example\nC,c.example,'
    const look = await send(browser, '/desk/add/table', { table, do: 'look' })
    assert.deepEqual(await queued(), before)
    const [heads = '', seen = ''] = ['heads', 'seen'].map((name) => new RegExp(`name="${name}" value="([^"]+)"`).exec(look.text)?.[1])
    const columns = { 'column-0': 'name', 'column-1': 'domain', 'column-2': 'email' }
    const fields = { table, do: 'make', heads, seen, ...columns }
    assert.equal((await send(browser, '/desk/add/table', fields)).headers.location, '/desk?added=3')
    for (const address of ['a@clients.example', 'b@clients.example']) assert.equal((await mailsTo(address)).length, 1)
    await send(browser, '/desk/add/table', fields)
    assert.deepEqual(await queued(), [...before, 'a@clients.example', 'b@clients.example'])
  })
})
