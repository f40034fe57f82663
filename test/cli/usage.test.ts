/** The command line as a whole: every command explains itself, every failure is a sentence, every outcome a code. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { commands } from '../../src/cli/commands.ts'
import { marquee, marqueeEach } from '../support/command.ts'
import { freshPlace, type Place } from '../support/engines.ts'

// biome-ignore format: a table reads by its columns
const wrong = [
  'frobnicate', 'partner', 'partner frobnicate', 'partner create', 'partner show', 'partner show abc', 'partner show 0', 'partner show 1.5',
  'partner show 1 2', 'partner set 1 --names greek', 'partner set 1 --reads-per-minute -3', 'partner list --frob', 'key revoke short',
  'key issue --partner 1 --scope all', 'key issue --partner 1 --expires tomorrow', 'user set-password 1',
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
    [{ MARQUEE_FROB: '1' }, /^MARQUEE_FROB is not a setting of Marquee/],
    [{ MARQUEE_SMTP_URL_FILE: '/nowhere' }, /^MARQUEE_SMTP_URL_FILE names a file that cannot be read/],
    [{ DATABASE_URL: 'mysql://root:hunter2@127.0.0.1/x' }, /^DATABASE_URL must be an address starting with postgres/],
    [{ DATABASE_URL: 'postgres://root:hunter2@127.0.0.1:1/x' }, /^The database cannot be reached/],
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

  test('an old Node is told so in one sentence', () => {
    const old = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } }); import(process.argv[1])"
    const launcher = join(import.meta.dirname, '..', '..', 'bin', 'marquee.js')
    const { status, stderr } = spawnSync(process.execPath, ['-e', old, launcher], { encoding: 'utf8' })
    assert.equal(status, 1)
    assert.match(stderr, /^Marquee needs Node.js 24 or newer.*\n$/)
  })
})
