/** A disk that can be filled and freed at will. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { need } from './tools.ts'

export interface Disk {
  readonly says: string
  readonly folder: string
  /** What the service runs under, where the full disk is only played. */
  readonly under: readonly string[]
  fill(pid: number): void
  free(pid: number): void
  remove(): void
}

/** A file system of a few megabytes; null where none may be mounted. */
export function smallDisk(folder: string): Disk | null {
  mkdirSync(folder, { recursive: true })
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    return null
  }
  const filler = join(folder, 'filler')
  return {
    says: 'a file system of 8 MB',
    folder,
    under: [],
    fill() {
      const { bavail, bsize } = statfsSync(folder)
      writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - 64 * 1024)))
    },
    free: () => rmSync(filler),
    remove: () => execFileSync('umount', ['-l', folder]),
  }
}

/** The calls of the service fail as they would on a full disk. */
export function playedDisk(folder: string): Disk {
  need('fiu-run', 'fiu-utils')
  const pipe = join(folder, 'fiu')
  const control = (pid: number, command: string) => execFileSync('fiu-ctrl', ['-f', pipe, '-c', command, String(pid)], { stdio: 'ignore' })
  const point = 'posix/io/rw/pwrite'
  return {
    says: 'calls that fail as on a full disk',
    folder,
    under: ['fiu-run', '-x', '-f', pipe],
    // 28 is ENOSPC.
    fill: (pid) => control(pid, `enable name=${point},failinfo=28`),
    free: (pid) => control(pid, `disable name=${point}`),
    remove: () => {},
  }
}
