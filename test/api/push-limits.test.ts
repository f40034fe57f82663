/** Pushes share few places: nobody takes more than half of them, slow senders take none, and every wait ends in an answer. */
import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { afterEach, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { draftOf } from '../../src/fields/read.ts'
import { workBudget } from '../../src/lib/work/budget.ts'
import { createBusiness } from '../../src/model/partners/businesses.ts'
import { issueKey } from '../../src/model/partners/keys/keys.ts'
import { createSite } from '../../src/model/partners/sites.ts'
import { newBusiness } from '../../src/resources/business.ts'
import { onEachEngine } from '../support/engines.ts'
import { basic, ofOneProcess, serviceOn, type TestPartner } from '../support/service.ts'

onEachEngine('pushes side by side', (place) => {
  const service = serviceOn(place)
  let acme: Pusher
  let globex: Pusher
  const open: Socket[] = []

  interface Pusher extends TestPartner {
    readonly ingest: string
    readonly domain: string
  }

  before(async () => {
    acme = await pusher('Acme', 'acme.example')
    globex = await pusher('Globex', 'globex.example')
  })
  afterEach(() => {
    for (const socket of open.splice(0)) socket.destroy()
  })

  async function pusher(name: string, domain: string): Promise<Pusher> {
    const partner = await service.partner(name)
    const business = await createBusiness(service.operator, draftOf(newBusiness, { name, account_id: partner.accountId }))
    await createSite(service.operator, business.id, domain)
    const { key, password } = await issueKey(service.operator, partner.id, { label: 'push', scopes: ['ingest'] })
    return { ...partner, domain, ingest: `${key}:${password}` }
  }

  function push({ ask, ingest, domain }: Pusher, count = 1) {
    const records = Array.from({ length: count }, (_, index) => ({ type: 'keyword', site: domain, phrase: `${index} ${'x'.repeat(90)}` }))
    return ask('POST', '/api/observations.json', { credentials: ingest, type: 'application/json', body: JSON.stringify(records) })
  }

  /** Says that a body of this length comes, sends a byte of it and then nothing; what is answered is kept. */
  function sendSlowly({ ingest }: Pusher): { answered: string } {
    const { hostname, port } = new URL(service.url)
    const head = [
      'POST /api/observations.json HTTP/1.1',
      'Host: a',
      `Authorization: ${basic(ingest)}`,
      'Content-Type: application/json',
      'Content-Length: 1000',
    ]
    const seen = { answered: '' }
    const socket = connect(Number(port), hostname, () => socket.write(`${head.join('\r\n')}\r\n\r\n[`))
    socket.on('data', (chunk) => (seen.answered += chunk.toString())).on('error', () => {})
    open.push(socket)
    return seen
  }

  test('four slow senders take no place from anybody', async () => {
    for (let count = 0; count < 4; count += 1) sendSlowly(acme)
    await sleep(100)
    assert.equal((await push(globex)).status, 200)
    assert.equal((await push(acme)).status, 200)
  })

  test(
    'one partner cannot hold all places for bodies that arrive: the next is refused, and another partner is not',
    ofOneProcess,
    async () => {
      const slow = Array.from({ length: workBudget.upload.share + 1 }, () => sendSlowly(acme))
      await sleep(300)
      const refused = slow.filter(({ answered }) => /^HTTP\/1\.1 429/.test(answered) && /^retry-after: \d/im.test(answered))
      assert.equal(refused.length, 1)
      assert.equal((await push(globex)).status, 200)
    },
  )

  test(
    'a temporary folder that cannot be used makes a large push 503 with Retry-After, and a small one is stored',
    ofOneProcess,
    async () => {
      const before = process.env.TMPDIR
      process.env.TMPDIR = '/nowhere/at/all'
      try {
        const { status, headers, text } = await push(globex, 4_000)
        assert.equal(status, 503, text)
        assert.match(headers['retry-after'] ?? '', /^\d+$/)
        assert.equal((await push(globex)).status, 200)
      } finally {
        if (before === undefined) delete process.env.TMPDIR
        else process.env.TMPDIR = before
      }
      assert.equal((await push(globex, 4_000)).status, 200)
    },
  )
})
