/** The command line as a whole: every command explains itself, every failure is a sentence, every outcome a code. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { commands } from '../../src/cli/commands.ts'
import { marquee, marqueeEach } from '../support/command.ts'
import { freshPlace, type Place } from '../support/engines.ts'

const launcher = join(import.meta.dirname, '..', '..', 'bin', 'marquee.js')

// biome-ignore format: a table reads by its columns
const wrong = [
  'frobnicate', 'partner', 'partner frobnicate', 'partner create', 'partner show', 'partner show abc', 'partner show 0', 'partner show 1.5',
  'partner show 1 2', 'partner set 1 --names greek', 'partner set 1 --reads-per-minute -3', 'partner list --frob', 'key revoke short',
  'key issue --partner 1 --scope all', 'key issue --partner 1 --expires tomorrow', 'user set-password 1',
  'key issue --partner 1 --expires 2026-01-01', 'user set-password 1 --generate --password-stdin', 'demo --scale 0',
]

describe('the command line', () => {
  let place: Place
  before(async () => {
    place = await freshPlace('sqlite')
  })
  after(() => place?.remove())

  test('every command has help with an example that the command would take', async () => {
    const helps = await marqueeEach(
      place,
      commands.map(({ words }) => `${words} --help`),
    )
    for (const [index, { words, example }] of commands.entries()) {
      const { code, stdout } = helps[index] ?? { code: -1, stdout: '' }
      assert.equal(code, 0, words)
      assert.ok(stdout.includes(`$ marquee ${words} ${example}`.trimEnd()), stdout)
      for (const [flag] of example.matchAll(/--[\w-]+/g))
        assert.match(stdout, new RegExp(`^  ${flag}\\b`, 'm'), `${words} does not know ${flag}`)
    }
  })

  test('wrong usage ends with 2 and a sentence on standard error', async () => {
    const outcomes = await marqueeEach(place, wrong)
    assert.equal(outcomes.length, wrong.length)
    for (const [index, { code, stdout, stderr }] of outcomes.entries()) {
      assert.equal(code, 2, wrong[index])
      assert.equal(stdout, '', wrong[index])
      assert.ok(stderr.length > 10 && !stderr.includes('    at '), stderr)
    }
  })

  test('wrong usage ends the process with 2, a stated failure with 1', async () => {
    assert.equal((await marquee(place, 'partner show abc')).code, 2)
    assert.equal((await marquee(place, 'partner show 99')).code, 1)
  })

  test('it tells its version', async () => {
    const { code, stdout } = await marquee(place, '--version')
    assert.equal(code, 0)
    assert.match(stdout, /^\d+\.\d+\.\d+\n$/)
  })

  test('what belongs to a partner that nobody knows is no empty list', async () => {
    for (const { code, stderr } of await marqueeEach(place, ['account list --partner 99', 'key list --partner 99'])) {
      assert.equal(code, 1)
      assert.match(stderr, /^Partner not found\.$/m)
    }
  })

  test('a data folder that cannot be made is told in a sentence', async () => {
    const { code, stderr } = await marquee(place, 'partner list', { env: { DATA_DIR: '/proc/marquee/data' } })
    assert.equal(code, 1)
    assert.match(stderr, /^There is no database in \/proc\/marquee\/data\./)
    const made = await marquee(place, 'migrate --init', { env: { DATA_DIR: '/proc/marquee/data' } })
    assert.deepEqual([made.code, made.stderr], [1, 'No folder can be made at /proc/marquee.\n'])
  })

  test('whoever types a whole key as an argument is told not to', async () => {
    const { code, stderr } = await marquee(place, `key revoke mq_AbC12345_${'x'.repeat(36)}`)
    assert.equal(code, 2)
    assert.match(stderr, /Name the key by its public part, AbC12345/)
  })

  const settings: readonly [env: Record<string, string>, sentence: RegExp][] = [
    [{ PORT: 'eighty' }, /^PORT must be a port number/],
    [{ TIME_ZONE: 'Mars/Olympus' }, /^TIME_ZONE must be a time zone/],
    [{ BASE_URL: 'example.com' }, /^BASE_URL must be an address starting with http/],
    [{ MARQUEE_NAMES: 'greek' }, /^MARQUEE_NAMES must be one of encoded, legacy/],
    [{ MARQUEE_SMTP_URL_FILE: '/nowhere' }, /^MARQUEE_SMTP_URL_FILE names a file that cannot be read/],
    [{ DATABASE_URL: 'mysql://root:hunter2@127.0.0.1/x' }, /^DATABASE_URL must be an address such as postgres/],
    [
      { DATABASE_URL: 'postgres://root:hunter2@127.0.0.1:1/x' },
      /^The database cannot be reached: connect ECONNREFUSED 127\.0\.0\.1:1\. Check that the server runs there/,
    ],
  ]
  test('a bad setting ends with 1 and a sentence that names it and no secret', async () => {
    for (const [env, sentence] of settings) {
      const { code, stderr } = await marquee(place, 'partner list', { env })
      assert.equal(code, 1)
      assert.match(stderr, sentence)
      assert.equal(stderr.trim().split('\n').length, 1, stderr)
      assert.ok(!stderr.includes('hunter2'))
    }
  })

  test('an unknown setting stops the service and its doctor, and other commands only warn of it', async () => {
    const env = { MARQUEE_FROB: '1' }
    const file = join(place.folder, 'newer.env')
    writeFileSync(file, 'MARQUEE_FROB=1\n')
    for (const [words, given, told] of [
      ['', { env }, 'MARQUEE_FROB is not a setting of Marquee.'],
      [` --env-file ${file}`, {}, `MARQUEE_FROB in ${file} is not a setting of Marquee.`],
    ] as const) {
      for (const command of ['serve', 'doctor']) {
        const { code, stderr } = await marquee(place, command + words, given)
        assert.deepEqual([code, stderr], [1, `${told}\n`], command)
      }
      const { code, stderr, stdout } = await marquee(place, `partner list${words}`, given)
      assert.deepEqual([code, stderr], [0, `${told} It is left alone.\n`])
      assert.notEqual(stdout, '')
    }
  })

  test('a file that is not there, and a folder in its place, are told in a sentence', async () => {
    await marquee(place, 'partner create --name Acme')
    const [missing, folder] = await marqueeEach(place, ['import nowhere.csv --partner 1', `import ${place.folder} --partner 1`])
    assert.deepEqual([missing?.code, missing?.stderr], [1, 'There is no nowhere.csv.\n'])
    assert.deepEqual([folder?.code, folder?.stderr], [1, 'A folder was named where a file is needed.\n'])
    const inFile = await marquee(place, 'migrate --init', { env: { DATA_DIR: join(place.folder, 'secret') } })
    assert.deepEqual(
      [inFile.code, inFile.stderr],
      [1, `${join(place.folder, 'secret')} is no folder, and there is something else in its place.\n`],
    )
  })

  test('whoever reads only the beginning of an export is no failure', async () => {
    const site = (index: number) => JSON.stringify({ type: 'site', site: `site-${index}.example`, business: 'b'.repeat(200) })
    const lines = Array.from({ length: 1500 }, (_, index) => site(index)).join('\n')
    assert.equal((await marquee(place, 'import - --account 1 --create-missing', { stdin: lines })).code, 0)
    for (const words of ['export', 'audit export']) {
      const child = spawn(process.execPath, [launcher, ...words.split(' ')], { env: { PATH: process.env.PATH ?? '', ...place.env } })
      child.stdout.once('data', () => child.stdout.destroy())
      const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
      assert.deepEqual([code, stderr], [0, ''], words)
    }
  })

  test('whoever closes the pipe at once gets no stack, and the status of the command', async () => {
    const outcomes: readonly [words: string, code: number][] = [
      ['--help', 0],
      ['partner create --help', 0],
      ['--version', 0],
      ['partner list', 0],
      ['import --template', 0],
      ['partner show 99', 1],
      ['partner frobnicate', 2],
    ]
    for (const [words, wanted] of outcomes) {
      for (const closed of ['stdout', 'stderr'] as const) {
        const child = spawn(process.execPath, [launcher, ...words.split(' ')], { env: { PATH: process.env.PATH ?? '', ...place.env } })
        child[closed].destroy()
        const [printed, [code]] = await Promise.all([text(closed === 'stdout' ? child.stderr : child.stdout), once(child, 'close')])
        assert.equal(code, wanted, `${words}, without ${closed}: ${printed}`)
        assert.doesNotMatch(printed, /EPIPE| {4}at /)
      }
    }
  })

  test('output that cannot be written is a failure', async () => {
    const full = openSync('/dev/full', 'w')
    const env = { PATH: process.env.PATH ?? '', ...place.env }
    for (const words of [['--version'], ['partner', 'list']]) {
      const { status, stderr } = spawnSync(process.execPath, [launcher, ...words], {
        env,
        stdio: ['ignore', full, 'pipe'],
        encoding: 'utf8',
      })
      assert.deepEqual([status, stderr], [1, 'Something went wrong: ENOSPC: no space left on device, write\n'])
    }
    closeSync(full)
  })

  test('a command loads its own file and none of the others', () => {
    const tell = `require('node:module').registerHooks({ load(url, context, next) { console.error(url); return next(url, context) } })
      process.argv.splice(1, 1); import(process.argv[1])`
    const { stderr } = spawnSync(process.execPath, ['-e', tell, '-', launcher, 'partner', 'list'], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH ?? '', ...place.env },
    })
    const loaded = [...stderr.matchAll(/src\/cli\/commands\/(\S+)/g)].map(([, file]) => file)
    assert.deepEqual(loaded, ['provisioning/partner.ts'])
    assert.doesNotMatch(stderr, /node_modules\/(csv-parse|pino|prom-client)\//)
  })

  test('an old Node is told so in one sentence', () => {
    const old = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } }); import(process.argv[1])"
    const { status, stderr } = spawnSync(process.execPath, ['-e', old, launcher], { encoding: 'utf8' })
    assert.equal(status, 1)
    assert.match(stderr, /^Marquee needs Node.js 24 or newer.*\n$/)
  })
})
