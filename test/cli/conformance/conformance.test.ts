/** The conformance kit: our own service keeps every rule, and each of many deliberate faults in a proxy before it is found by its rule. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Probe } from '../../../src/cli/conformance/probe.ts'
import { conformanceRules, verdicts } from '../../../src/cli/conformance/rules.ts'
import { citationText, type StatedRule, statedRules } from '../../../src/resources/conformance/stated-rules.ts'
import { observations } from '../../../src/resources/observation.ts'
import { marquee } from '../../support/command.ts'
import { freshPlace, type Place } from '../../support/engines.ts'
import { withMail } from '../../support/people-service.ts'
import { type SampleWorld, sampleWorld } from '../../support/sample-world.ts'
import { serviceOn } from '../../support/service.ts'
import { type DeliberateFault, deliberateFaults } from './faults.ts'

const docs = join(import.meta.dirname, '..', '..', '..', 'docs')

describe('marquee conformance', () => {
  const place = {} as Place
  before(async () => {
    Object.assign(place, await freshPlace('sqlite'))
  })
  const house = serviceOn(place, withMail)
  let world: SampleWorld
  let proxy: Server
  let current: DeliberateFault | null = null
  before(async () => {
    world = await sampleWorld(house)
    await pushOneOfEachKind()
    proxy = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const { host: _, connection: __, ...headers } = request.headers as Record<string, string>
      const method = request.method ?? 'GET'
      const body = chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }
      const answer = await fetch(house.url + request.url, { method, headers: { ...headers, 'accept-encoding': 'identity' }, ...body })
      const passed = {
        method,
        path: request.url ?? '',
        status: answer.status,
        headers: Object.fromEntries(answer.headers),
        text: await answer.text(),
      }
      const spoilt = current === null ? passed : current.spoil(passed)
      const { 'content-length': ___, connection: ____, ...kept } = spoilt.headers
      response.writeHead(spoilt.status, kept).end(spoilt.status === 304 ? '' : spoilt.text)
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  })
  after(async () => {
    proxy.closeAllConnections()
    proxy.close()
    await place.remove()
  })

  const probe = () => {
    const { KEY = '', PASSWORD = '' } = world.env
    return new Probe(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, KEY, PASSWORD, {
      accountId: Number(world.values['account_id']),
    })
  }

  test('our own service keeps every rule', async () => {
    assert.ok(conformanceRules.length >= 50)
    const all = await Array.fromAsync(verdicts(probe(), conformanceRules))
    assert.deepEqual(
      all.filter(({ found }) => found !== null),
      [],
    )
  })

  test('names for each rule a heading of the interface or a decision that is there', () => {
    const headings = readFileSync(join(docs, 'interface.md'), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('#'))
    for (const [id, { by, level }] of Object.entries<StatedRule>(statedRules)) {
      const isThere =
        by.heading === undefined
          ? existsSync(join(docs, 'decisions', `${by.page}.md`))
          : headings.some((line) => line.replace(/^#+ /, '') === by.heading)
      assert.ok(isThere, `${id} cites ${citationText(by)}`)
      assert.equal(by.page === 'interface', level === 'interface', id)
    }
    assert.deepEqual(conformanceRules.map(({ id }) => id).toSorted(), Object.keys(statedRules).toSorted())
  })

  for (const fault of deliberateFaults) {
    test(`finds that ${fault.says}`, async () => {
      current = fault
      try {
        const rules = conformanceRules.filter(({ id }) => id === fault.rule)
        const [verdict] = await Array.fromAsync(verdicts(probe(), rules))
        assert.notEqual(verdict?.found ?? null, null, `${fault.rule} does not see it`)
      } finally {
        current = null
      }
    })
  }

  test('prints a line for each rule, and only reads unless it is told to write', async () => {
    const credentials = `${world.env['KEY']}:${world.env['PASSWORD']}\n`
    const { code, stdout } = await marquee(place, 'conformance', house.url, { stdin: credentials })
    const reading = conformanceRules.filter(({ writes }) => !writes).length
    assert.equal(stdout.match(/^ok {6}/gm)?.length, reading, stdout)
    assert.match(stdout, new RegExp(`All ${reading} rules hold`))
    assert.equal(code, 0)
    const some = await marquee(place, 'conformance', house.url, '--level', 'interface', '--only', 'error,seo.types', { stdin: credentials })
    assert.match(some.stdout, /^ok {6}seo\.types .*\n.*All 1 rules hold/s)
    for (const [option, value] of [
      ['--level', 'own'],
      ['--only', 'sea'],
      ['--start-date', 'soon'],
    ] as const)
      assert.notEqual((await marquee(place, 'conformance', house.url, option, value, { stdin: credentials })).code, 0, option)
    const refused = await marquee(place, 'conformance', house.url, '--write', { stdin: credentials })
    assert.notEqual(refused.code, 0)
    assert.match(refused.stderr, /--write and --account go together/)
  })

  async function pushOneOfEachKind(): Promise<void> {
    const records = Object.entries(observations).map(([type, { fields }]) => {
      const given = Object.entries(fields).filter(([, { required }]) => required)
      return { type, ...Object.fromEntries(given.map(([name, { example }]) => [name, example])) }
    })
    const onCompetitor = { type: 'keyword', site: 'example.com', competitor: 'rival.example', phrase: 'plumber chicago' }
    const body = JSON.stringify([...records, onCompetitor])
    const credentials = `${world.env['KEY']}:${world.env['PASSWORD']}`
    const answer = await house.stranger.ask('POST', '/api/observations.json', { body, type: 'application/json', credentials })
    assert.equal(answer.status, 200, answer.text)
  }
})

test('a read is sent again when the connection was closed, and a write is not', async () => {
  let asked = 0
  const server = createServer((request, response) => (++asked === 1 ? request.socket.destroy() : response.end('answered'))).listen(0)
  await new Promise((resolve) => server.once('listening', resolve))
  try {
    const probe = new Probe(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'key', 'password')
    assert.equal((await probe.ask('/')).text, 'answered')
    asked = 0
    await assert.rejects(probe.ask('/', { method: 'POST', body: 'x' }))
    assert.equal(asked, 1)
  } finally {
    server.close()
    server.closeAllConnections()
  }
})
