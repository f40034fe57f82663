/** Folders that only their owner may look into. */

import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Step by step: asked to make the folders above as well, Node tries for ever where none can be made, as below /proc. */
export function makeFolder(path: string): void {
  if (!existsSync(dirname(path))) makeFolder(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}
