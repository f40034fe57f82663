/** Programs of the machine that tests need: the installed one, installed first where that is possible, else a clear failure. */
import { execFileSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

interface Wanted {
  readonly names: readonly string[]
  /** The package of Debian that brings it. */
  readonly debian: string
  /** What to do where it can be neither found nor installed. */
  readonly says: string
}

export function findProgram(wanted: Wanted): string {
  return installed(wanted) ?? (mayInstall() ? install(wanted) : undefined) ?? refuse(wanted)
}

function installed({ names }: Wanted): string | undefined {
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
  console.log(`${wanted.debian} is not installed; installing it with apt-get.`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  try {
    execFileSync('apt-get', ['update', '-qq'], { env, stdio: ['ignore', 'ignore', 'inherit'] })
    execFileSync('apt-get', ['install', '-y', '-qq', wanted.debian], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  } catch {
    return undefined
  }
  return installed(wanted)
}

function refuse({ says }: Wanted): never {
  throw new Error(says)
}
