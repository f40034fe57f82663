/** The folder for the files of one run of the tests. They lie in memory if they can: databases are made and removed by the hundred, and a disk only slows that down. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A whole run needs a tenth of it. */
const leastBytes = 2 * 2 ** 30

export function makeRunFolder(memory = '/dev/shm'): string {
  return hasRoom(memory) && runsPrograms(memory) ? folderIn(memory) : folderIn(tmpdir())
}

function hasRoom(memory: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize >= leastBytes
  } catch {
    return false
  }
}

/** A container may forbid to write there, or to run what lies there. */
function runsPrograms(memory: string): boolean {
  const program = join(memory, `marquee-probe-${process.pid}`)
  try {
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 })
    execFileSync(program)
    return true
  } catch {
    return false
  } finally {
    rmSync(program, { force: true })
  }
}

/** PostgreSQL, which has another user, gets through it. */
function folderIn(parent: string): string {
  const folder = mkdtempSync(join(parent, 'marquee-tests-'))
  chmodSync(folder, 0o711)
  return folder
}
