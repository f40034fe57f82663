/** The address of a database as an operator writes it: of a server, or a folder with a file in it. */

import { basename, dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Settings } from '../config.ts'
import { expandHosts } from '../lib/network/addresses.ts'

export const exampleAddress = 'postgres://marquee@db.example/marquee'
export const addressNote = 'postgres://..., or the data folder of an embedded database'

export type Address = Pick<Settings, 'databaseUrl' | 'dataDir'>

/** Undefined where it is neither. A file is named by its folder or by itself. */
export function readAddress(text: string, dataDir: string): Address | undefined {
  if (/^postgres(ql)?:\/\//.test(text)) return expandHosts(text) === undefined ? undefined : { databaseUrl: text, dataDir }
  const path = pathIn(text)
  if (path === undefined) return undefined
  return { databaseUrl: undefined, dataDir: basename(path) === 'marquee.db' ? dirname(path) : path }
}

/** Whether it holds a password, which has no business on a command line, where others can read it. */
export function holdsPassword(text: string): boolean {
  return /^\w+:\/\/[^@/]*:[^@/]+@/.test(text) || /[?&]password=/.test(text)
}

function pathIn(text: string): string | undefined {
  if (/^(sqlite|file):\/\/\//.test(text)) return resolve(fileURLToPath(text.replace(/^\w+/, 'file')))
  return text === '' || /^\w+:\/\//.test(text) ? undefined : resolve(text)
}
