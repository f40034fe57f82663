/** The version of this Marquee, as its package states it. */

import { readFileSync } from 'node:fs'

export function ownVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
  return version
}
