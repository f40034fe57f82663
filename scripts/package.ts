/** `npm run package`: a tarball that `npm install -g` takes, with JavaScript, exact versions of everything below it, and nothing else. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from './build.ts'
import { addDevelopmentVersion } from './client-package.ts'

const root = join(import.meta.dirname, '..')
const carried = [
  'bin',
  'client',
  'deploy',
  'docs',
  'openapi.json',
  'openapi-xml.json',
  'CHANGELOG.md',
  'README.md',
  'LICENSE',
  'SECURITY.md',
]
/** Pictures and decisions are for readers of the source; a client under development is packed anew. */
const left = /docs\/(screenshots|decisions|examples)(\/|$)|-dev-[0-9a-f]+\.tgz$/

interface Manifest {
  version: string
  scripts?: unknown
  devDependencies?: unknown
  files?: string[]
}

interface Lock {
  packages: Record<string, Manifest & { dev?: boolean }>
}

/** Writes the tarball into the folder and answers its path. */
export function makePackage(folder: string): string {
  const stage = mkdtempSync(join(tmpdir(), 'marquee-package-'))
  try {
    build(join(stage, 'dist'))
    for (const name of carried)
      cpSync(join(root, name), join(stage, name), { recursive: true, filter: (path) => !left.test(path.slice(root.length + 1)) })
    addDevelopmentVersion(join(stage, 'client'))
    const { scripts: _scripts, devDependencies: _dev, files: _files, ...manifest } = read<Manifest>('package.json')
    write(join(stage, 'package.json'), manifest)
    write(join(stage, 'npm-shrinkwrap.json'), shrinkwrapOf(read<Lock>('package-lock.json')))
    execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], { cwd: stage })
    return join(folder, `marquee-${manifest.version}.tgz`)
  } finally {
    rmSync(stage, { recursive: true, force: true })
  }
}

/** The lock file without what only development needs. */
function shrinkwrapOf(lock: Lock): Lock {
  const packages = Object.entries(lock.packages).filter(([, { dev }]) => dev !== true)
  const { devDependencies: _dev, ...own } = lock.packages[''] ?? { version: '' }
  return { ...lock, packages: { ...Object.fromEntries(packages), '': own } }
}

function read<T>(name: string): T {
  return JSON.parse(readFileSync(join(root, name), 'utf8')) as T
}

function write(path: string, content: object): void {
  writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`)
}

if (import.meta.main) console.log(makePackage(root))
