/** Programs of the machine that tests need: the installed one, installed first where that is possible, else a clear failure. */
import { execFileSync } from 'node:child_process'
import { accessSync, constants, existsSync, globSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Test files and runs go side by side, and apt-get refuses to run twice at a time. */
const aptLock = '/var/lock/marquee-apt-get.lock'
/** What is unpacked stays for the next run, as what was compiled does. */
const unpacked = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'programs')

interface Wanted {
  /** Names of the program; the first that is installed is taken. */
  readonly names: readonly string[]
  /** The packages of Debian that bring it; the first that can be installed is. */
  readonly debian: readonly string[]
  /** The package also starts a server, so it is unpacked and not installed: no port of the machine is taken. */
  readonly isServer?: true
  /** What to do where it can be neither found nor installed. */
  readonly says: string
}

export function findProgram(wanted: Wanted): string {
  return installed(wanted) ?? (mayInstall() ? install(wanted) : undefined) ?? refuse(wanted)
}

export function installed({ names }: Pick<Wanted, 'names'>): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', ...globSync(join(unpacked, '*/usr/{bin,sbin}'))]
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function mayInstall(): boolean {
  return process.getuid?.() === 0 && isExecutable('/usr/bin/apt-get')
}

function install(wanted: Wanted): string | undefined {
  for (const name of wanted.debian) {
    console.log(`${name} is not installed; ${wanted.isServer ? 'unpacking' : 'installing'} it with apt-get.`)
    try {
      aptGet(['update'])
      if (wanted.isServer) unpack(name)
      else aptGet(['install', '-y', name])
    } catch {}
    const found = installed(wanted)
    if (found !== undefined) return found
  }
  return undefined
}

function unpack(name: string): void {
  mkdirSync(unpacked, { recursive: true })
  const work = mkdtempSync(join(unpacked, 'new-'))
  aptGet(['-o', 'APT::Sandbox::User=root', 'download', name], work)
  execFileSync('dpkg-deb', ['-x', ...globSync(join(work, '*.deb')), join(work, name)])
  // Another test may have been quicker; the folder gets its name when it is whole.
  if (!existsSync(join(unpacked, name))) renameSync(join(work, name), join(unpacked, name))
  rmSync(work, { recursive: true })
}

function aptGet(words: readonly string[], cwd?: string): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  execFileSync('flock', [aptLock, 'apt-get', '-qq', ...words], { env, cwd, stdio: ['ignore', 'ignore', 'inherit'] })
}

function refuse({ says }: Wanted): never {
  throw new Error(says)
}
