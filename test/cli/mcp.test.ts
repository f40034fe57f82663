/** `marquee mcp` with the official client over standard input and output, against the real service. */
import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { marquee } from '../support/command.ts'
import { freshPlace, type Place } from '../support/engines.ts'
import { serviceOn, type TestPartner } from '../support/service.ts'

const root = join(import.meta.dirname, '..', '..')

describe('an agent over standard input and output', () => {
  const place = {} as Place
  before(async () => {
    Object.assign(place, await freshPlace('sqlite'))
  })
  const house = serviceOn(place)
  const file = join(tmpdir(), `mcp-credentials-${process.pid}`)
  let acme: TestPartner

  before(async () => {
    acme = await house.partner('Acme')
    writeFileSync(file, `${acme.credentials}\n`, { mode: 0o600 })
  })
  after(() => {
    rmSync(file)
    return place.remove()
  })

  for (const mode of ['legacy', 'auto'] as const) {
    test(`lists tools, calls one, and is refused in words (${mode})`, async () => {
      const client = new Client({ name: 'tests', version: '1.0.0' }, { versionNegotiation: { mode } })
      const args = [join(root, 'bin', 'marquee.js'), 'mcp', house.url, '--credentials', file]
      await client.connect(new StdioClientTransport({ command: process.execPath, args, env: { PATH: process.env.PATH ?? '' } }))
      try {
        assert.ok((await client.listTools()).tools.some(({ name }) => name === 'createUser'))
        const { content } = await client.callTool({ name: 'listManagedAccounts', arguments: {} })
        assert.match((content as { text: string }[])[0]?.text ?? '', /"name":"Acme"/)
        const refused = await client.callTool({ name: 'createBusiness', arguments: { business: { name: 'Rash' } } })
        assert.equal(refused.isError, true)
      } finally {
        await client.close()
      }
    })
  }

  test('says what is wrong with the key, the address or the message', async () => {
    const ask = { jsonrpc: '2.0', id: 7, method: 'tools/list' }
    const wrong = join(tmpdir(), `mcp-wrong-${process.pid}`)
    writeFileSync(wrong, `${acme.key}:mqs_wrong`)
    const unknown = await marquee(place, 'mcp', house.url, '--credentials', wrong, { stdin: `${JSON.stringify(ask)}\n` })
    assert.match(JSON.parse(unknown.stdout).error.message, /^401 /)
    assert.equal(JSON.parse(unknown.stdout).id, 7)
    const nobody = await marquee(place, 'mcp http://127.0.0.1:9 --credentials', file, { stdin: `${JSON.stringify(ask)}\nnonsense\n` })
    assert.match(nobody.stdout, /cannot be reached/)
    assert.match(nobody.stdout, /"code":-32700/)
    rmSync(wrong)
    const missing = await marquee(place, 'mcp', house.url, '--credentials', wrong)
    assert.deepEqual([missing.code, missing.stdout], [2, ''])
    assert.match(missing.stderr, /cannot be read/)
  })
})
