/** Share links within pages of the partner: only of hosts that are named and proved, and nothing but what the link opens. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { request as ask } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { type Browser, chromium } from 'playwright-core'
import type { StaffCaller } from '../../src/model/core/caller.ts'
import { lookAtDueHosts } from '../../src/model/partners/hosts/looks.ts'
import { listNamedHosts, nameFramesHost } from '../../src/model/partners/hosts/named-hosts.ts'
import { createShareLink } from '../../src/model/people/share-links.ts'
import { agencyOn } from '../support/agency.ts'
import { logIn } from '../support/browser.ts'
import { makeCertificate } from '../support/certificate.ts'
import { dnsServer } from '../support/dns-server.ts'
import { onEngine, onPageEngine } from '../support/engines.ts'
import type { PlainBrowser } from '../support/plain-browser.ts'
import { PlainBrowser as Stranger } from '../support/plain-browser.ts'

const path = '/desk/brand/address'
const env: Record<string, string> = { BASE_URL: 'https://reports.marquee.example', MARQUEE_TRUSTED_PROXIES: '127.0.0.1' }
const dns = dnsServer(env)
const inFrame = { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'cross-site' }
const overTls = { host: 'reports.marquee.example', 'x-forwarded-proto': 'https' }

function framing({ service, agency }: ReturnType<typeof agencyOn>) {
  const staff = (): StaffCaller => ({
    kind: 'staff',
    app: service.app,
    requestId: randomUUID(),
    partnerId: agency.world.partnerId,
    accountId: agency.home,
    userId: agency.staff.ada,
    role: 'admin',
    customers: 'all',
  })
  return {
    name: (origin: string) => nameFramesHost(staff(), origin),
    async prove(host: string): Promise<void> {
      const named = (await listNamedHosts(staff())).find(({ host_name }) => host_name === host)
      dns.records.set(named?.record.name ?? '', [named?.record.value ?? ''])
      await service.app.store.write((tx) => tx.updateTable('named_hosts').set({ look_at: '2020-01-01T00:00:00Z' }).execute())
      await lookAtDueHosts(service.app)
    },
    share: async (site: number, password: string | null = null) =>
      `/share/${(await createShareLink(service.operator, site, { label: '', days: 30, password })).token}`,
  }
}

onPageEngine('share links in frames', (place) => {
  const agent = agencyOn(place, env)
  const { service, agency, at, send } = agent
  const { prove, share } = framing(agent)
  let ada: PlainBrowser
  before(async () => {
    dns.records.clear()
    ada = await at('ada-desk')
  })
  const guest = () => new Stranger(service.stranger, { ...overTls, ...inFrame })
  const policyOf = async (link: string, headers = inFrame) => {
    const stranger = new Stranger(service.stranger, { ...overTls, ...headers })
    const opened = await stranger.get(link)
    const shown = await stranger.get(opened.headers.location ?? '/login')
    return { opened, shown, ancestors: /frame-ancestors ([^;]*)$/.exec(String(shown.headers['content-security-policy']))?.[1] }
  }

  test('are shown nowhere before somebody names an address and proves it', async () => {
    const link = await share(agency.world.chicago)
    assert.equal((await policyOf(link)).ancestors, "'none'")
    for (const wrong of [
      'http://www.quay.example',
      'https://www.quay.example:8443',
      'https://www.quay.example/x',
      'https://*.quay.example',
      'https://a.example;script-src',
      '',
    ])
      assert.equal((await send(ada, path, { origin: wrong, do: 'frame' })).status, 422, wrong)
    await send(ada, path, { origin: 'https://www.quay.example/', do: 'frame' })
    assert.match((await ada.get(path)).text, /_marquee\.<wbr>www\.<wbr>quay\.<wbr>example/)
    assert.equal((await policyOf(link)).ancestors, "'none'")
    await prove('www.quay.example')
    const { opened, shown, ancestors } = await policyOf(link)
    assert.equal(ancestors, 'https://www.quay.example')
    assert.equal(shown.status, 200)
    assert.equal(shown.headers['x-frame-options'], undefined)
    const lines = (opened.headers['set-cookie'] ?? []).filter((line) => /embedded|share/.test(line))
    assert.deepEqual(
      lines.map((line) => line.replace(/=[^;]*/, '=x')),
      ['__Host-embedded=x; Path=/; Secure; HttpOnly; SameSite=None; Partitioned'],
    )
  })

  test('are all that is shown there: no other page, no password, nobody’s login', async () => {
    const link = await share(agency.world.chicago)
    const stranger = guest()
    await stranger.get(link)
    for (const other of ['/login', '/', `/sites/${agency.world.evanston}/search`, `/sites/${agency.world.chicago}/share`, '/desk']) {
      const answer = await stranger.get(other)
      assert.match(String(answer.headers['content-security-policy']), /frame-ancestors 'none'$/, other)
      assert.equal(answer.headers['x-frame-options'], 'DENY', other)
    }
    const csv = await stranger.get(`/sites/${agency.world.chicago}/search.csv?table=keywords`)
    assert.equal(csv.status, 200)
    const withPassword = await stranger.get(await share(agency.world.chicago, 'a long one'))
    assert.match(String(withPassword.headers['content-security-policy']), /frame-ancestors 'none'$/)
    stranger.cookies.set('__Host-session', ada.cookies.get('__Host-session') ?? ada.cookies.get('session') ?? '')
    const both = await stranger.get(`/sites/${agency.world.chicago}/search`)
    assert.doesNotMatch(both.text, /Log out|ada-desk/)
    const alone = new Stranger(service.stranger, overTls)
    for (const [name, value] of stranger.cookies) alone.cookies.set(name, value)
    assert.match((await alone.get(`/sites/${agency.world.chicago}/search`)).text, /Log out/, 'outside of frames a login counts')
  })

  test('are as they were where they are opened by themselves', async () => {
    const { opened, shown, ancestors } = await policyOf(await share(agency.world.chicago), {
      'sec-fetch-dest': 'document',
      'sec-fetch-site': 'cross-site',
    })
    assert.equal(ancestors, "'none'")
    assert.equal(shown.headers['x-frame-options'], 'DENY')
    assert.ok(
      (opened.headers['set-cookie'] ?? []).some((line) => /^__Host-share=[^;]+; Path=\/; Secure; HttpOnly; SameSite=Lax$/.test(line)),
    )
  })

  test('are covered by the proof of what lies above, and for 14 days by one that went missing', async () => {
    const link = await share(agency.world.chicago)
    await send(ada, path, { origin: 'https://quay.example', do: 'frame' })
    await send(ada, path, { origin: 'https://blog.quay.example', do: 'frame' })
    await prove('quay.example')
    assert.match((await ada.get(path)).text, /Covered by the proof of quay\./)
    const all = ['blog.quay.example', 'quay.example', 'www.quay.example'].map((host) => `https://${host}`).join(' ')
    assert.equal((await policyOf(link)).ancestors, all)
    const missing = (missing_since: string) =>
      service.app.store.write((tx) => tx.updateTable('named_hosts').set({ missing_since }).execute())
    await missing(service.app.clock.now())
    assert.equal((await policyOf(link)).ancestors, all)
    await missing('2020-01-01T00:00:00Z')
    assert.equal((await policyOf(link)).ancestors, "'none'")
    assert.equal((await policyOf(await share(agency.world.globexSite))).ancestors, "'none'", 'another partner has named none')
  })
})

