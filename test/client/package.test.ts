/** The client as a package: installed by the printed line into an empty folder, used under strict types, and the same bytes for ever. */
import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { addDevelopmentVersion, clientTarball, filesIn, nameOf, releases, sourceVersion } from '../../scripts/client-package.ts'
import { freshPlace, type Place } from '../support/engines.ts'
import { serviceOn } from '../support/service.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..', '..')
const kept = join(root, 'client')
const golden: Record<string, string> = JSON.parse(readFileSync(join(root, 'test', 'golden', 'client-releases.json'), 'utf8'))

/** Run twice, it finds what it has made. */
const program = `import { Marquee, type NewCustomer, type ReportStream } from '@marquee/client'

const { SERVICE_URL = '', KEY = '', PASSWORD = '' } = process.env
const marquee = new Marquee({ url: SERVICE_URL, key: KEY, password: PASSWORD, app: 'onboarding/1.0' })
const customers: NewCustomer[] = Array.from({ length: 50 }, (_, at) => ({ name: \`Customer \${at}\`, domain: \`customer-\${at}.example\` }))
let created = 0
for (const [at, customer] of customers.entries()) {
  const onHeaders = (headers: Headers) => {
    if (headers.get('idempotency-replayed') !== 'true') created++
  }
  await marquee.createCustomer(customer, undefined, { idempotencyKey: \`crm-\${at}\`, onHeaders })
}
const table: ReportStream = await marquee.streamSeoReport({ table: 'metrics' }, { format: 'csv' })
await table.body?.cancel()
console.log(JSON.stringify({ created, accounts: (await marquee.listManagedAccounts().toArray()).length }))
`

describe('the package of the client, in an empty folder', () => {
  const place = {} as Place
  const folder = mkdtempSync(join(tmpdir(), 'marquee-empty-'))
  before(async () => {
    Object.assign(place, await freshPlace('sqlite'))
  })
  const house = serviceOn(place)
  after(async () => {
    rmSync(folder, { recursive: true })
    await place.remove()
  })

  test('is installed by the line of the documentation, alone, with the hash that stands there', async () => {
    const page = (await house.stranger.get('/docs/client')).text
    const [, address = ''] = /npm install http:\/\/marquee\.test(\/client\/marquee-client-[\w.-]+\.tgz)/.exec(page) ?? []
    assert.ok(readFileSync(join(root, 'README.md'), 'utf8').includes(`npm install http://127.0.0.1:8080${address}`), address)
    const own = ['--cache', join(folder, '.cache'), '--no-audit', '--no-fund', '--loglevel=error']
    await run('npm', ['install', ...own, `${house.url}${address}`], { cwd: folder, timeout: 60_000 })
    const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
    assert.deepEqual(Object.keys(packages), ['', 'node_modules/@marquee/client'])
    assert.ok(page.includes(packages['node_modules/@marquee/client'].integrity))
  })

  test('holds under the strictest types of both kinds of module, and asks for the table of CSV', () => {
    writeFileSync(join(folder, 'program.mts'), program)
    check('nodenext', 'program.mts')
    check('bundler', 'program.mts')
    for (const [name, wrong] of [
      ['untabled.mts', program.replace("{ table: 'metrics' }", '{}')],
      ['texted.mts', program.replace('[at, customer]', '[at, _]').replace('customer, undefined', '42, undefined')],
    ] as const) {
      writeFileSync(join(folder, name), wrong)
      assert.throws(() => check('nodenext', name), /Command failed/, name)
    }
  })

  test('makes 50 customers, and none when it runs again', async () => {
    const acme = await house.partner('Acme')
    const env = { PATH: process.env.PATH, SERVICE_URL: house.url, KEY: acme.key, PASSWORD: acme.password }
    const report = async () => JSON.parse((await run(process.execPath, ['program.mts'], { cwd: folder, env, timeout: 60_000 })).stdout)
    const [first, second] = [await report(), await report()]
    assert.deepEqual([first.created, second.created, second.accounts], [50, 0, first.accounts])
  })

  test('is served for ever under its version, from the bare name too, and not at all under another', async () => {
    const [newest = ''] = releases(kept).toReversed()
    const bare = await house.stranger.get('/client/marquee-client.tgz')
    assert.deepEqual([bare.status, bare.headers.location], [302, `/client/${nameOf(newest)}`])
    const whole = await house.stranger.get(`/client/${nameOf(newest)}`)
    assert.match(String(whole.headers['cache-control']), /immutable/)
    assert.equal((await house.stranger.get('/client/marquee-client-99.0.0.tgz')).status, 404)
  })

  function check(resolution: 'nodenext' | 'bundler', file: string): void {
    const strict = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--skipLibCheck', 'false']
    const kind = ['--module', resolution === 'bundler' ? 'esnext' : 'nodenext', '--moduleResolution', resolution]
    const options = [
      ...strict,
      ...kind,
      '--target',
      'es2024',
      '--lib',
      'es2024,dom,dom.asynciterable',
      '--types',
      'node',
      '--typeRoots',
      join(root, 'node_modules/@types'),
    ]
    execFileSync(join(root, 'node_modules', '.bin', 'tsc'), [...options, file], { cwd: folder, stdio: 'pipe' })
  }
})

describe('the packages that are kept', () => {
  test('are what was released, byte for byte', () => {
    const hashes = releases(kept).map((version) => [
      version,
      `sha512-${createHash('sha512')
        .update(readFileSync(join(kept, nameOf(version))))
        .digest('base64')}`,
    ])
    assert.deepEqual(Object.fromEntries(hashes), golden)
  })

  test('are older than what the sources say', () => {
    assert.ok(!releases(kept).includes(sourceVersion()), `src/client/version.ts names ${sourceVersion()}, which is released`)
  })

  test('come from sources that make the same bytes each time, and name no other package', () => {
    const [first, second] = [clientTarball(), clientTarball()]
    assert.ok(first.equals(second))
    const manifest = JSON.parse(String(filesIn(gunzipSync(first)).get('package.json')))
    assert.deepEqual([manifest.name, manifest.version, manifest.dependencies], ['@marquee/client', sourceVersion(), undefined])
  })

  test('get a version named by its content beside them only while the sources say something else', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'marquee-clients-'))
    t.after(() => rmSync(folder, { recursive: true }))
    addDevelopmentVersion(folder)
    const names = execFileSync('ls', [folder], { encoding: 'utf8' })
    assert.match(names, /^marquee-client-\d+\.\d+\.\d+-dev-[0-9a-f]{8}\.tgz\n$/)
    addDevelopmentVersion(folder)
    assert.equal(execFileSync('ls', [folder], { encoding: 'utf8' }), names)
    writeFileSync(join(folder, nameOf('99.0.0')), clientTarball('99.0.0'))
    rmSync(join(folder, names.trim()))
    addDevelopmentVersion(folder)
    assert.deepEqual(execFileSync('ls', [folder], { encoding: 'utf8' }), `${nameOf('99.0.0')}\n`)
  })
})
