/** Runs a command as the user who owns the data, so that the service can use the files it creates. */

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

/** Refuses everyone except the owner of the data and root; returns the owner if root should switch to another user. */
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

/** Null with a database server, and if there is no data yet. */
export function ownerOfData(settings: Settings): DataOwner | null {
  const file = databaseFile(settings)
  if (file === null) return null
  return ownerOf(file) ?? ownerOf(settings.dataDir)
}

/** Null if the path does not exist or this user may not read it. */
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
