/** Parses the address of a database as an operator writes it: a server, or a folder with a file. */

import { basename, dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Settings } from '../config.ts'
import { expandHosts } from '../lib/network/addresses.ts'

export const exampleAddress = 'postgres://marquee@db.example/marquee'
export const addressNote = 'postgres://..., or the data folder of an embedded database'

export type Address = Pick<Settings, 'databaseUrl' | 'dataDir'>

/** Undefined if it is neither. A file may be named by its folder or by its own path. */
export function readAddress(text: string, dataDir: string): Address | undefined {
  if (/^postgres(ql)?:\/\//.test(text)) return expandHosts(text) === undefined ? undefined : { databaseUrl: text, dataDir }
  const path = pathIn(text)
  if (path === undefined) return undefined
  return { databaseUrl: undefined, dataDir: basename(path) === 'marquee.db' ? dirname(path) : path }
}

/** Whether it contains a password, which must not be on a command line, where other users can read it. */
export function holdsPassword(text: string): boolean {
  return /^\w+:\/\/[^@/]*:[^@/]+@/.test(text) || /[?&]password=/.test(text)
}

function pathIn(text: string): string | undefined {
  if (/^(sqlite|file):\/\/\//.test(text)) return resolve(fileURLToPath(text.replace(/^\w+/, 'file')))
  return text === '' || /^\w+:\/\//.test(text) ? undefined : resolve(text)
}
