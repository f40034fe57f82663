/** The two commands that move whole accounts, run as docs/importing.md prints them, from one installation to another. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { marquee, marqueeEach } from '../support/command.ts'
import { makeWorld } from '../support/data.ts'
import { freshPlace, onEngine } from '../support/engines.ts'

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'importing.md'), 'utf8')
const [, block = ''] = /## Moving whole accounts[\s\S]*?```sh\n([\s\S]*?)```/.exec(page) ?? []
const [out = '', back = ''] = block.trim().split('\n')

onEngine('sqlite', 'whole accounts', (place) => {
  test('the commands do what the page says', async () => {
    const there = await freshPlace('sqlite')
    for (const { env } of [place, there]) await (await makeWorld(env)).app.close()
    await marqueeEach(there, ['partner create --name Second'])
    const person = '--account 2 --login dana1 --email dana@people.example --generate --owner'
    const [made] = await marqueeEach(place, [`user create ${person}`])
    assert.equal(made?.code, 0, made?.stderr)
    const [command, file] = out.replace(/^marquee /, '').split(' > ')
    const exported = await marquee(place, command as string)
    assert.equal(exported.code, 0, exported.stderr)
    assert.equal(file, 'accounts.ndjson')
    const tried = await marquee(there, 'import - --all --partner 2 --dry-run', { stdin: exported.stdout })
    assert.equal(tried.code, 0, tried.stderr)
    assert.match(tried.stdout, /sites +3 +0 +0 +0/)
    assert.match(tried.stdout, /Nothing was stored; this is what would be\./)
    const imported = await marquee(there, back.replace(/^marquee /, '').replace(file, '-'), { stdin: exported.stdout })
    assert.equal(imported.code, 0, imported.stderr)
    assert.match(imported.stdout, /sites +3 +0 +0 +0/)
    assert.match(imported.stdout, /1 user came without a password: `marquee user login-link` lets each in\./)
    const again = await marquee(there, 'import - --all --partner 1', { stdin: exported.stdout })
    assert.match(again.stdout, /Left out: user dana1: the login or email is taken\./)
    await there.remove()
  })

  test('what cannot be meant is refused with a sentence', async () => {
    const outcomes = await marqueeEach(place, [
      'export --all',
      'export --partner 1',
      'export --all --partner 1 --kind rankings',
      'import x.ndjson --all --site 1',
      'import a b --all --partner 1',
    ])
    const said = [/--partner or --account/, /--partner goes with --all/, /leave out --kind/, /not for a site/, /in one file/]
    for (const [i, { code, stderr }] of outcomes.entries()) {
      assert.equal(code, 2)
      assert.match(stderr, said[i] as RegExp)
    }
  })
})
