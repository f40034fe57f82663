/** Programs of the machine that tests need: the installed one, installed first where that is possible, else a clear failure. */
import { execFileSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Test files and runs go side by side, and apt-get refuses to run twice at a time. */
const aptLock = '/var/lock/marquee-apt-get.lock'

interface Wanted {
  /** Names of the program; the first that is installed is taken. */
  readonly names: readonly string[]
  /** The packages of Debian that bring it; the first that can be installed is. */
  readonly debian: readonly string[]
  /** What to do where it can be neither found nor installed. */
  readonly says: string
}

export function findProgram(wanted: Wanted): string {
  return installed(wanted) ?? (mayInstall() ? install(wanted) : undefined) ?? refuse(wanted)
}

export function installed({ names }: Pick<Wanted, 'names'>): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
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
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const aptGet = (...words: string[]) =>
    execFileSync('flock', [aptLock, 'apt-get', '-qq', ...words], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  for (const name of wanted.debian) {
    console.log(`${name} is not installed; installing it with apt-get.`)
    try {
      aptGet('update')
      aptGet('install', '-y', name)
      return installed(wanted)
    } catch {}
  }
  return undefined
}

function refuse({ says }: Wanted): never {
  throw new Error(says)
}
