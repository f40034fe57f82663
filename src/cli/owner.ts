/** Runs a command as the user who owns the data: whatever it creates, the service can use. */

import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Settings } from '../config.ts'
import { refuse } from '../lib/failures.ts'
import { databaseFile } from '../store/store.ts'

export interface DataOwner {
  readonly uid: number
  readonly gid: number
}

/** Root switches to the owner and says so; any other user is refused. */
export function runAsOwner(settings: Settings): void {
  const owner = refuseOtherUser(settings)
  if (owner === null) return
  process.setgroups?.([owner.gid])
  process.setgid?.(owner.gid)
  process.setuid?.(owner.uid)
  console.error(`Running as ${userName(owner.uid)}, who owns the data in ${resolve(settings.dataDir)}.`)
}

/** Refuses everyone but the owner of the data and root; answers the owner where root should become another user. */
export function refuseOtherUser(settings: Settings): DataOwner | null {
  const owner = ownerOfData(settings)
  const uid = process.geteuid?.()
  if (owner === null || uid === undefined || owner.uid === uid) return null
  const [place, name] = [resolve(settings.dataDir), userName(owner.uid)]
  if (uid !== 0)
    refuse(
      'conflict',
      `The data in ${place} belongs to ${name}, and this command runs as ${userName(uid)}: run it as ${name}, or as root, who switches to ${name}.`,
    )
  return owner
}

/** Null where a server keeps the data, and where there is none yet. */
export function ownerOfData(settings: Settings): DataOwner | null {
  const file = databaseFile(settings)
  if (file === null) return null
  return ownerOf(file) ?? ownerOf(settings.dataDir)
}

/** Null where there is nothing, or where this user may not look. */
function ownerOf(path: string): DataOwner | null {
  try {
    return statSync(path)
  } catch {
    return null
  }
}

export function userName(uid: number): string {
  const [, name] = new RegExp(`^([^:\\n]+):[^:\\n]*:${uid}:`, 'm').exec(readFileSync('/etc/passwd', 'utf8')) ?? []
  return name ?? `user ${uid}`
}
