/** The client as a package of its own: the same sources make the same bytes, whenever and wherever they are packed. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { tarOf } from './tar.ts'

const root = join(import.meta.dirname, '..')
const source = join(root, 'src', 'client')
/** What is written beside the code; it may be put better without a release. */
const prose = ['README.md', 'CHANGELOG.md', 'LICENSE']

export const packedNames = /^marquee-client-(\d+\.\d+\.\d+(?:-dev-[0-9a-f]{8})?)\.tgz$/

/** The tarball under the version of the source. */
export function clientTarball(version = sourceVersion()): Buffer {
  const packed = gzipSync(tarOf(filesOf(version)), { level: 9 })
  // The system on which it was packed.
  packed[9] = 255
  return packed
}

/** Adds what the source is now, under a name made of its content, unless it is what was released last. */
export function addDevelopmentVersion(folder: string): void {
  const [newest] = releases(folder).toReversed()
  const plain = tarOf(filesOf('0.0.0', prose))
  if (newest !== undefined && plain.equals(plainTarOf(readFileSync(join(folder, nameOf(newest))), newest))) return
  const version = `${sourceVersion()}-dev-${createHash('sha256').update(plain).digest('hex').slice(0, 8)}`
  writeFileSync(join(folder, nameOf(version)), clientTarball(version))
}

/** The released versions that are kept, the oldest first. */
export function releases(folder: string): string[] {
  const versions = globSync('*.tgz', { cwd: folder }).map((name) => packedNames.exec(name)?.[1] ?? '')
  return versions.filter((version) => /^\d+\.\d+\.\d+$/.test(version)).toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
}

export function nameOf(version: string): string {
  return `marquee-client-${version}.tgz`
}

export function sourceVersion(): string {
  return /clientVersion = '(.+)'/.exec(readFileSync(join(source, 'version.ts'), 'utf8'))?.[1] ?? ''
}

/** The files of the package by name, with the version wherever it is said. */
function filesOf(version: string, left: readonly string[] = []): Map<string, Buffer> {
  const own = prose
    .filter((name) => !left.includes(name))
    .map((name) => [name, readFileSync(join(root, name === 'LICENSE' ? name : `client/${name}`))] as const)
  const files = new Map([...own, ...compiled(version), ['package.json', Buffer.from(manifestOf(version))] as const])
  return new Map([...files].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function manifestOf(version: string): string {
  const { license, repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const manifest = {
    name: '@marquee/client',
    version,
    description: 'The client of a Marquee service: one method for each operation of its API, with types.',
    license,
    ...(repository !== undefined && { repository }),
    type: 'module',
    engines: { node: '>=22' },
    sideEffects: false,
    exports: { '.': { types: './client.d.ts', default: './client.js' } },
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}

function compiled(version: string): [name: string, content: Buffer][] {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-client-'))
  try {
    const options = ['-p', 'tsconfig.client.json', '--outDir', folder]
    execFileSync(join(root, 'node_modules/.bin/tsc'), options, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
    return globSync('*', { cwd: folder }).map((name) => [name, versioned(readFileSync(join(folder, name), 'utf8'), version)])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function versioned(text: string, version: string): Buffer {
  return Buffer.from(text.replace(/(clientVersion = ['"])[^'"]*/, `$1${version}`))
}

/** What a tarball holds, as it would be with the version 0.0.0 and without prose. */
function plainTarOf(packed: Buffer, version: string): Buffer {
  const files = filesIn(gunzipSync(packed))
  const plain = [...files]
    .filter(([name]) => !prose.includes(name))
    .map(([name, content]) => [name, unversioned(name, content, version)] as const)
  return tarOf(new Map(plain))
}

function unversioned(name: string, content: Buffer, version: string): Buffer {
  return name === 'package.json'
    ? Buffer.from(content.toString().replace(`"version": "${version}"`, '"version": "0.0.0"'))
    : versioned(content.toString(), '0.0.0')
}

/** Reads only what `tarOf` writes. */
export function filesIn(tar: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  for (let at = 0; tar[at] !== 0; ) {
    const name = tar.toString('latin1', at, at + 100).replace(/\0.*$/s, '')
    const size = Number.parseInt(tar.toString('latin1', at + 124, at + 135), 8)
    files.set(name.replace(/^package\//, ''), tar.subarray(at + 512, at + 512 + size))
    at += 512 + Math.ceil(size / 512) * 512
  }
  return files
}

/** Keeps the source as a release, names it where it is printed, and opens the next version. */
function release(): void {
  const [folder, version] = [join(root, 'client'), sourceVersion()]
  const path = join(folder, nameOf(version))
  if (existsSync(path)) throw new Error(`${version} is released already; src/client/version.ts names the next one`)
  const bytes = clientTarball()
  writeFileSync(path, bytes)
  const record = join(root, 'test', 'golden', 'client-releases.json')
  const known: Record<string, string> = existsSync(record) ? JSON.parse(readFileSync(record, 'utf8')) : {}
  writeFileSync(
    record,
    `${JSON.stringify({ ...known, [version]: `sha512-${createHash('sha512').update(bytes).digest('base64')}` }, null, 2)}\n`,
  )
  rewrite('README.md', /marquee-client-\d+\.\d+\.\d+\.tgz/g, nameOf(version))
  rewrite('client/README.md', /marquee-client-\d+\.\d+\.\d+\.tgz/g, nameOf(version))
  const [major = '0', minor = '0'] = version.split('.')
  rewrite('src/client/version.ts', /(clientVersion = ')[^']*/, `$1${major}.${Number(minor) + 1}.0`)
  console.log(path)
}

function rewrite(name: string, found: RegExp, text: string): void {
  const path = join(root, name)
  writeFileSync(path, readFileSync(path, 'utf8').replace(found, text))
}

if (import.meta.main) release()
