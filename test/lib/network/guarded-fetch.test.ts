/** What strangers can make this service reach: a table of addresses, and servers that do what none should. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { after, before, describe, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { closedNetworkOf } from '../../../src/lib/network/closed-networks.ts'
import { fetchGuarded } from '../../../src/lib/network/guarded-fetch.ts'
import { FetchFailure, type OutgoingRequest, type OutgoingRules } from '../../../src/lib/network/outgoing.ts'
import { makeCertificate } from '../../support/certificate.ts'
import { dnsServer } from '../../support/dns-server.ts'
import { badAddresses, closedAddresses, publicAddresses } from './strangers-addresses.ts'

describe('the guard of addresses that strangers give', () => {
  const env: Record<string, string> = {}
  const dns = dnsServer(env)
  /** A machine may have some of the listed ones itself. */
  const own = Object.values(networkInterfaces()).flatMap((known) => (known ?? []).map((one) => one.address))
  const seen: { method: string; path: string; body: string; headers: Record<string, unknown> }[] = []
  let server: Server
  let port = 0

  before(async () => {
    server = createServer(answer).listen(0, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
    dns.addresses.set('shop.example', ['127.0.0.1'])
    dns.addresses.set('other.example', ['127.0.0.1'])
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  const pages: Record<string, RequestListener> = {
    '/': (_, response) => response.end('hello'),
    '/long': (_, response) => response.end('x'.repeat(100_000)),
    '/to-root': redirectTo(() => '/'),
    '/keeps': redirectTo(() => '/', 307),
    '/to-other': redirectTo(() => `http://other.example:${port}/`, 307),
    '/to-loopback': redirectTo(() => 'http://127.0.0.2/'),
    '/to-file': redirectTo(() => 'file:///etc/passwd'),
    '/to-nowhere': redirectTo(() => 'http://['),
    '/round': redirectTo(() => '/round'),
    '/silent': () => {},
    '/cut': (_, response) => response.writeHead(200, { 'content-length': '10' }).write('12345', () => response.destroy()),
    '/drops': (_, response) => {
      const timer = setInterval(() => response.write('x'), 20)
      response.on('close', () => clearInterval(timer))
    },
  }

  test('300 addresses and names', async () => {
    const spelled = Object.entries(closedAddresses).flatMap(([kind, list]) => list.map((one) => ({ kind, one })))
    assert.ok(spelled.length + publicAddresses.length + badAddresses.length >= 300, 'the table has shrunk')
    for (const { kind, one } of spelled) {
      const host = URL.parse(`http://${one}/`)?.hostname.replace(/^\[|\]$/g, '') ?? ''
      const leadsTo = own.includes(host) ? 'this machine' : kind
      if (isIP(host) !== 0) assert.equal(closedNetworkOf(host), leadsTo, one)
      await refuses(`http://${one}/`, 'closed_address', `leads to ${leadsTo},`)
    }
    for (const one of badAddresses) await refuses(one, 'bad_address')
    assert.deepEqual(
      publicAddresses.filter((one) => closedNetworkOf(one) !== undefined),
      [],
    )
    assert.deepEqual(seen, [])
  })

  test('a name is refused for any address that it has', async () => {
    for (const [n, address] of [
      '127.0.0.1',
      '10.1.2.3',
      '169.254.169.254',
      '::1',
      '::ffff:7f00:1',
      '64:ff9b::a00:1',
      '2002:7f00:1::1',
      'fd00:ec2::254',
    ].entries()) {
      dns.addresses.set(`bad${n}.example`, ['93.184.216.34', '2606:4700:4700::1111', address])
      await refuses(`http://bad${n}.example/`, 'closed_address')
    }
    await refuses('http://nobody.example/', 'no_such_host')
    await refuses(`http://${'a'.repeat(64)}.example/`, 'no_such_host')
    await refuses('http://own.example/', 'closed_address', 'leads to this service')
    await refuses('http://OWN.example./', 'closed_address', 'leads to this service')
  })

  test('a DNS that does not answer is no missing host', async () => {
    dns.isSilent = true
    await refuses('http://shop.example/', 'too_slow', '', { milliseconds: 300 })
    dns.isSilent = false
  })

  test('a name that changes its address is connected to where it was checked', async () => {
    let asked = 0
    dns.addresses.set('changing.example', () => [asked++ === 0 ? '127.0.0.1' : '127.0.0.2'])
    const { body } = await open(`http://changing.example:${port}/`)
    assert.equal(`${body} ${asked}`, 'hello 1')
    await refuses(`http://changing.example:${port}/`, 'closed_address', '', {}, ['127.0.0.1/32'])
  })

  test('the operator opens a network, but never this service in it', async () => {
    const { status, isFromClosedNetwork, certificateEndsAt, milliseconds } = await open(`http://shop.example:${port}/`)
    assert.deepEqual([status, isFromClosedNetwork, certificateEndsAt], [200, true, null])
    assert.ok(milliseconds > 0)
    await refuses('http://127.0.0.1:8080/', 'closed_address', 'leads to this service', {}, ['127.0.0.0/8'])
    await refuses(`http://shop.example:${port}/`, 'closed_address', '', {}, ['10.0.0.0/8', '::/0'])
  })

  test('redirects are followed as far as is allowed, and each is checked', async () => {
    assert.equal((await open(address('/to-root'), { redirects: 0 })).status, 302)
    assert.equal((await open(address('/to-root'), { redirects: 1 })).url, address('/'))
    await refuses(address('/to-loopback'), 'closed_address', '', { redirects: 5 }, ['127.0.0.1/32'])
    await refuses(address('/to-file'), 'bad_address', '', { redirects: 5 }, ['127.0.0.1/32'])
    await refuses(address('/to-nowhere'), 'broken_answer', '', { redirects: 5 }, ['127.0.0.1/32'])
    await refuses(address('/round'), 'too_many_redirects', '', { redirects: 5 }, ['127.0.0.1/32'])
    const mayFollow = ({ hostname }: URL) => hostname === 'shop.example'
    await refuses(address('/to-other'), 'redirected_away', '', { redirects: 5, mayFollow }, ['127.0.0.1/32'])
  })

  test('what is sent goes to whom it was meant for', async () => {
    const posted = { method: 'POST', body: '{"a":1}', headers: { 'x-signature': 's3cret', 'user-agent': 'Marquee' }, redirects: 2 } as const
    const told = async (path: string) => {
      seen.length = 0
      await open(address(path), posted)
      return seen.map(({ method, body, headers }) => [method, body, headers['host'], headers['x-signature'], headers['user-agent']])
    }
    const sent = ['POST', '{"a":1}', `shop.example:${port}`, 's3cret', 'Marquee']
    assert.deepEqual(await told('/keeps'), [sent, sent])
    assert.deepEqual(await told('/to-root'), [sent, ['GET', '', `shop.example:${port}`, 's3cret', 'Marquee']])
    assert.deepEqual(await told('/to-other'), [sent, ['GET', '', `other.example:${port}`, undefined, 'Marquee']])
  })

  test('an answer is bounded in bytes and in time', async () => {
    const cut = await open(address('/long'), { maxBytes: 1_000 })
    assert.deepEqual([cut.body.length, cut.isWhole], [1_000, false])
    assert.equal((await open(address('/long'), { maxBytes: 100_000, whenLonger: 'fail' })).isWhole, true)
    await refuses(address('/long'), 'too_large', '', { maxBytes: 99_999, whenLonger: 'fail' }, ['127.0.0.1/32'])
    for (const path of ['/silent', '/drops']) await refuses(address(path), 'too_slow', '', { milliseconds: 300 }, ['127.0.0.1/32'])
    await refuses(address('/cut'), 'broken_answer', '', {}, ['127.0.0.1/32'])
    let taken = 0
    const { body } = await open(address('/long'), { take: (chunk) => (taken += chunk.length) })
    assert.deepEqual([taken, body.length], [100_000, 0])
  })

  test('who no longer waits is told by their own reason', async () => {
    const aborting = new AbortController()
    const asked = open(address('/silent'), { signal: aborting.signal })
    aborting.abort(new Error('The service stops'))
    await assert.rejects(asked, /^Error: The service stops$/)
  })

  test('what is no server of the web is told', async () => {
    const tcp = createTcpServer((socket) =>
      socket
        .on('error', () => {})
        .resume()
        .end('220 mail.example ESMTP\r\n'),
    ).listen(0, '127.0.0.1')
    await once(tcp, 'listening')
    const mailPort = (tcp.address() as AddressInfo).port
    await refuses(`http://shop.example:${mailPort}/`, 'broken_answer', '', {}, ['127.0.0.1/32'])
    await refuses(`https://shop.example:${mailPort}/`, 'bad_certificate', '', {}, ['127.0.0.1/32'])
    tcp.close()
    await once(tcp, 'close')
    await refuses(`http://shop.example:${mailPort}/`, 'unreachable', '', {}, ['127.0.0.1/32'])
  })

  test('a server of TLS is known by its name, whatever address it has', async () => {
    const certificate = makeCertificate('shop.example')
    const tls = createTlsServer({ key: certificate.key, cert: certificate.cert }, answer).listen(0, '127.0.0.1')
    await once(tls, 'listening')
    const at = (host: string) => `https://${host}:${(tls.address() as AddressInfo).port}/`
    await refuses(at('shop.example'), 'bad_certificate', 'not trusted', {}, ['127.0.0.1/32'])
    const usual = getCACertificates('default')
    setDefaultCACertificates([...usual, certificate.cert])
    try {
      const { certificateEndsAt } = await open(at('shop.example'))
      const daysLeft = (Date.parse(certificateEndsAt ?? '') - Date.now()) / 86_400_000
      assert.ok(daysLeft > 1 && daysLeft < 3, certificateEndsAt ?? '')
      await refuses(at('other.example'), 'bad_certificate', 'for other hosts', {}, ['127.0.0.1/32'])
    } finally {
      setDefaultCACertificates(usual)
      certificate.remove()
      tls.close()
    }
  })

  test('a proxy of the environment has no part in it', () => {
    const proxy = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: `http://127.0.0.1:${port}`, http_proxy: `http://127.0.0.1:${port}`, NO_PROXY: '' }
    const script = `
      import { fetchGuarded } from './src/lib/network/guarded-fetch.ts'
      const rules = { dnsServers: undefined, allowedNetworks: ['127.0.0.1/32'], ownPorts: [], isOwnHost: () => false }
      const request = { url: 'http://127.0.0.1:1025/', schemes: ['http:'], redirects: 0, milliseconds: 5_000, maxBytes: 10, whenLonger: 'cut' }
      console.log(await fetchGuarded(rules, request).then(() => 'answered', ({ code }) => code))`
    const said = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...process.env, ...proxy },
      encoding: 'utf8',
    })
    assert.equal(said.trim(), 'unreachable')
  })

  function address(path: string): string {
    return `http://shop.example:${port}${path}`
  }

  function answer(...[request, response]: Parameters<RequestListener>): void {
    let body = ''
    request.on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request
      seen.push({ method, path, body, headers })
      pages[path]?.(request, response)
    })
  }

  function rules(allowedNetworks: readonly string[]): OutgoingRules {
    return {
      dnsServers: [env['MARQUEE_DNS_SERVERS'] ?? ''],
      allowedNetworks,
      ownPorts: [8080],
      isOwnHost: (host) => host === 'own.example',
    }
  }

  function open(url: string, more: Partial<OutgoingRequest> = {}, networks: readonly string[] = ['127.0.0.1/32']) {
    const usual = { schemes: ['http:', 'https:'], redirects: 0, milliseconds: 20_000, maxBytes: 1_000_000, whenLonger: 'cut' } as const
    return fetchGuarded(rules(networks), { ...usual, url, ...more })
  }

  async function refuses(url: string, code: string, says = '', more: Partial<OutgoingRequest> = {}, networks: readonly string[] = []) {
    const failure = await open(url, more, networks).then(
      () => null,
      (error: unknown) => error,
    )
    assert.ok(failure instanceof FetchFailure, `${url}: ${failure}`)
    assert.equal(failure.code, code, url)
    assert.ok(failure.message.includes(says), `${url}: ${failure.message}`)
  }
})

function redirectTo(where: () => string, status = 302): RequestListener {
  return (_, response) => response.writeHead(status, { location: where() }).end('elsewhere')
}
