import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { SMTPServer } from 'smtp-server'
import { testBrowser } from '../support/browser.ts'
import { freshPlace, type Place } from '../support/engines.ts'
import { eventually } from '../support/eventually.ts'
import { makePeople, type PeopleWorld } from '../support/people.ts'
import { startTestService, type TestService } from '../support/service.ts'

interface Letter {
  readonly from: string
  readonly to: string
  readonly text: string
}

describe('a forgotten password, with a mail server', () => {
  const browser = testBrowser()
  const letters: Letter[] = []
  let post: SMTPServer
  let place: Place
  let service: TestService
  let world: PeopleWorld
  before(async () => {
    post = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      onData(stream, session, done) {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('end', () => {
          const { mailFrom, rcptTo } = session.envelope
          letters.push({
            from: mailFrom ? mailFrom.address : '',
            to: rcptTo.map(({ address }) => address).join(),
            text: readable(Buffer.concat(chunks).toString()),
          })
          done()
        })
      },
    })
    await new Promise<void>((listening) => post.listen(0, '127.0.0.1', listening))
    const { port } = post.server.address() as AddressInfo
    place = await freshPlace('sqlite')
    service = await startTestService(place, { MARQUEE_SMTP_URL: `smtp://127.0.0.1:${port}`, MARQUEE_MAIL_FROM: 'marquee@service.example' })
    world = await makePeople(service.operator)
  })
  after(async () => {
    await new Promise<void>((closed) => post.close(closed))
    await service?.stop()
    await place?.remove()
  })

  const askFor = async (name: string) => {
    const { page, close } = await browser.look(service.url)
    await page.goto(`${service.url}/forgot`)
    await page.getByLabel('Login or email').fill(name)
    await page.getByRole('button', { name: 'Mail me a link' }).click()
    const said = await page.getByRole('status').innerText()
    await close()
    return said
  }
  const letter = async (number: number) => {
    await eventually(() => letters.length >= number)
    return letters[number - 1]
  }

  test('dana gets a letter with a link that lets her in and set a password', async () => {
    await askFor('dana-owner')
    const received = await letter(1)
    assert.deepEqual([received?.from, received?.to], ['marquee@service.example', 'dana-owner@people.example'])
    const path = /http:\/\/marquee\.test(\/login-link\/[\w-]{43})\n/.exec(received?.text ?? '')?.[1] ?? assert.fail(received?.text)
    const { page, close } = await browser.look(service.url)
    await page.goto(service.url + path)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('heading', { name: 'Set your password' }).waitFor()
    assert.match(await page.locator('form').first().innerHTML(), /dana-owner/)
    await close()
    assert.ok(world.users['dana-owner'] > 0)
  })

  test('the page says the same for a stranger, to whom nothing is sent', async () => {
    const known = await askFor('kim-one-site')
    assert.ok(await letter(2))
    assert.equal(await askFor('nobody-at-all'), known)
    await new Promise((passed) => setTimeout(passed, 300))
    assert.equal(letters.length, 2)
  })

  test('a mailbox is not flooded', async () => {
    for (let round = 0; round < 6; round++) await askFor('rosa-account')
    await new Promise((passed) => setTimeout(passed, 500))
    assert.equal(letters.filter(({ to }) => to.startsWith('rosa')).length, 3)
  })
})

/** Soft line ends and escapes of the letter's encoding, undone. */
function readable(letter: string): string {
  return letter.replaceAll('\r\n', '\n').replaceAll('=\n', '').replaceAll('=3D', '=')
}
