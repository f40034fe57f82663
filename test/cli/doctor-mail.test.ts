/** The doctor tries the mail server with the sender that the mails have, and tells the server's own words. Nobody gets a mail. */
import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import type { SMTPServerOptions } from 'smtp-server'
import { mailSettings, tryMail } from '../../src/cli/doctor/mail.ts'
import { readSettings } from '../../src/config.ts'
import { type Certificate, makeCertificate } from '../support/certificate.ts'
import { openStrictMailServer, type StrictMailServer } from '../support/strict-mail-server.ts'

const sender = { MARQUEE_MAIL_FROM: 'Marquee <reports@acme.example>' }
const examine = async (env: Record<string, string>) => tryMail(readSettings({ ...sender, ...env }))
const told = async (env: Record<string, string>) =>
  (await examine(env)).map(({ complaint, cause, cure }) => `${complaint} ${cause} ${cure}`).join()
/** Closed at the end of the test, also of one that fails. */
const open = async (t: TestContext, options: SMTPServerOptions = {}) => {
  const server = await openStrictMailServer(options)
  t.after(() => server.close())
  return server
}
const at = ({ port }: StrictMailServer, scheme = 'smtp://127.0.0.1') => ({ MARQUEE_SMTP_URL: `${scheme}:${port}` })

describe('the doctor of mails', () => {
  let certificate: Certificate
  let other: Certificate
  before(() => {
    certificate = makeCertificate()
    other = makeCertificate('mail.acme.example')
  })
  after(() => {
    certificate?.remove()
    other?.remove()
  })
  const tls = ({ key, cert }: Certificate) => ({ key, cert })

  test('names the bare address as the sender, and takes the mail back', async (t) => {
    const server = await open(t)
    const [found] = await examine(at(server))
    assert.deepEqual(found, { name: 'mail server', value: 'takes mails from Marquee <reports@acme.example>' })
    assert.deepEqual([server.senders, server.recipients], [['reports@acme.example'], []])
    server.refuses.sender = () => '553 5.1.8 You may not be reports@acme.example'
    assert.match(
      await told(at(server)),
      /refuses the sender Marquee <reports@acme\.example>: 553 5\.1\.8 You may not be reports@acme\.example\. .*Set MARQUEE_MAIL_FROM to an address that it takes/,
    )
  })

  test('tells a refused login from a refused sender', async (t) => {
    const server = await open(t, {
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ password }, _, done) =>
        password === 'right' ? done(null, { user: 'dana' }) : done(Object.assign(new Error('5.7.8 Wrong password'), { responseCode: 535 })),
    })
    assert.match(await told(at(server, 'smtp://dana:wrong@127.0.0.1')), /refuses the login: .*535 5\.7\.8 Wrong password\. .*%40/)
    assert.doesNotMatch(await told(at(server, 'smtp://dana:wrong@127.0.0.1')), /dana:|: wrong/)
    assert.equal((await examine(at(server, 'smtp://dana:right@127.0.0.1')))[0]?.complaint, undefined)
    assert.match(await told(at(server)), /refuses the sender .*: 530 /)
  })

  test('tells a certificate that is not trusted from a host that does not answer, in the words of TLS', async (t) => {
    for (const scheme of ['smtp', 'smtps']) {
      const server = await open(t, { ...tls(certificate), secure: scheme === 'smtps' })
      const here = at(server, `${scheme}://127.0.0.1`)
      assert.match(
        await told(here),
        /certificate of the mail server is not trusted: .*self-signed certificate.*MARQUEE_SMTP_CA_FILE.*MARQUEE_SMTP_TLS=unverified/,
      )
      assert.equal((await examine({ ...here, MARQUEE_SMTP_CA_FILE: certificate.file }))[0]?.complaint, undefined)
      assert.equal((await examine({ ...here, MARQUEE_SMTP_TLS: 'unverified' }))[0]?.complaint, undefined)
      const foreign = await open(t, { ...tls(other), secure: scheme === 'smtps' })
      const there = { ...at(foreign, `${scheme}://localhost`), MARQUEE_SMTP_CA_FILE: other.file }
      assert.match(
        await told(there),
        /not trusted: .*does not match certificate's altnames.* Name the server in MARQUEE_SMTP_URL as its certificate does/,
      )
      await foreign.close()
      assert.match(await told(there), /The mail server cannot be used: .*ECONNREFUSED.*Check its host and port, and the firewall/)
    }
  })

  test('tells a server that speaks no TLS from the start, and leaves out the advice of Node', async (t) => {
    const server = await open(t)
    assert.match(await told(at(server, 'smtps://127.0.0.1')), /does not speak TLS from the start: .* Write smtp:\/\//)
    const secured = await open(t, tls(certificate))
    assert.doesNotMatch(await told(at(secured)), /--use-system-ca/)
  })

  test('shows that certificates are not checked', () => {
    const settings = readSettings({ ...sender, MARQUEE_SMTP_URL: 'smtp://127.0.0.1:1', MARQUEE_SMTP_TLS: 'unverified' })
    assert.match(mailSettings(settings).value, /whose certificate is not checked/)
  })
})
