/** What an operator installs: a tarball with JavaScript and nothing of the workshop, the files that run and watch it, and the packages of the client that it serves. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { onEngine } from './support/engines.ts'
import { findPromtool } from './support/promtool.ts'
import { copySentFiles, isSentToDocker } from './support/sent-to-docker.ts'
import { serviceOn } from './support/service.ts'

const root = join(import.meta.dirname, '..')
const deployed = (name: string) => join(root, 'deploy', name)
const has = (program: string) => spawnSync('which', [program]).status === 0

let folder: string
let tarball: string
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'marquee-package-'))
  tarball = packAsDockerfile(join(folder, 'build'))
})
after(() => rmSync(folder, { recursive: true, force: true }))

/** From exactly the files that the image is built from, by the line that builds it. */
function packAsDockerfile(build: string): string {
  copySentFiles(build)
  symlinkSync(join(root, 'node_modules'), join(build, 'node_modules'))
  const [, line = ''] = /^RUN (npm run -s package) && /m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8')) ?? []
  execFileSync('sh', ['-c', line], { cwd: build })
  return join(build, globSync('marquee-*.tgz', { cwd: build })[0] ?? '')
}

describe('the package', () => {
  let names: string[]
  before(() => {
    const place = unpackBelow(folder)
    names = execFileSync('tar', ['tzf', tarball], { encoding: 'utf8' }).trim().split('\n')
    symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'))
  })

  test('holds what is needed and nothing else', () => {
    for (const name of ['bin/marquee.js', 'dist/main.js', 'dist/web/assets/style.css', 'deploy/marquee.service', 'npm-shrinkwrap.json'])
      assert.ok(names.includes(`package/${name}`), name)
    assert.ok(
      names.some((name) => /^package\/client\/marquee-client-\d+\.\d+\.\d+\.tgz$/.test(name)),
      'a released client',
    )
    assert.deepEqual(
      names.filter((name) => /\/(src|test|bench|data|node_modules)\/|\.png$|(?<!\.d)\.ts$/.test(name)),
      [],
    )
  })

  test('names exact versions of everything below it, without a host and without tools', () => {
    const lock = JSON.parse(readFileSync(join(folder, 'node_modules/marquee/npm-shrinkwrap.json'), 'utf8'))
    const packages = Object.entries(lock.packages as Record<string, { version?: string; resolved?: string; devDependencies?: object }>)
    assert.ok(packages.length > 40)
    assert.ok(!packages.some(([name]) => /typescript|biome|playwright/.test(name)))
    for (const [name, { version, resolved, devDependencies }] of packages)
      assert.ok(version !== undefined && resolved === undefined && devDependencies === undefined, name)
  })

  test('runs below node_modules, started by any Node', () => {
    const run = (...words: string[]) =>
      spawnSync(process.execPath, [join(folder, 'node_modules/marquee/bin/marquee.js'), ...words], {
        encoding: 'utf8',
        env: { PATH: process.env.PATH, DATA_DIR: join(folder, 'data'), MARQUEE_ENV_FILE: '/dev/null' },
      })
    assert.match(run('--version').stdout, /^\d+\.\d+\.\d+\n$/)
    assert.equal(run('migrate', '--init').status, 0)
    assert.match(run('partner', 'create', '--name', 'Acme').stdout, /key: mq_/)
  })
})

test('a package of sources, as npm pack makes it, says how a package is made', () => {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-sources-'))
  const place = join(folder, 'node_modules', 'marquee')
  for (const name of ['bin/marquee.js', 'src/main.ts', 'package.json']) cpSync(join(root, name), join(place, name))
  const { status, stderr } = spawnSync(process.execPath, [join(place, 'bin/marquee.js'), '--version'], { encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  assert.deepEqual([status, /make it with npm run package/.test(stderr)], [1, true], stderr)
})

describe('the units of systemd', { skip: !has('systemd-analyze') }, () => {
  for (const name of ['marquee.service', 'marquee-backup.service']) {
    test(`${name} is well sandboxed`, () => {
      const { status, stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', deployed(name)], {
        encoding: 'utf8',
      })
      assert.equal(status, 0, stdout)
    })
  }
})

describe('the image', () => {
  test('takes neither data nor secrets along', () => {
    const kept = [
      'data/secret',
      'data/marquee.db',
      'src/data/marquee.db',
      'secrets/server_secret',
      '.env',
      'deploy/production.env',
      '.git/config',
    ]
    assert.deepEqual([...kept, 'node_modules/pg/package.json', 'id_rsa', 'marquee.dump'].filter(isSentToDocker), [])
  })
})

test('each profile of the compose file starts one service on a port, and no service comes with all of them', () => {
  const [services = ''] = readFileSync(join(root, 'compose.yaml'), 'utf8').split(/^volumes:$/m)
  const each = Array.from(services.matchAll(/^ {2}([\w-]+):\n((?: {4}.*\n)+)/gm), ([, name = '', lines = '']) => ({
    name,
    profile: /^ {4}profiles: \[(\w+)\]$/m.exec(lines)?.[1],
    ports: /^ {4}ports: \[(.*)\]$/m.exec(lines)?.[1],
  }))
  const open = each.filter(({ ports }) => ports !== undefined)
  assert.deepEqual(
    open.map(({ name, profile }) => [name, profile]),
    [
      ['marquee', 'sqlite'],
      ['marquee-postgres', 'postgres'],
    ],
  )
  assert.ok(each.length > open.length && each.every(({ profile }) => profile !== undefined))
})

test('the alert rules fire when they should', () => {
  const promtool = findPromtool()
  for (const words of [
    ['check', 'rules', 'alerts.yml'],
    ['test', 'rules', 'alerts.test.yml'],
  ]) {
    const { status, stdout, stderr } = spawnSync(promtool, words, { cwd: join(root, 'deploy'), encoding: 'utf8' })
    assert.equal(status, 0, stdout + stderr)
  }
})

onEngine('sqlite', 'what watches the service', (place) => {
  const service = serviceOn(place)

  test('the dashboard, the alerts and the documentation name only metrics that exist', async () => {
    const text = await (await fetch(`${service.adminUrl}/metrics`)).text()
    const known = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name))
    for (const path of ['deploy/grafana-dashboard.json', 'deploy/alerts.yml', 'docs/operating.md']) {
      const named = [...readFileSync(join(root, path), 'utf8').matchAll(/\bmarquee_[a-z_]+/g)].map(([name]) =>
        name.replace(/_(bucket|count|sum)$/, ''),
      )
      assert.ok(named.length > 3, path)
      assert.deepEqual(
        named.filter((name) => !known.has(name)),
        [],
        path,
      )
    }
  })
})

/** As npm installs it, without what it depends on. */
function unpackBelow(project: string): string {
  const installed = join(project, 'node_modules', 'marquee')
  mkdirSync(installed, { recursive: true })
  execFileSync('tar', ['xzf', tarball, '--strip-components=1', '-C', installed])
  return installed
}
