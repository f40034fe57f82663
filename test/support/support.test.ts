import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
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
    test(`${kind} fails its process`, async () => {
      const script = `import { test } from 'node:test'; test('passes', () => {}); ${work}`
      const preload = join(import.meta.dirname, 'cheap-promises.ts')
      const { code, stdout } = await outcomeOf(['--import', preload, '--input-type=module', '-e', script])
      assert.equal(code, 1)
      assert.match(stdout, /left alone/)
    })
  }
})

describe('files that share a process', () => {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-files-'))
  after(() => rmSync(folder, { recursive: true }))

  const outcomeOfFiles = async (files: Record<string, string>, minutes = '5') => {
    for (const [name, source] of Object.entries(files))
      writeFileSync(join(folder, name), `import { after, before, test } from 'node:test'\n${source}`)
    const paths = Object.keys(files).map((name) => join(folder, name))
    const script = `import { fileSuites } from ${JSON.stringify(join(import.meta.dirname, 'file-suites.ts'))}; fileSuites(${JSON.stringify(paths)})`
    return outcomeOf(['--input-type=module', '-e', script], { TEST_MINUTES: minutes })
  }

  test('have their hooks for themselves', async () => {
    const first = `before(() => console.log('one begins')); test('one', () => {}); after(() => console.log('one ends'))`
    const { code, stdout } = await outcomeOfFiles({ 'one.mjs': first, 'two.mjs': `test('two', () => console.log('two runs'))` })
    assert.equal(code, 0)
    assert.deepEqual(stdout.match(/(one|two) (begins|runs|ends)/g), ['one begins', 'one ends', 'two runs'])
  })

  test('run although one of them cannot be loaded, which counts as a failed test', async () => {
    const { code, stdout } = await outcomeOfFiles({ 'waits.mjs': 'await 0', 'works.mjs': `test('works', () => console.log('works runs'))` })
    assert.equal(code, 1)
    assert.match(stdout, /works runs/)
    assert.match(stdout, /fail 1\n/)
    assert.match(stdout, /waits\.mjs/)
  })

  test('say in which of them their process ended', async () => {
    const { code, stderr } = await outcomeOfFiles({
      'stays.mjs': `test('stays', () => {})`,
      'leaves.mjs': `test('leaves', () => process.exit(3))`,
    })
    assert.equal(code, 3)
    assert.match(stderr, /^The process ended with 3 in .*leaves\.mjs\n$/)
  })

  test('end with the name of the file they had come to when something does not end', async () => {
    const { code, stderr } = await outcomeOfFiles({ 'stays.mjs': `test('stays', () => void setInterval(() => {}, 1000))` }, '0.02')
    assert.equal(code, 1)
    assert.match(stderr, /stays\.mjs went on for 0\.02 minutes without the end of a test; still open: .*1 Timeout/)
  })
})

async function outcomeOf(args: string[], more: Record<string, string> = {}): Promise<{ code: number; stdout: string; stderr: string }> {
  const { NODE_TEST_CONTEXT: _ofTheRunner, ...env } = process.env
  const child = spawn(process.execPath, args, { env: { ...env, ...more }, stdio: ['ignore', 'pipe', 'pipe'] })
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code, stdout, stderr }
}

async function tableNames(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(`select table_name from information_schema.tables where table_schema = 'public'`)
  await client.end()
  return rows.map((row) => row.table_name)
}
