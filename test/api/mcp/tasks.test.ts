/** Agents by task: few tools are listed, each of the usual tasks is answered in under 8 KB, as data and as text, and documents and prompts are at hand. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { endpoints } from '../../../src/api/endpoints.ts'
import { tasks } from '../../../src/api/mcp/listed.ts'
import type { KeyScope } from '../../../src/model/core/caller.ts'
import { readNdjson } from '../../../src/model/imports/formats.ts'
import { importObservations } from '../../../src/model/imports/import.ts'
import { issueKey } from '../../../src/model/partners/keys/keys.ts'
import { suspendUser } from '../../../src/model/people/user-states.ts'
import { differencesOf, openRowbook } from '../../guards/bystanders/rows.ts'
import { newPerson } from '../../support/bodies.ts'
import { bytesOf } from '../../support/data.ts'
import { onEachEngine } from '../../support/engines.ts'
import { passingTables } from '../../support/every-endpoint.ts'
import { oddWorlds } from '../../support/page-worlds.ts'
import { basic, serviceOn, type TestPartner } from '../../support/service.ts'

const today = new Date().toISOString().slice(0, 10)
const mostBytes = 8 * 1024

onEachEngine('an assistant', (place) => {
  const house = serviceOn(place)
  const clients: Client[] = []
  let acme: TestPartner
  let globex: TestPartner
  let agent: Client
  let [site, user] = [0, 0]

  before(async () => {
    acme = await house.partner('Acme')
    globex = await house.partner('Globexcanary')
    for (const domain of ['oranges.example', 'both.example', 'lost.example']) {
      const business = await acme.client.createBusiness({ name: `Business of ${domain}` })
      const { id } = await acme.client.createSite({ business_id: business.id, domain })
      if (domain === 'oranges.example') site = id
      const lines = oddWorlds(today)[domain] ?? []
      const target = { partnerId: acme.id, accountId: acme.accountId }
      await importObservations(house.operator, target, readNdjson(bytesOf(lines as never)), { createMissing: true })
    }
    user = (await acme.client.createUser(newPerson(acme.accountId, { login: 'dana-acme', email: 'dana@acme.example' }))).id
    await globex.client.createBusiness({ name: 'Globexcanary shop' })
    agent = await connect(['provision', 'report', 'ingest'])
  })
  after(() => Promise.all(clients.map((client) => client.close())))

  async function connect(scopes: readonly KeyScope[], search = '', isBearer = false) {
    const { key, password } = await issueKey(house.operator, acme.id, { scopes })
    const authorization = isBearer ? `Bearer ${key}:${password}` : basic(`${key}:${password}`)
    const client = new Client({ name: 'tests', version: '1.0.0' })
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${house.url}/mcp${search}`), { requestInit: { headers: { authorization } } }),
    )
    clients.push(client)
    return client
  }

  const call = async (name: string, given: Record<string, unknown> = {}, client = agent) => {
    const result = await client.callTool({ name, arguments: given })
    const [first, ...more] = (result.content as { text: string }[]).map(({ text }) => text)
    return { ...result, text: first ?? '', more, bytes: Buffer.byteLength(JSON.stringify(result)) }
  }

  test('is shown at most 25 tools in under 30 KB, sorted by task, and all of them if it asks for all', async () => {
    const { tools } = await agent.listTools()
    assert.ok(tools.length <= 25, String(tools.length))
    assert.ok(Buffer.byteLength(JSON.stringify(tools)) < 30 * 1024, String(Buffer.byteLength(JSON.stringify(tools))))
    const named = Object.values(tasks).flat()
    assert.deepEqual(tools.map(({ name }) => name).toSorted(), named.toSorted())
    assert.ok(
      named.every((name) => endpoints.some(({ id }) => id === name)),
      'the table names operations that there are',
    )
    const all = (await (await connect(['provision', 'report', 'ingest'], '?tools=all')).listTools()).tools
    assert.ok(all.length > 90, String(all.length))
    for (const { name, outputSchema } of [...tools, ...all]) assert.equal(outputSchema?.type, 'object', name)
  })

  test('calls a tool that is not listed by its name', async () => {
    const { tools } = await agent.listTools()
    assert.ok(!tools.some(({ name }) => name === 'listBusinesses'))
    assert.match((await call('listBusinesses')).text, /Business of oranges\.example/)
  })

  test('gets answers as data and as the same text', async () => {
    for (const [name, given] of [
      ['showSiteSummary', { site_id: site }],
      ['listSites', {}],
      ['showUser', { user_id: user }],
    ] as const) {
      const { structuredContent, text } = await call(name, given)
      assert.deepEqual(structuredContent, JSON.parse(text), name)
    }
    const refused = await call('showSiteSummary', { site_id: 999_999 })
    assert.deepEqual([refused.isError, refused.structuredContent], [true, undefined])
  })

  test('answers each of the usual tasks in under 8 KB', async (context) => {
    const records = [{ type: 'keyword', site: 'oranges.example', phrase: 'pears' }]
    const pushed = await call('pushObservations', { observations: records, dry_run: true })
    const asked: readonly (readonly [task: string, name: string, given: Record<string, unknown>])[] = [
      ['find a site', 'listSites', { domain: 'oranges.example' }],
      ['find a site', 'listManagedAccounts', {}],
      ['how is it doing', 'showSiteSummary', { site_id: site }],
      ['how is it doing', 'listSiteSummaries', {}],
      ['what changed', 'listRankings', { site_id: site, phrase: 'keyword 1' }],
      ['why does this person see nothing', 'listUsers', { login: 'dana-acme' }],
      ['why does this person see nothing', 'showEffectiveAccess', { user_id: user }],
      ['why does this person see nothing', 'explainUserAccess', { user_id: user, scope_type: 'Site', scope_id: site }],
      ['why does this person see nothing', 'viewUserAbilities', { user_id: user }],
      [
        'why does this person see nothing',
        'updateUserAbilities',
        { user_id: user, abilities: [{ key: 'show', scope_type: 'Site', scope_id: site }], dry_run: true },
      ],
      ['provision a customer', 'createCustomer', { customer: { name: 'New', domain: 'new.example', keywords: 'a, b' }, dry_run: true }],
      ['provision a customer', 'showCustomer', { account_id: acme.accountId }],
      [
        'provision a customer',
        'createUser',
        { user: newPerson(acme.accountId, { login: 'eve-acme', email: 'eve@acme.example' }), dry_run: true },
      ],
      ['provision a customer', 'listKeywords', { site_id: site }],
      ['provision a customer', 'addKeywords', { site_id: site, keywords: [{ phrase: 'pears' }], dry_run: true }],
      ['provision a customer', 'addCompetitors', { site_id: site, competitors: [{ domain: 'plums.example' }], dry_run: true }],
      ['push, and import a file', 'pushObservations', { observations: records, dry_run: true }],
      ['push, and import a file', 'listIntakes', {}],
      ['undo', 'deleteSite', { site_id: site, dry_run: true }],
    ]
    assert.ok(!pushed.isError, pushed.text)
    for (const [task, name, given] of asked) {
      const { bytes, isError, text } = await call(name, given)
      assert.ok(!isError, `${name}: ${text}`)
      context.diagnostic(`${task} | ${name} | ${bytes}`)
      assert.ok(bytes < mostBytes, `${name} answers with ${bytes} bytes`)
    }
  })

  test('tells a short list where nobody says how long, and how it goes on', async () => {
    const short = await call('listRankings', { site_id: site })
    assert.equal((short.structuredContent as { rankings: unknown[] }).rankings.length, 20)
    const after = /after: ("[^"]+")/.exec(short.more.join())?.[1] ?? ''
    const next = await call('listRankings', { site_id: site, after: JSON.parse(after), limit: 3 })
    assert.equal((next.structuredContent as { rankings: unknown[] }).rankings.length, 3)
  })

  test('is told in one call what a user sees, and why nothing', async () => {
    type Seen = { sentence: string; sites: { site_id: number; open: boolean }[]; abilities: unknown[] }
    const seen = async () =>
      ((await call('showEffectiveAccess', { user_id: user })).structuredContent as { effective_access: Seen }).effective_access
    assert.match((await seen()).sentence, /sees nothing: there is no ability/)
    await acme.put(`/api/users/${user}/abilities.json`, { abilities: [{ key: 'show', scope_type: 'Site', scope_id: site }] })
    const one = await seen()
    assert.deepEqual(
      one.sites.map(({ site_id, open }) => [site_id, open]),
      [[site, true]],
    )
    assert.equal(one.abilities.length, 1)
    const { business_id } = (await acme.client.showSite(site)) as { business_id: number }
    await acme.client.deactivateBusiness(business_id)
    assert.match((await seen()).sentence, /opens none of these sites/)
    await acme.client.reactivateBusiness(business_id)
    await suspendUser(house.operator, user)
    assert.match((await seen()).sentence, /is suspended/)
    assert.equal((await globex.get(`/api/users/${user}/effective_access.json`))?.status, 404)
  })

  test('reads the errors, the import guide and other documents', async () => {
    const { resources } = await agent.listResources()
    const names = resources.map(({ name }) => name)
    for (const name of ['overview', 'errors', 'importing']) assert.ok(names.includes(name), names.join())
    for (const { uri, mimeType } of resources) {
      const { contents } = await agent.readResource({ uri })
      const text = (contents as { text: string }[])[0]?.text ?? ''
      assert.equal(mimeType, 'text/markdown')
      assert.match(text, /^# /, uri)
    }
    const [errors] = (await agent.readResource({ uri: 'marquee://docs/errors' })).contents as { text: string }[]
    assert.match(errors?.text ?? '', /validation_failed/)
    await assert.rejects(agent.readResource({ uri: 'marquee://docs/../secret' }), /There is no resource/)
  })

  test('finds three prompts, which say what they need', async () => {
    const { prompts } = await agent.listPrompts()
    assert.deepEqual(
      prompts.map(({ name }) => name),
      ['onboard_customer', 'monthly_review', 'data_check'],
    )
    const { messages } = await agent.getPrompt({ name: 'monthly_review', arguments: { site: 'oranges.example' } })
    const told = (messages as { content: { text: string } }[])[0]?.content.text ?? ''
    assert.match(told, /review of last month for the site oranges\.example/)
    const tools = endpoints.map(({ id }) => id)
    for (const { name } of prompts) {
      const { messages: said } = await agent.getPrompt({ name, arguments: { name: 'A', domain: 'a.example', site: 'a.example' } })
      for (const word of ((said as { content: { text: string } }[])[0]?.content.text ?? '').match(/\b(?:list|show|create)[A-Z]\w+/g) ?? [])
        assert.ok(tools.includes(word), word)
    }
    await assert.rejects(agent.getPrompt({ name: 'onboard_customer', arguments: { name: 'A' } }), /domain is missing/)
    await assert.rejects(agent.getPrompt({ name: 'nonsense' }), /no prompt nonsense/)
  })

  test('with a key that only reads, by a bearer token, changes nothing and sees nothing of others by any tool', async () => {
    const reader = await connect(['read'], '?tools=all', true)
    const { tools } = await reader.listTools()
    assert.ok(tools.length > 40 && tools.every(({ annotations }) => annotations?.readOnlyHint), String(tools.length))
    const book = await openRowbook(house.app.store, place.engine, (table) => !passingTables.includes(table))
    const rows = await book.read()
    const every = endpoints.filter(({ areLines }) => !areLines).map(({ id }) => id)
    for (const name of every) {
      const given = {
        site_id: site,
        user_id: user,
        account_id: acme.accountId,
        business_id: 1,
        scope_type: 'Site',
        scope_id: site,
        dry_run: true,
      }
      const known = Object.keys(tools.find((tool) => tool.name === name)?.inputSchema.properties ?? {})
      const { text, isError } = await call(name, Object.fromEntries(Object.entries(given).filter(([key]) => known.includes(key))), reader)
      assert.doesNotMatch(text, /canary/i, name)
      if (known.length === 0 && !tools.some((tool) => tool.name === name))
        assert.ok(isError && /There is no tool/.test(text), `${name}: ${text}`)
    }
    assert.deepEqual(differencesOf(rows, await book.read()), [])
  })
})
