/** The package as `npm run package` makes it, in an empty project: the client runs without any other package, and its types hold. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { makePackage } from '../../scripts/package.ts'

const root = join(import.meta.dirname, '..', '..')
const script = `import { Marquee, MarqueeError, type User, type SeoReport } from 'marquee/client'

const marquee = new Marquee({ url: 'http://127.0.0.1:1', key: 'k', password: 'p', retries: 0 })
const outcome: Promise<User | string> = marquee.showUser(1).catch((error: Error) => \`\${error.name} \${error instanceof MarqueeError}\`)
const report = (): Promise<SeoReport> => marquee.seoReport({ account_id: [1, 2] })
console.log(typeof report, await outcome)
`

describe('the package', () => {
  let project: string

  before(() => {
    project = mkdtempSync(join(tmpdir(), 'marquee-empty-project-'))
    const installed = join(project, 'node_modules', 'marquee')
    mkdirSync(installed, { recursive: true })
    execFileSync('tar', ['-xzf', makePackage(project), '--strip-components=1', '-C', installed])
    writeFileSync(join(project, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(project, 'script.ts'), script)
  })
  after(() => rmSync(project, { recursive: true, force: true }))

  test('runs in Node', () => {
    assert.equal(execFileSync(process.execPath, ['script.ts'], { cwd: project, encoding: 'utf8' }), 'function ConnectionError false\n')
  })

  test('has types that refuse what is wrong', () => {
    writeFileSync(join(project, 'wrong.ts'), script.replace('showUser(1)', "showUser('1')"))
    assert.throws(() => check('nodenext', 'nodenext', 'wrong.ts'), /Command failed/)
  })

  for (const [module, resolution] of [
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ] as const) {
    test(`has types that hold with ${resolution}`, () => {
      check(module, resolution, 'script.ts')
    })
  }

  function check(module: string, resolution: string, file: string): void {
    const options = ['--noEmit', '--strict', '--target', 'es2024', '--lib', 'es2024,dom', '--types', '']
    const args = [...options, '--module', module, '--moduleResolution', resolution, file]
    execFileSync(join(root, 'node_modules', '.bin', 'tsc'), args, { cwd: project, stdio: 'pipe' })
  }
})
