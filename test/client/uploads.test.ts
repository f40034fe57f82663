/** Files and many records through the client: a connection that breaks, a caller who gives up, and what is told on the way. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { AuthenticationError, ConnectionError, Marquee, MarqueeError, type Observation } from '../../src/client/client.ts'
import { issueKey } from '../../src/model/partners/keys/keys.ts'
import { createSite } from '../../src/model/partners/sites.ts'
import { freshPlace, type Place } from '../support/engines.ts'
import { eventually } from '../support/eventually.ts'
import { serviceOn } from '../support/service.ts'

/** `npm run hard:client` sends 100 megabytes over ten breaks. */
const megabytes = Number(process.env.CLIENT_MEGABYTES ?? 2)
const breaks = Number(process.env.CLIENT_BREAKS ?? 3)

describe('the client', () => {
  const place = {} as Place
  const folder = mkdtempSync(join(tmpdir(), 'marquee-uploads-'))
  before(async () => {
    Object.assign(place, await freshPlace('sqlite'))
  })
  const house = serviceOn(place)
  let given: { key: string; password: string }
  let client: Marquee
  let path: string
  const reviews = Math.ceil((megabytes * 1_000_000) / 10_000)

  before(async () => {
    const acme = await house.partner('Acme')
    given = await issueKey(house.operator, acme.id, { scopes: ['ingest', 'provision', 'report'] })
    client = new Marquee({ url: house.url, ...given })
    const business = await client.createBusiness({ name: 'Harbor' })
    await createSite(house.operator, business.id, 'harbor.example')
    path = await fileOfReviews(join(folder, 'reviews.ndjson'), reviews)
  })
  after(async () => {
    rmSync(folder, { recursive: true })
    await place.remove()
  })

  test(`stores a file once that is sent through a proxy which breaks ${breaks} times`, async () => {
    const proxy = await breakingProxy(house.url, breaks)
    try {
      let retried = 0
      const options = { url: proxy.url, ...given, retries: breaks, hooks: { onRetry: () => retried++ }, maxRetryDelaySeconds: 1 }
      const told: number[] = []
      const onProgress = ({ bytes }: { bytes: number }) => told.push(bytes)
      const intake = await new Marquee(options).uploadFile(path, { create_missing: true, file_name: 'reviews' }, { onProgress })
      assert.equal(retried, breaks)
      assert.equal(Math.max(...told), statSync(path).size)
      await eventually(async () => !['waiting', 'checking', 'storing'].includes((await client.showIntake(intake.id)).state))
      const stored = await client.showIntake(intake.id)
      assert.deepEqual(
        [stored.state, stored.lines, stored.kinds.find(({ kind }) => kind === 'review')?.created],
        ['stored', reviews, reviews],
        JSON.stringify(stored.faults[0]),
      )
      assert.deepEqual(
        (await client.listIntakes().toArray()).map(({ id }) => id),
        [intake.id],
      )
    } finally {
      proxy.server.close()
    }
  })

  test('compresses a file on its way, and takes it as a Blob, a File or a stream', async () => {
    const line = `${JSON.stringify({ type: 'keyword', site: 'harbor.example', phrase: 'boat' })}\n`
    const sources = [new Blob([line]), new File([line], 'words.ndjson'), new Blob([line]).stream(), chunks(line)]
    for (const [at, source] of sources.entries()) {
      const { bytes } = await client.uploadFile(source, { dry_run: true }, { gzip: at % 2 === 0 })
      assert.equal(Number(bytes) === line.length, at % 2 === 1, `source ${at} came as ${bytes} bytes`)
    }
  })

  test('does not send a stream again, which cannot be read again', async () => {
    const proxy = await breakingProxy(house.url, 1)
    try {
      const options = { url: proxy.url, ...given, maxRetryDelaySeconds: 0 }
      await assert.rejects(new Marquee(options).uploadFile(chunks('x'.repeat(100_000)), {}), ConnectionError)
      assert.equal(proxy.connections(), 1)
    } finally {
      proxy.server.close()
    }
  })

  test('ends an upload when the caller gives up, and tells why one is refused', async () => {
    const stop = new AbortController()
    const onProgress = () => stop.abort(new Error('Enough'))
    await assert.rejects(client.uploadFile(path, {}, { signal: stop.signal, onProgress }), /Enough/)
    await assert.rejects(new Marquee({ url: house.url, key: given.key, password: 'wrong' }).uploadFile(path), AuthenticationError)
  })

  test('pushes what comes one after the other in requests of a bounded size, and counts all of it', async () => {
    const records = Array.from({ length: 500 }, (_, at) => ({ type: 'keyword', site: 'harbor.example', phrase: `word ${at}` }) as const)
    const sent: number[] = []
    const options = { maxBytes: 4_000, idempotencyKey: 'words', onProgress: ({ received }: { received: number }) => sent.push(received) }
    const first = await client.push(oneByOne(records), {}, options)
    assert.deepEqual([first.received, first.created, first.refused], [500, 500, 0])
    assert.ok(sent.length > 5 && sent.at(-1) === 500, String(sent))
    // Under the same keys the answers are those of the first time; without, nothing is left to create.
    assert.deepEqual(await client.push(records, {}, { maxBytes: 4_000, idempotencyKey: 'words' }), first)
    assert.deepEqual((await client.push(records, {}, { gzip: true })).unchanged, 500)
    const strange = [...records.slice(0, 300), { type: 'keyword', site: 'nobody.example', phrase: 'x' } as const]
    const { refusals } = await client.push(strange, {}, { maxBytes: 4_000 })
    assert.deepEqual(
      refusals.map(({ index }) => index),
      [300],
    )
  })

  test('tells its hooks of each attempt, names the program, and sends any request', async () => {
    const seen: string[] = []
    const told = new Marquee({
      url: house.url,
      ...given,
      app: 'acme-crm/2.1',
      hooks: {
        onRequest({ method, headers }) {
          seen.push(`${method} ${headers.get('user-agent')}`)
          headers.set('x-own', 'yes')
        },
        onResponse: ({ status }, { headers, attempt }) => void seen.push(`${status} ${headers.get('x-own')} ${attempt}`),
      },
    })
    const answer = await told.request('GET', '/api/users.xml', { query: { login: 'nobody' } })
    assert.match(await answer.text(), /<users type="array"\/>/)
    assert.match(String(seen), /^GET acme-crm\/2\.1 marquee-client\/\d+\.\d+\.\d+,200 yes 0$/)
    await assert.rejects(told.request('POST', '/api/businesses.json', { body: { name: '' } }), MarqueeError)
  })

  test('waits for a call as long as that call may take', async () => {
    const silent = createServer(() => {})
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const slow = new Marquee({ url: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`, ...given, retries: 0 })
    await assert.rejects(slow.showUser(1, { timeoutSeconds: 0.05 }), /No answer within 0.05 seconds/)
    silent.close()
  })
})

async function* oneByOne(records: readonly Observation[]): AsyncGenerator<Observation> {
  for (const record of records) yield record
}

async function* chunks(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text)
}

/** Reviews with long texts, about ten kilobytes each. */
async function fileOfReviews(path: string, many: number): Promise<string> {
  const file = createWriteStream(path)
  for (let at = 0; at < many; at++) {
    const page = { site: 'harbor.example', source: 'google', page_url: 'https://maps.example/place/1' }
    const review = {
      type: 'review',
      ...page,
      ref: `r-${at}`,
      rating: 4,
      date: '2026-11-14',
      detail: `${at} good `.repeat(1200).slice(0, 9_900),
    }
    if (!file.write(`${JSON.stringify(review)}\n`)) await once(file, 'drain')
  }
  file.end()
  await once(file, 'finish')
  return path
}

interface BreakingProxy {
  readonly url: string
  readonly server: Server
  readonly connections: () => number
}

/** Breaks so many connections: most while the body is on its way, the last when its answer begins. */
async function breakingProxy(url: string, breaks: number): Promise<BreakingProxy> {
  const { hostname, port } = new URL(url)
  let connections = 0
  const server = createServer((near) => {
    const turn = ++connections
    const far = connect(Number(port), hostname)
    const end = () => {
      near.destroy()
      far.destroy()
    }
    let passed = 0
    near.on('error', end).on('close', end)
    far.on('error', end).on('close', end)
    near.on('data', (chunk) => {
      passed += chunk.length
      if (turn < breaks && passed > turn * 30_000) end()
      else if (!far.write(chunk)) {
        near.pause()
        far.once('drain', () => near.resume())
      }
    })
    far.on('data', (chunk) => (turn === breaks ? end() : near.write(chunk)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server, connections: () => connections }
}
