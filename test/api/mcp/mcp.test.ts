/** Agents at `/mcp`, with the official client: tools from the table, bound to the key, and no write that was not tried out. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { endpoints } from '../../../src/api/endpoints.ts'
import { toolList } from '../../../src/api/mcp/tools.ts'
import { isGetAction } from '../../../src/api/reference/possible-errors.ts'
import { issueKey } from '../../../src/model/partners/keys/keys.ts'
import { createSite } from '../../../src/model/partners/sites.ts'
import { onEachEngine } from '../../support/engines.ts'
import { fieldsLeftOut } from '../../support/every-endpoint.ts'
import { basic, serviceOn, type TestPartner } from '../../support/service.ts'

interface Answered {
  readonly code?: string
  readonly users?: readonly unknown[]
  readonly business?: { readonly id: number }
  readonly businesses?: readonly { readonly id: number }[]
}

interface Said {
  readonly texts: string[]
  readonly isError: boolean
  /** The first text, which is the answer of the API. */
  json(): Answered
}

onEachEngine('an agent', (place) => {
  const house = serviceOn(place)
  const clients: Client[] = []
  let acme: TestPartner
  let agent: Client

  before(async () => {
    acme = await house.partner('Acme')
    agent = await connect(acme.credentials)
  })
  after(() => Promise.all(clients.map((client) => client.close())))

  async function connect(credentials: string, options: ConstructorParameters<typeof Client>[1] = {}): Promise<Client> {
    const client = new Client({ name: 'tests', version: '1.0.0' }, options)
    const headers = { authorization: basic(credentials) }
    await client.connect(new StreamableHTTPClientTransport(new URL(`${house.url}/mcp?tools=all`), { requestInit: { headers } }))
    clients.push(client)
    return client
  }

  async function call(client: Client, name: string, given: Record<string, unknown> = {}): Promise<Said> {
    const { content, isError } = await client.callTool({ name, arguments: given })
    const texts = (content as { text: string }[]).map(({ text }) => text)
    return { texts, isError: isError === true, json: () => JSON.parse(texts[0] ?? '') }
  }

  /** As a careful agent does it: tried out, then confirmed. */
  async function confirmed(client: Client, name: string, given: Record<string, unknown>): Promise<Said> {
    const tried = await call(client, name, { ...given, dry_run: true })
    assert.ok(!tried.isError, tried.texts.join())
    return call(client, name, { ...given, confirm: confirmIn(tried) })
  }

  const confirmIn = ({ texts }: Said) => /confirm: "([^"]+)"/.exec(texts.at(-1) ?? '')?.[1] ?? assert.fail(texts.join())
  const dana = () => ({ email: 'dana@acme.example', login: 'dana-acme', password: 'correct horse', account_id: acme.accountId })

  test('finds a tool for each endpoint that her key opens, with schema and hints, and none besides', async () => {
    const { tools } = await agent.listTools()
    const opens = ({ access, areLines }: (typeof endpoints)[number]) => ['provision', 'report'].includes(access) && !areLines
    const open = endpoints.filter((endpoint) => !isGetAction(endpoint) && opens(endpoint))
    assert.equal(tools.length, open.length)
    assert.equal(new Set(tools.map(({ name }) => name)).size, tools.length)
    const [create, list, remove] = ['createUser', 'listUsers', 'deleteUser'].map((name) => tools.find((tool) => tool.name === name))
    assert.deepEqual(create?.annotations, { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false })
    assert.deepEqual(list?.annotations, { readOnlyHint: true, openWorldHint: false })
    assert.equal(remove?.annotations?.destructiveHint, true)
    assert.deepEqual(create?.inputSchema.required, ['user'])
    assert.deepEqual(remove?.inputSchema.required, ['user_id'])
    for (const { name, inputSchema, annotations } of tools) {
      assert.equal('dry_run' in (inputSchema.properties ?? {}), annotations?.readOnlyHint === false, name)
    }
    const reader = await issueKey(house.operator, acme.id, { scopes: ['report'] })
    const few = await (await connect(`${reader.key}:${reader.password}`)).listTools()
    assert.deepEqual(few.tools.map(({ name }) => name).toSorted(), [
      'issueToken',
      'listAccountSummaries',
      'listRankings',
      'listSiteSummaries',
      'listTokens',
      'reputationReportCounts',
      'reputationReportDetail',
      'revokeToken',
      'seoReport',
      'showSiteSummary',
      'showToken',
    ])
  })

  test('calls a tool by its former name, too', async () => {
    const [former, now] = ['readYourOwnIdAccount', 'showAccountExternalId'] as const
    const given = { account_id: acme.accountId }
    assert.deepEqual((await call(agent, former, given)).json(), (await call(agent, now, given)).json())
  })

  test('writes only what she has tried out, with the very arguments she has tried', async () => {
    const user = dana()
    const rash = await call(agent, 'createUser', { user })
    assert.ok(rash.isError)
    assert.match(rash.texts[0] ?? '', /dry_run: true first/)
    const tried = await call(agent, 'createUser', { user, dry_run: true })
    assert.match(tried.texts[1] ?? '', /^Nothing was changed\./)
    assert.deepEqual((await call(agent, 'listUsers', { login: user.login })).json(), { users: [] })
    const confirm = confirmIn(tried)
    assert.match((await call(agent, 'createUser', { user: { ...user, login: 'eve-acme' }, confirm })).texts[0] ?? '', /of other arguments/)
    assert.match((await call(agent, 'deleteUser', { user_id: 1, confirm })).texts[0] ?? '', /of other arguments/)
    const created = await call(agent, 'createUser', { user, confirm })
    assert.ok(!created.isError, created.texts[0])
    assert.deepEqual((await call(agent, 'createUser', { user, confirm })).texts, created.texts, 'a repeat gives the same answer')
    const { users } = (await call(agent, 'listUsers', { login: user.login })).json()
    assert.equal(users?.length, 1)
  })

  test('uploads a file as text, with the options that programs have', async () => {
    const direct = await issueKey(house.operator, acme.id, { scopes: ['ingest'], writes_directly: 1 })
    const client = await connect(`${direct.key}:${direct.password}`)
    const { tools } = await client.listTools()
    const taken = Object.keys(tools.find(({ name }) => name === 'uploadFile')?.inputSchema.properties ?? {})
    for (const name of ['text', 'preset', 'columns', 'file_name', 'skip_refused']) assert.ok(taken.includes(name), name)
    const text = 'site,phrase\nexample.com,bread\n'
    const said = await call(client, 'uploadFile', { text, file_name: 'words.csv', create_missing: true })
    assert.ok(!said.isError, said.texts[0])
    const { intake } = JSON.parse(said.texts[0] ?? '')
    assert.deepEqual([intake.bytes, intake.file_name], [text.length, 'words.csv'])
    await client.close()
  })

  test('is told of users without what is made of the password, and what nothing uses any more', async () => {
    const user = { ...dana(), login: 'brief-acme', email: 'brief@acme.example', name: 'Brief' }
    const created = await confirmed(agent, 'createUser', { user })
    const { id } = (created.json() as { user: { id: number } }).user
    const shown = [created, await call(agent, 'showUser', { user_id: id }), await call(agent, 'listUsers', { login: user.login })]
    for (const { texts } of shown) {
      assert.match(texts[0] ?? '', /"name":"Brief"/)
      for (const name of fieldsLeftOut) assert.ok(!texts[0]?.includes(`"${name}"`), name)
    }
  })

  test('writes at once where the key allows it', async () => {
    const direct = await issueKey(house.operator, acme.id, { scopes: ['provision'], writes_directly: 1 })
    const client = await connect(`${direct.key}:${direct.password}`)
    assert.ok(!(await call(client, 'createBusiness', { business: { name: 'Direct' } })).isError)
  })

  test('is refused in the words of the API, and nothing of another partner is there for her', async () => {
    const globex = await house.partner('Globex')
    const other = await connect(globex.credentials)
    const { business } = (await confirmed(other, 'createBusiness', { business: { name: 'Secret' } })).json()
    const theirs = await call(agent, 'showBusiness', { business_id: business?.id })
    const nobodys = await call(agent, 'showBusiness', { business_id: 999_999 })
    assert.ok(theirs.isError)
    const unnamed = ({ texts }: Said) => texts.map((text) => text.replace(/"request_id":"[^"]+"/, ''))
    assert.deepEqual(unnamed(theirs), unnamed(nobodys))
    assert.equal(theirs.json().code, 'not_found')
    const wrong = await call(agent, 'createUser', { user: { ...dana(), email: 'nobody', login: 'no' }, dry_run: true })
    assert.deepEqual([wrong.isError, wrong.json().code], [true, 'validation_failed'])
    assert.doesNotMatch((await call(agent, 'listBusinesses')).texts.join(), /Secret/)
  })

  test('is told which argument she may have meant', async () => {
    assert.match((await call(agent, 'listUsers', { log_in: 'x' })).texts[0] ?? '', /did you mean login\?/)
    assert.match((await call(agent, 'showUser')).texts[0] ?? '', /user_id is missing/)
    assert.match((await call(agent, 'listUsers', { login: { is: 'x' } })).texts[0] ?? '', /must be text/)
    assert.ok((await call(agent, 'showUser', { user_id: '../accounts' })).isError)
    assert.ok((await call(agent, 'dropTables')).isError)
  })

  test('reads a long list page by page, and a report that is not too large', async () => {
    for (let at = 0; at < 101; at++) await acme.post('/api/businesses.json', { name: `Business ${at}` })
    const first = await call(agent, 'listBusinesses')
    const after = JSON.parse(/after: (".*")$/.exec(first.texts[1] ?? '')?.[1] ?? 'null') as string
    const second = await call(agent, 'listBusinesses', { after })
    assert.ok((second.json().businesses?.length ?? 0) > 0)
    assert.equal(second.texts.length, 1)
    const { id } = second.json().businesses?.[0] ?? assert.fail()
    const site = await createSite(house.operator, id, 'acme.example')
    assert.match((await call(agent, 'seoReport', { account_id: acme.accountId })).texts[0] ?? '', /"keywords":/)
    const phrases = Array.from({ length: 1_000 }, (_, at) => ({ phrase: `${at} ${'long '.repeat(30)}` }))
    for (const letter of ['a', 'b']) {
      const keywords = phrases.map(({ phrase }) => ({ phrase: `${letter}${phrase}` }))
      assert.equal((await acme.post(`/api/sites/${site.id}/keywords.json`, { keywords })).status, 200)
    }
    assert.match((await call(agent, 'seoReport', { account_id: acme.accountId })).texts[0] ?? '', /too large for a tool/)
  })

  test('speaks the protocol of 2026 too', async () => {
    const modern = await connect(acme.credentials, { versionNegotiation: { mode: 'auto' } })
    assert.ok((await modern.listTools()).tools.length > 10)
    assert.ok(!(await call(modern, 'listManagedAccounts')).isError)
  })

  test('gets the list of her tools from bytes that are kept for the scopes of her key, whatever their order', async () => {
    const list = async ({ key, password }: { key: string; password: string }) => {
      const { text } = await post(`${key}:${password}`, listing)
      return JSON.stringify((JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? '') as { result: { tools: unknown } }).result.tools)
    }
    const two = await issueKey(house.operator, acme.id, { scopes: ['ingest', 'report'] })
    const one = await issueKey(house.operator, acme.id, { scopes: ['report'] })
    assert.equal(await list(two), toolList(['report', 'ingest']).toString())
    assert.equal(await list(one), toolList(['report']).toString())
    assert.notEqual(await list(one), await list(two))
    assert.equal(toolList(['report', 'ingest']), toolList(['ingest', 'report', 'report']), 'the same bytes, not equal ones')
  })

  test('is told that a batch is not taken', async () => {
    const batches = [[listing, listing], [listing], [], [{ ...listing, params: { _meta: {} } }]].map((batch) => JSON.stringify(batch))
    for (const body of [...batches, ` \r\n\t${batches[0]}`]) {
      const reply = await post(acme.credentials, body)
      assert.deepEqual([reply.status, reply.headers['content-type']], [400, 'application/json'])
      assert.partialDeepStrictEqual(reply.json(), { jsonrpc: '2.0', id: null, error: { code: -32600 } })
    }
    for (const [body, code] of [
      ['', -32700],
      ['no JSON', -32700],
      ['7', -32600],
      ['null', -32600],
      ['['.repeat(200_000), -32700],
    ] as const) {
      const reply = await post(acme.credentials, body)
      assert.equal(reply.status, 400, body)
      assert.partialDeepStrictEqual(reply.json(), { error: { code } })
    }
  })

  test('is refused with more members than any tool has, wherever the protocol checks them', async () => {
    const members = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 1]))
    const messages = (count: number) => [
      { ...listing, ...members(count - 3) },
      { ...listing, params: members(count) },
      { ...listing, params: { _meta: members(count) } },
      { ...listing, method: 'tools/call', params: { name: 'listUsers', arguments: members(count) } },
    ]
    for (const message of messages(1_001)) {
      const reply = await post(acme.credentials, message)
      assert.equal(reply.status, 400)
      const error = { code: -32600, message: 'Invalid Request: an object has more than 1000 members' }
      assert.deepEqual(reply.json(), { jsonrpc: '2.0', id: 1, error })
    }
    for (const message of messages(1_000).slice(1)) assert.equal((await post(acme.credentials, message)).status, 200)
  })

  const listing = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const post = (credentials: string, body: string | object) =>
    house.stranger.ask('POST', '/mcp', {
      body: typeof body === 'string' ? body : JSON.stringify(body),
      type: 'application/json',
      credentials,
      headers: { accept: 'application/json, text/event-stream' },
    })

  test('is refused without key, without password, from a page of another site, by GET, and beyond her rate', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    const headers = { accept: 'application/json, text/event-stream' }
    const ask = (credentials: string | null, more: object = {}) =>
      house.stranger.ask('POST', '/mcp', { body, type: 'application/json', credentials, headers: { ...headers, ...more } })
    assert.equal((await ask(null)).status, 401)
    assert.equal((await ask(`${acme.key}:`)).status, 401)
    assert.equal((await ask(acme.credentials, { origin: 'https://evil.example' })).status, 403)
    assert.equal((await house.stranger.get('/mcp', { credentials: acme.credentials })).status, 405)
    assert.equal((await ask(acme.credentials)).status, 200)
    const large = await house.stranger.ask('POST', '/mcp', {
      body: ' '.repeat(300_000),
      type: 'application/json',
      credentials: acme.credentials,
    })
    assert.equal(large.status, 413)
    const { partner, key, password } = await slowPartner()
    assert.equal((await ask(`${key}:${password}`)).status, 200)
    const late = await ask(`${key}:${password}`)
    assert.deepEqual([late.status, late.headers['retry-after'] !== undefined], [429, true], partner.name)
  })

  async function slowPartner() {
    const { createPartner, setPartner } = await import('../../../src/model/partners/partners.ts')
    const made = await createPartner(house.operator, 'Slow')
    await setPartner(house.operator, made.partner.id, { reads_per_minute: 1 })
    return made
  }
})
