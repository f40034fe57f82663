/** Who asks for a link learns nothing of who exists, and nobody can ask for ever. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onPageEngine } from '../support/engines.ts'
import { eventually } from '../support/eventually.ts'
import { makePeople } from '../support/people.ts'
import { type Reply, serviceOn } from '../support/service.ts'

const env = {
  MARQUEE_SMTP_URL: 'smtp://127.0.0.1:9',
  MARQUEE_MAIL_FROM: 'marquee@service.example',
  MARQUEE_TRUSTED_PROXIES: '127.0.0.0/8',
  LOG_LEVEL: 'silent',
}

onPageEngine('a forgotten password', (place) => {
  const service = serviceOn(place, env)
  const links = () => service.app.store.db.selectFrom('login_links').select('user_id').execute()

  async function ask(name: string, address: string): Promise<Reply> {
    const headers = { accept: 'text/html', 'x-forwarded-for': address, 'x-forwarded-proto': 'https', host: 'marquee.test' }
    const page = await service.stranger.get('/forgot', { headers })
    const form_token = /name="form_token" value="([\w-]+)"/.exec(page.text)?.[1] ?? ''
    const cookie = (page.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ')
    const body = new URLSearchParams({ form_token, name }).toString()
    const own = { ...headers, cookie, 'sec-fetch-site': 'same-origin' }
    return service.stranger.ask('POST', '/forgot', { body, type: 'application/x-www-form-urlencoded', headers: own })
  }
  const wordsOf = ({ text }: Reply) => text.replace(/[\w-]{86}/g, 'token')

  test('dana and a stranger get the same words before anything is looked up, and only for dana is a link made', async () => {
    await makePeople(service.operator)
    const dana = await ask('dana-owner', '10.0.0.1')
    assert.deepEqual(await links(), [])
    const stranger = await ask('nobody-at-all', '10.0.0.1')
    assert.deepEqual([dana.status, wordsOf(dana)], [stranger.status, wordsOf(stranger)])
    await eventually(async () => (await links()).length > 0)
    assert.equal((await links()).length, 1)
  })

  test('a name is asked for ten times in a quarter of an hour, known or not, and an address asks thirty times', async () => {
    for (const name of ['kim-one-site', 'nobody-else']) {
      const statuses: number[] = []
      for (let index = 0; index < 11; index += 1) statuses.push((await ask(name, `10.0.${index}.${name.length}`)).status)
      assert.deepEqual(statuses, [...Array.from({ length: 10 }, () => 200), 429])
    }
    const crowd: Reply[] = []
    for (let index = 0; index < 31; index += 1) crowd.push(await ask(`name-${index}`, '10.9.9.9'))
    assert.deepEqual([crowd.filter(({ status }) => status === 200).length, crowd.at(-1)?.status], [30, 429])
    assert.match(crowd.at(-1)?.headers['retry-after'] ?? '', /^\d+$/)
  })
})
