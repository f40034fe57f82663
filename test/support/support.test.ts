import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import pg from 'pg'
import { engineNames, freshPlace, onEachEngine } from './engines.ts'
import { xmlFault, xmlTexts } from './xml.ts'

onEachEngine('a place', (place) => {
  test('is empty, has a folder and names its database', async () => {
    assert.ok(existsSync(place.folder))
    assert.equal(Boolean(place.env.DATABASE_URL), place.engine === 'postgres')
    if (place.env.DATABASE_URL) assert.ok((await tableNames(place.env.DATABASE_URL)).includes('schema_migrations'))
  })
})

describe('places', () => {
  for (const engine of engineNames) {
    test(`two on ${engine} share nothing, and nothing stays of them`, async () => {
      const [one, other] = [await freshPlace(engine), await freshPlace(engine)]
      assert.notDeepEqual(one.env, other.env)
      await Promise.all([one.remove(), other.remove()])
      assert.equal(existsSync(one.folder), false)
      if (one.env.DATABASE_URL) await assert.rejects(tableNames(one.env.DATABASE_URL), /does not exist/)
    })
  }
})

describe('the second XML parser', () => {
  test('takes what is well-formed and reads it', () => {
    assert.equal(xmlFault('<a><b>1</b><b>2</b></a>'), null)
    assert.deepEqual(xmlTexts('<a><b>1</b><b>&lt;</b></a>', '/a/b'), ['1', '<'])
  })

  test('names the fault of what is not', () => {
    for (const text of ['<123/>', '<a>', '<a/><b/>', '<a>\u0000</a>', '<a b="1" b="2"/>', '<a>&x;</a>']) assert.ok(xmlFault(text), text)
  })
})

describe('an error that nobody caught', () => {
  for (const [kind, work] of Object.entries({
    'of a promise': 'Promise.resolve().then(() => { throw new Error("left alone") })',
    'of a timer': 'setTimeout(() => { throw new Error("left alone") }, 1)',
  })) {
    test(`${kind} fails its file`, async () => {
      const script = `import { test } from 'node:test'; test('passes', () => {}); ${work}`
      const preload = join(import.meta.dirname, 'cheap-promises.ts')
      const { code, stdout } = await outcomeOf(['--import', preload, '--input-type=module', '-e', script])
      assert.equal(code, 1)
      assert.match(stdout, /left alone/)
    })
  }
})

async function outcomeOf(args: string[]): Promise<{ code: number; stdout: string }> {
  const { NODE_TEST_CONTEXT: _ofTheRunner, ...env } = process.env
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const [stdout, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
  return { code, stdout }
}

async function tableNames(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(`select table_name from information_schema.tables where table_schema = 'public'`)
  await client.end()
  return rows.map((row) => row.table_name)
}
