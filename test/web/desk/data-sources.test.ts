/** Sites that are measured by themselves: one press at the desk, and the running service shows what it has found. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { agencyOn } from '../../support/agency.ts'
import { onPageEngine } from '../../support/engines.ts'
import { eventually } from '../../support/eventually.ts'
import type { PlainBrowser } from '../../support/plain-browser.ts'
import { siteServers } from '../../support/site-servers.ts'

const path = '/desk/sources'
const env: Record<string, string> = { MARQUEE_ALLOWED_NETWORKS: '127.0.0.1', MARQUEE_RDAP_URL: 'http://127.0.0.1:1' }
const domain = 'chicago.harbor.example'
const servers = siteServers()
before(() => {
  servers.pages.set('127.0.0.1', { '/': 'hello', '/sitemap.xml': '<urlset><url><loc>/a</loc></url></urlset>' })
  env['MARQUEE_SITE_PLACES'] = `${domain}=http://127.0.0.1:${servers.port}`
})

onPageEngine('sources at the desk', (place) => {
  const { service, at, send } = agencyOn(place, env)
  let ada: PlainBrowser
  let ben: PlainBrowser

  before(async () => {
    ada = await at('ada-desk')
    ben = await at('ben-desk')
  })

  const sourceId = async () => String((await service.app.store.db.selectFrom('data_sources').select('id').executeTakeFirst())?.id)

  test('an admin presses once, and sees the first figure of a site', async () => {
    assert.match((await ada.get(path)).text, /Check these sites/)
    assert.equal((await send(ada, path, { do: 'add', customer: '', rhythm: 'daily' })).headers.location, `${path}?done=added`)
    const page = `${path}?source=${await sourceId()}`
    await eventually(async () => /home page in [\d.,]+ s, status 200, 1 addresses? in sitemaps/.test((await ada.get(page)).text))
    const { text } = await ada.get(page)
    assert.match(text, /It measures \d+ sites every day\./)
    assert.match(text, /<a href="\/desk\/data\/\d+">/)
    assert.match(text, /No registry says how old the domain is\./)
    assert.match((await ada.get('/desk/data')).text, /Check of <wbr>?chicago|Check of chicago/)
  })

  test('a second one of its kind is refused, and nobody of that name has sites', async () => {
    assert.match((await send(ada, path, { do: 'add', customer: '', rhythm: 'daily' })).text, /There is a source of this kind already/)
    assert.equal((await send(ada, path, { do: 'add', customer: 'Nobody', rhythm: 'daily' })).status, 422)
  })

  test('a member looks, and lets it run; only admins change it', async () => {
    const { text } = await ben.get(path)
    assert.match(text, /Measure now/)
    assert.doesNotMatch(text, /Check these sites|Put to rest/)
    const source = await sourceId()
    assert.equal((await send(ben, path, { do: 'run', source })).headers.location, `${path}?done=run`)
    for (const act of ['rest', 'remove', 'add']) assert.equal((await send(ben, path, { do: act, source })).status, 422, act)
    assert.equal((await send(ada, path, { do: 'rest', source: '999999' })).status, 404)
  })

  test('it rests, starts again and goes', async () => {
    const source = await sourceId()
    await send(ada, path, { do: 'rest', source })
    assert.match((await ada.get(path)).text, /It rests\. It was put to rest\./)
    assert.match((await send(ada, path, { do: 'run', source })).text, /The source rests/)
    await send(ada, path, { do: 'start', source })
    assert.match((await ada.get(path)).text, /Put to rest/)
    await send(ada, path, { do: 'remove', source })
    assert.doesNotMatch((await ada.get(path)).text, /Put to rest/)
  })
})
