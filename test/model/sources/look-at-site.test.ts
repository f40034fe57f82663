/** What is measured of a site, and what sites do to whoever measures them. */
import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { OutgoingRules } from '../../../src/lib/network/outgoing.ts'
import { lookAtSite, type SiteLook } from '../../../src/model/sources/site/look-at-site.ts'
import { readRobots, robotsWithoutFile } from '../../../src/model/sources/site/robots.ts'
import { isOfSite } from '../../../src/model/sources/site/site-visit.ts'
import { SitemapCounter } from '../../../src/model/sources/site/sitemap-counter.ts'
import { dnsServer } from '../../support/dns-server.ts'
import { siteServers } from '../../support/site-servers.ts'

describe('robots.txt', () => {
  // biome-ignore format: a table reads by its columns
  const cases: readonly (readonly [text: string, path: string, isAllowed: boolean])[] = [
    ['',                                                                       '/',          true],
    ['User-agent: *\nDisallow: /',                                             '/',          false],
    ['User-agent: *\nDisallow:',                                               '/',          true],
    ['User-agent: other\nDisallow: /',                                         '/',          true],
    ['User-agent: other\nUser-agent: MARQUEE\nDisallow: /',                    '/',          false],
    ['User-agent: *\nDisallow: /\n\nUser-agent: marquee\nAllow: /',            '/',          true],
    ['User-agent: *\nDisallow: /\nAllow: /$',                                  '/',          true],
    ['User-agent: *\nDisallow: /\nAllow: /$',                                  '/a',         false],
    ['User-agent: *\nDisallow: /*.xml',                                        '/a/b.xml',   false],
    ['User-agent: *\nDisallow: /a\nAllow: /a/b',                               '/a/b/c',     true],
    ['User-agent: *\nAllow: /a\nDisallow: /a',                                 '/a',         true],
    ['user-agent : *  # everybody\r\ndisallow : /private # no',                '/private/x', false],
    ['User-agent: *\nDisallow: /\nSitemap: /s.xml\nUser-agent: marquee\nDisallow: /x', '/', true],
    [`User-agent: *\nDisallow: /${'*a'.repeat(500)}b`,                         `/${'a'.repeat(5_000)}`, true],
    ['User-agent: *\nDisallow: /*a*b$',                                        '/xaxb',      false],
    ['User-agent: *\nDisallow: /*a*b$',                                        '/xaxbx',     true],
    ['Disallow: /',                                                            '/',          true],
    ['User-agent: *\nDisallow: /(a+)+$',                                       '/aaaa',      true],
  ]
  for (const [text, path, isAllowed] of cases)
    test(`${JSON.stringify(text.slice(0, 60))} ${isAllowed ? 'allows' : 'forbids'} ${path.slice(0, 20)}`, () => {
      assert.equal(readRobots(text, 'Marquee').mayAsk(path), isAllowed)
    })

  test('a site without the file allows everything, and one that fails nothing', () => {
    assert.deepEqual(
      [404, 403, 500, 503].map((status) => robotsWithoutFile(status).mayAsk('/')),
      [true, true, false, false],
    )
  })

  test('sitemaps are named for all robots', () => {
    assert.deepEqual(readRobots('Sitemap: https://a.example/1.xml\nUser-agent: x\nSITEMAP: /2.xml', 'Marquee').sitemaps, [
      'https://a.example/1.xml',
      '/2.xml',
    ])
  })
})

