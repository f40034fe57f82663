/** The folder for the files of one run of the tests. They lie in memory if they can: databases are made and removed by the hundred, and a disk only slows that down. */
import { spawnSync } from 'node:child_process'
import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const memory = '/dev/shm'
/** A whole run needs a tenth of it. */
const leastBytes = 2 * 2 ** 30

/** Gone with the process. */
export function makeRunFolder(): string {
  const folder = folderInMemory() ?? folderIn(tmpdir())
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

/** Undefined where there is little room, or where nothing may be run, as in many containers. */
function folderInMemory(): string | undefined {
  if (freeBytes() < leastBytes) return undefined
  const folder = folderIn(memory)
  if (runsPrograms(folder)) return folder
  rmSync(folder, { recursive: true })
  return undefined
}

function freeBytes(): number {
  try {
    accessSync(memory, constants.W_OK)
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize
  } catch {
    return 0
  }
}

function runsPrograms(folder: string): boolean {
  const program = join(folder, 'program')
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 })
  return spawnSync(program).status === 0
}

/** PostgreSQL, which has another user, gets through it. */
function folderIn(parent: string): string {
  const folder = mkdtempSync(join(parent, 'marquee-tests-'))
  chmodSync(folder, 0o711)
  return folder
}