onEngine('sqlite', 'share links in frames of a real browser', (place) => {
  const agent = agencyOn(place, env)
  const { service, agency } = agent
  const { name, prove, share } = framing(agent)
  const certificate = makeCertificate()
  let link = ''
  const server = createServer({ key: certificate.key, cert: certificate.cert }, (request, response) => {
    if (request.headers.host !== 'reports.marquee.example') {
      const framed = new URL(request.url ?? '/', 'https://x').searchParams.get('show') ?? link
      response.setHeader('content-type', 'text/html')
      response.end(
        `<!doctype html><title>Quay</title><iframe src="https://reports.marquee.example${framed}" width="1200" height="800"></iframe>`,
      )
      return
    }
    const { port, hostname } = new URL(service.url)
    const headers = { ...request.headers, 'x-forwarded-proto': 'https' }
    const passed = ask({ hostname, port, method: request.method, path: request.url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    request.pipe(passed)
  })
  let browser: Browser
  before(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const args = [
      '--no-sandbox',
      '--disable-gpu',
      '--ignore-certificate-errors',
      `--host-resolver-rules=MAP *.example:443 127.0.0.1:${port}`,
    ]
    browser = await chromium.launch({ executablePath: process.env.TEST_CHROMIUM ?? '/usr/bin/chromium', args })
    dns.records.clear()
    await name('https://www.quay.example')
    await prove('www.quay.example')
    link = await share(agency.world.chicago)
  })
  after(async () => {
    await browser?.close()
    server.close()
    certificate.remove()
  })

  for (const hasScript of [true, false])
    test(`are shown by the page that was named, its links work, and no other page shows them, ${hasScript ? 'with' : 'without'} script`, async () => {
      const context = await browser.newContext({ ignoreHTTPSErrors: true, javaScriptEnabled: hasScript })
      const page = await context.newPage()
      await page.goto('https://www.quay.example/')
      const frame = page.frameLocator('iframe')
      await frame.getByRole('heading', { name: 'chicago.harbor.example' }).first().waitFor()
      await frame.getByRole('link', { name: 'Reputation' }).first().click()
      await frame.getByText('Reviews').first().waitFor()
      const inner = page.frames()[1]
      assert.match(inner?.url() ?? '', /\/sites\/\d+\/reputation/)
      const [cookie] = (await context.cookies('https://reports.marquee.example')).filter(({ name }) => name === '__Host-embedded')
      assert.deepEqual([cookie?.sameSite, cookie?.secure, cookie?.httpOnly], ['None', true, true])
      assert.match(String((cookie as { partitionKey?: unknown } | undefined)?.partitionKey), /quay\.example/)
      for (const elsewhere of ['https://www.other.example/', 'https://www.quay.example/?show=/login']) {
        await page.goto(elsewhere)
        await page.waitForTimeout(300)
        assert.match(page.frames()[1]?.url() ?? '', /^chrome-error:/, elsewhere)
      }
      await context.close()
    })

  test('show what the link opens to somebody who is logged in beside it', async () => {
    const context = await browser.newContext({ ignoreHTTPSErrors: true })
    const page = await context.newPage()
    await logIn(page, 'https://reports.marquee.example', 'dana-owner')
    await page.goto('https://www.quay.example/')
    const frame = page.frameLocator('iframe')
    await frame.getByRole('heading', { name: 'chicago.harbor.example' }).first().waitFor()
    assert.equal(await frame.getByText('Log out').count(), 0)
    await page.goto('https://reports.marquee.example/me')
    assert.match(page.url(), /\/me$/)
    await context.close()
  })
})