describe('sitemaps', () => {
  test('addresses are counted wherever the bytes are cut', () => {
    const text = Buffer.from(
      `<?xml version="1.0"?><urlset xmlns="x">${'<url><loc>\n https://a.example/ä </loc><image:image><image:loc>i</image:loc></image:image></url>'.repeat(50)}</urlset>`,
    )
    for (const size of [1, 7, 64, 4_096, text.length]) {
      const counter = new SitemapCounter(10)
      for (let at = 0; at < text.length; at += size) counter.take(text.subarray(at, at + size))
      assert.equal(counter.count, 50, `in pieces of ${size}`)
    }
  })

  test('no text takes long', () => {
    const counter = new SitemapCounter(1)
    const begun = process.cpuUsage()
    for (const text of ['<loc>'.repeat(10_000), `<loc>${' '.repeat(3_000)}`.repeat(2_000), '<loc '.repeat(100_000), '<'.repeat(1_000_000)])
      for (let at = 0; at < text.length; at += 16_384) counter.take(Buffer.from(text.slice(at, at + 16_384)))
    assert.ok(process.cpuUsage(begun).user < 10_000_000)
  })

  test('an index names sitemaps, and is none itself', () => {
    const counter = new SitemapCounter(2)
    counter.take(
      Buffer.from(
        '<sitemapindex><sitemap><loc>/a?x=1&amp;y=2</loc></sitemap><sitemap><loc>/b</loc></sitemap><sitemap><loc>/c</loc></sitemap></sitemapindex>',
      ),
    )
    assert.deepEqual([counter.count, counter.sitemaps, counter.isSitemap], [0, ['/a?x=1&y=2', '/b'], true])
  })
})

