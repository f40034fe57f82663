/** Creates a temporary file without a name; its disk space is freed however the process ends. */

import { mkdtempSync, openSync, rmSync } from 'node:fs'
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Failure } from '../failures.ts'

export async function openNamelessFile(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'marquee-'))
  try {
    return await open(join(folder, 'file'), 'wx+', 0o600)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** For work that reads and writes in one go. */
export function openNamelessFileSync(): number {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-'))
  try {
    return openSync(join(folder, 'file'), 'wx+', 0o600)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const noRoomCodes = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'ENOENT', 'EMFILE', 'ENFILE', 'EIO'])

/** Turns the errors of a full, missing or read-only temporary folder into 503, so that the client retries later. */
export function asNoRoom(error: unknown): unknown {
  const isNoRoom = noRoomCodes.has((error as NodeJS.ErrnoException | null)?.code ?? '')
  return isNoRoom
    ? new Failure('unavailable', { sentence: 'There is no room for temporary files; try again later', headers: { 'retry-after': '60' } })
    : error
}
