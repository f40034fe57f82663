/** A password typed at a terminal: asked for twice, seen by nobody. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { marquee } from '../support/command.ts'
import { freshPlace, type Place } from '../support/engines.ts'

const launcher = join(import.meta.dirname, '..', '..', 'bin', 'marquee.js')

describe('a password typed at a terminal', () => {
  let place: Place
  before(async () => {
    const hasTerminal = spawnSync('script', ['--version']).status === 0
    assert.ok(hasTerminal, 'script(1) makes the terminal for this test: install it (Debian: bsdutils)')
    place = await freshPlace('sqlite')
    await marquee(place, 'partner create --name Acme')
  })
  after(() => place?.remove())

  test('is not echoed, and taken when it was typed the same twice', async () => {
    const { code, screen } = await typing(place, 'dana-typing', 'hunter22x\u007f\r', 'hunter22\r')
    assert.equal(code, 0, screen)
    assert.ok(!screen.includes('hunter'), screen)
  })

  test('is refused when the two differ, or when the operator gives up', async () => {
    assert.equal((await typing(place, 'lee-typing', 'hunter22\r', 'hunter23\r')).code, 2)
    assert.equal((await typing(place, 'kim-typing', '\u0003')).code, 2)
    assert.equal((await marquee(place, 'user list --json')).json<{ users: unknown[] }>().users.length, 1)
  })
})

/** Answers each question with the next keys. */
async function typing(place: Place, login: string, ...keys: string[]): Promise<{ code: number; screen: string }> {
  const command = `${process.execPath} ${launcher} user create --account 1 --email ${login}@acme.example --login ${login}`
  const terminal = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    env: { PATH: process.env.PATH ?? '', ...place.env },
  })
  let [screen, asked] = ['', 0]
  terminal.stdout.on('data', (chunk) => {
    screen += chunk
    for (const questions = screen.match(/(Password|Again): /g)?.length ?? 0; asked < questions; asked += 1)
      terminal.stdin.write(keys[asked] ?? '')
  })
  const [code] = await once(terminal, 'close')
  return { code, screen }
}