describe('a site that is measured', () => {
  const env: Record<string, string> = {}
  const dns = dnsServer(env)
  const sites = siteServers()
  const home = '<!doctype html><title>Shop</title>'
  const urls = (count: number) => `<urlset>${'<url><loc>https://shop.example/a</loc></url>'.repeat(count)}</urlset>`

  async function look(domain: string, day = '2026-11-14', known: SiteLook['known'] = { registered_on: null, asked_on: null }) {
    dns.addresses.set(domain, ['127.0.0.1'])
    dns.addresses.set('rdap.example', ['127.0.0.1'])
    const rules: OutgoingRules = {
      dnsServers: [env['MARQUEE_DNS_SERVERS'] ?? ''],
      allowedNetworks: ['127.0.0.1/32'],
      ownPorts: [],
      isOwnHost: () => false,
    }
    return lookAtSite({
      rules,
      domain,
      place: `http://${domain}:${sites.port}`,
      agent: 'Marquee/1 (+https://marquee.example)',
      rdapUrl: `http://rdap.example:${sites.port}`,
      day,
      known,
      signal: AbortSignal.timeout(60_000),
    })
  }

  test('has its figures: the home page three times, one request at a time', async () => {
    sites.pages.set('www.shop.example', {
      '/': home,
      '/robots.txt': `User-agent: *\nDisallow: /private\nSitemap: http://www.shop.example:${sites.port}/index.xml`,
      '/index.xml':
        '<sitemapindex><sitemap><loc>/one.xml</loc></sitemap><sitemap><loc>/two.xml.gz</loc></sitemap><sitemap><loc>/one.xml</loc></sitemap></sitemapindex>',
      '/one.xml': urls(12),
      '/two.xml.gz': gzipSync(urls(30)),
    })
    sites.pages.set('rdap.example', {
      '/domain/shop.example': JSON.stringify({
        events: [
          null,
          { eventAction: 'expiration', eventDate: '2030-01-01T00:00:00Z' },
          { eventAction: 'registration', eventDate: '2026-11-04T10:00:00Z' },
        ],
      }),
    })
    sites.asked.length = 0
    const { download_time, ...found } = await look('www.shop.example')
    assert.ok(download_time !== null && download_time > 0)
    const known = { registered_on: '2026-11-04', asked_on: '2026-11-14' }
    assert.deepEqual(found, { status: 200, certificate_days: null, sitemap_addresses: 42, domain_age: 10, known, gaps: [] })
    const paths = ['/robots.txt', '/', '/', '/', '/index.xml', '/one.xml', '/two.xml.gz'].map((path) => `www.shop.example ${path}`)
    assert.deepEqual(sites.asked, [...paths, 'rdap.example /domain/www.shop.example', 'rdap.example /domain/shop.example'])
    assert.equal(sites.mostAtOnce, 1)
    sites.asked.length = 0
    assert.equal((await look('www.shop.example', '2026-12-01', known)).domain_age, 27)
    assert.ok(!sites.asked.some((one) => one.startsWith('rdap')), 'the registry is asked once a month')
  })

  test('says who asks', async () => {
    let agent: string | undefined
    sites.pages.set('agent.example', {
      '/': (request, response) => {
        agent = request.headers['user-agent']
        response.end(home)
      },
    })
    await look('agent.example')
    assert.equal(agent, 'Marquee/1 (+https://marquee.example)')
  })

  test('a page that fails is no download time, and nothing becomes a zero', async () => {
    sites.pages.set('broken.example', { '/': (_, response) => response.writeHead(503).end('down'), '/sitemap.xml': '<html>' })
    assert.deepEqual(await look('broken.example'), {
      download_time: null,
      status: 503,
      certificate_days: null,
      sitemap_addresses: null,
      domain_age: null,
      known: { registered_on: null, asked_on: '2026-11-14' },
      gaps: [
        'The home page answers with status 503.',
        'Sitemaps: What should be its sitemap is none.',
        'No registry says how old the domain is.',
      ],
    })
  })

  test('what it forbids to robots is not asked for', async () => {
    sites.pages.set('closed.example', { '/': home, '/robots.txt': 'User-agent: *\nDisallow: /' })
    sites.asked.length = 0
    await assert.rejects(look('closed.example'), { code: 'closed_address', message: /does not allow robots/ })
    assert.deepEqual(sites.asked, ['closed.example /robots.txt'])
    sites.pages.set('maps.example', { '/': home, '/robots.txt': 'User-agent: *\nDisallow: /sitemap.xml' })
    assert.deepEqual((await look('maps.example')).gaps[0], 'Sitemaps: It does not allow robots to read its sitemaps.')
  })

  test('redirects are followed within the site only, and never to this machine', async () => {
    const to = (location: () => string): Record<string, RequestListener> => ({
      '/': (_, response) => response.writeHead(302, { location: location() }).end(),
    })
    sites.pages.set(
      'away.example',
      to(() => `http://other.example:${sites.port}/`),
    )
    await assert.rejects(look('away.example'), { code: 'redirected_away' })
    sites.pages.set(
      'inside.example',
      to(() => 'http://www.inside.example/'),
    )
    dns.addresses.set('www.inside.example', ['169.254.169.254'])
    await assert.rejects(look('inside.example'), { code: 'closed_address' })
    sites.pages.set(
      'round.example',
      to(() => '/'),
    )
    await assert.rejects(look('round.example'), { code: 'too_many_redirects' })
  })

  test('an endless page ends', async () => {
    sites.pages.set('endless.example', {
      '/': (_, response) => {
        const chunk = Buffer.alloc(1 << 20)
        const more = () => {
          while (!response.destroyed && response.write(chunk));
          if (!response.destroyed) response.once('drain', more)
        }
        more()
      },
    })
    await assert.rejects(look('endless.example'), { code: 'too_large' })
  })

  test('a bomb in gzip and a million addresses are bounded', async () => {
    sites.pages.set('bomb.example', { '/': home, '/sitemap.xml': Buffer.concat(Array(30).fill(gzipSync(Buffer.alloc(10 << 20, ' ')))) })
    const before = process.memoryUsage().rss
    assert.deepEqual((await look('bomb.example')).gaps[0], 'Sitemaps: Its sitemap is damaged, or unfolds to more than is read.')
    assert.ok(process.memoryUsage().rss - before < 200 << 20)
    sites.pages.set('million.example', { '/': home, '/sitemap.xml': gzipSync(urls(1_000_000), { level: 1 }) })
    assert.equal((await look('million.example')).sitemap_addresses, 1_000_000)
    const many = Array.from({ length: 60 }, (_, n) => `<sitemap><loc>/${n}.xml</loc></sitemap>`).join('')
    sites.pages.set('many.example', {
      '/': home,
      '/sitemap.xml': `<sitemapindex>${many}</sitemapindex>`,
      ...Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`/${n}.xml`, urls(1)])),
    })
    assert.deepEqual((await look('many.example')).gaps[0], 'Sitemaps: It has more than 50 sitemaps.')
  })

  test('hosts of a site', () => {
    const hosts = ['shop.example', 'www.shop.example', 'a.b.shop.example', 'notshop.example', 'example', 'shop.example.evil.example']
    assert.deepEqual(
      hosts.map((host) => isOfSite(host, 'shop.example')),
      [true, true, true, false, false, false],
    )
    assert.ok(isOfSite('shop.example', 'www.shop.example'))
  })
})
