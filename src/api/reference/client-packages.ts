/** The packages of the TypeScript client that this service serves: the newest five, each under its version, whose bytes never change. */

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { memoOnce } from '../../lib/memo.ts'

export interface ClientPackage {
  readonly path: string
  readonly version: string
  /** As npm and browsers compare it. */
  readonly integrity: string
  readonly bytes: Buffer
}

const folder = new URL('../../../client/', import.meta.url)
const names = /^marquee-client-(\d+\.\d+\.\d+(?:-dev-[0-9a-f]{8})?)\.tgz$/
const mostServed = 5

/** The address that leads to the newest one. */
export const newestClientPath = '/client/marquee-client.tgz'

/** The newest first. */
export const clientPackages = memoOnce((): readonly ClientPackage[] => {
  const versions = existsSync(folder) ? readdirSync(folder).flatMap((name) => names.exec(name)?.[1] ?? []) : []
  return versions.toSorted(newestFirst).slice(0, mostServed).map(packageOf)
})

function packageOf(version: string): ClientPackage {
  const name = `marquee-client-${version}.tgz`
  const bytes = readFileSync(new URL(name, folder))
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
  return { path: `/client/${name}`, version, integrity, bytes }
}

/** A version under development comes before its release. */
function newestFirst(a: string, b: string): number {
  const [before, after] = [a.split('-')[0] ?? '', b.split('-')[0] ?? '']
  return after.localeCompare(before, 'en', { numeric: true }) || a.length - b.length
}
