/** The client as others have it: a package below `node_modules` of a folder of their own. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { clientTarball, filesIn } from '../../scripts/client-package.ts'
import { memoOnce } from '../../src/lib/memo.ts'

/** What the sources make now. */
const packed = memoOnce(clientTarball)

export function installClient(folder: string): void {
  const place = join(folder, 'node_modules', '@marquee', 'client')
  mkdirSync(place, { recursive: true })
  for (const [name, content] of filesIn(gunzipSync(packed()))) writeFileSync(join(place, name), content)
}
