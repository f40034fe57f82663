/** The two commands that move whole accounts, run as docs/importing.md prints them, from one installation to another. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
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

  test('an export that the version 95e3176 wrote is taken whole', async () => {
    const there = await freshPlace('sqlite')
    const file = join(import.meta.dirname, '..', 'store', 'landed', '95e3176-export.ndjson')
    const [, imported, exported] = await marqueeEach(there, [
      'partner create --name Acme',
      `import ${file} --all --partner 1 --keep-ids`,
      'export --all --partner 1',
    ])
    assert.equal(imported?.code, 0, imported?.stderr)
    const linesOf = (text: string) =>
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>)
    const now = linesOf(exported?.stdout ?? '')
    const isThere = (line: Record<string, unknown>) =>
      now.some((one) => Object.entries(line).every(([name, value]) => JSON.stringify(one[name]) === JSON.stringify(value)))
    // The first line says where and when it was written; the partner's own account keeps the times that it has here.
    const lost = linesOf(readFileSync(file, 'utf8')).filter(
      (line) => line.type !== 'export' && !(line.type === 'account' && line.id === 1) && !isThere(line),
    )
    assert.deepEqual(lost, [])
    await there.remove()
  })

  test('ids are kept, or a file says what became of them, and a partner is called by its name', async () => {
    const there = await freshPlace('sqlite')
    const world = await makeWorld(place.env)
    await world.app.close()
    const [exported] = await marqueeEach(place, [`export --all --partner ${world.partnerId}`])
    const file = join(there.folder, 'accounts.ndjson')
    writeFileSync(file, exported?.stdout ?? '')
    const ids = join(there.folder, 'ids.csv')
    const [, , kept, again, , renamed] = await marqueeEach(there, [
      'partner create --name One',
      'partner create --name Two',
      `import ${file} --all --partner One --keep-ids`,
      `import ${file} --all --partner Two --keep-ids`,
      `import ${file} --all --partner Two --dry-run`,
      `import ${file} --all --partner Two --ids ${ids}`,
    ])
    assert.equal(kept?.code, 0, kept?.stderr)
    const here = (name: string, id: number) => `${name} \\(${id}, here ${id}\\)`
    const all = `${here('Acme', world.accountId - 1)}, ${here('First', world.accountId)}, ${here('Second', world.otherAccountId)}`
    assert.match(kept?.stdout ?? '', new RegExp(`3 accounts: ${all}\\.`))
    assert.match(again?.stderr ?? '', /The id of account \d+ was used here before/)
    assert.match(renamed?.stdout ?? '', /Account 2 was here already and keeps its name, Two, its time zone and its times\./)
    const lines = readFileSync(ids, 'utf8').trimEnd().split('\n')
    assert.equal(lines[0], 'kind,old,new')
    assert.ok(lines.includes(`account,${world.accountId - 1},2`), lines.join())
    assert.equal(lines.filter((line) => line.startsWith('site,')).length, 3)
    const [mapped] = await marqueeEach(there, [
      `import ${join(import.meta.dirname, '../../docs/samples/serpbear.csv')} --partner Two --map ${ids} --dry-run`,
    ])
    assert.doesNotMatch(mapped?.stderr ?? '', /not kind,old,new/)
    await there.remove()
  })

  test('what cannot be meant is refused with a sentence', async () => {
    const outcomes = await marqueeEach(place, [
      'export --all',
      'export --partner 1',
      'export --all --partner 1 --kind rankings',
      'import x.ndjson --all --site 1',
      'import a b --all --partner 1',
      'import - --all --partner 1 --keep-ids',
      'import a --all --account 1 --keep-ids',
      'import a --all --partner 1 --dry-run --ids b',
    ])
    const said = [
      /--partner or --account/,
      /--partner goes with --all/,
      /leave out --kind/,
      /not for a site/,
      /in one file/,
      /name a file, not -/,
      /say --partner/,
      /leave out --ids/,
    ]
    for (const [i, { code, stderr }] of outcomes.entries()) {
      assert.equal(code, 2)
      assert.match(stderr, said[i] as RegExp)
    }
  })
})
