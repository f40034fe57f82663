/** The reference at a partner's host is in the partner's name and colour, and says nothing of ours. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { docsPages } from '../../../src/api/reference/documentation/docs-pages.ts'
import { setBrand } from '../../../src/model/partners/brand-changes.ts'
import { freshPlace, type Place } from '../../support/engines.ts'
import { serviceOn } from '../../support/service.ts'

/** What a program or the operator must write, whoever offers the service. */
const allowed =
  /marquee\/client|marquee-client|MARQUEE_\w+|marquee_\w+|\{ Marquee \}|new Marquee\(|MarqueeError|realm=\\?(?:"|&quot;)Marquee/g

describe('the reference at a partner’s host', () => {
  const place = {} as Place
  before(async () => {
    Object.assign(place, await freshPlace('sqlite'))
  })
  const house = serviceOn(place)
  after(() => place.remove())
  const headers = { host: 'reports.acme.example' }

  before(async () => {
    const acme = await house.partner('Acme & Sons')
    await setBrand(house.operator, acme.id, { hostName: 'reports.acme.example', accent: '#0a7d5b' })
  })

  test('names the partner on every page, and nobody else', async () => {
    for (const path of [...Object.keys(docsPages()), '/docs/search.json', '/openapi.json', '/openapi-xml.json', '/llms.txt']) {
      const { status, text } = await house.stranger.get(path, { headers })
      assert.equal(status, 200, path)
      assert.doesNotMatch(text.replace(allowed, ''), /.{0,40}marquee.{0,40}/i, path)
    }
    const { text } = await house.stranger.get('/docs', { headers })
    assert.match(text, /<title>Overview · Acme &amp; Sons API<\/title>/)
    assert.match(text, /href="\/assets\/accent-0a7d5b\.css"/)
    assert.equal((await house.stranger.get('/assets/accent-0a7d5b.css', { headers })).status, 200)
    const { info } = (await house.stranger.get('/openapi.json', { headers })).json() as { info: { title: string } }
    assert.equal(info.title, 'Acme & Sons')
  })

  test('is ours at our own address', async () => {
    assert.match((await house.stranger.get('/docs', { headers: { host: 'marquee.test' } })).text, /Overview · Marquee API/)
  })
})
