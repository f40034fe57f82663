/** Under `npm run hard:cluster -- suite` the service of a test on PostgreSQL is three processes behind HAProxy, each request to the next: the test's own and two more. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Env, startHard } from '../support/process.ts'
import { ownTree } from '../support/tree.ts'
import { startHaproxy } from './haproxy.ts'

export interface Siblings {
  /** Where the three answer in turn. */
  readonly url: string
  stop(): Promise<void>
}

export async function startSiblings(url: string, env: Env): Promise<Siblings> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-siblings-'))
  const others = await Promise.all([1, 2].map(() => startHard(ownTree, { env })))
  const services = [url, ...others.map((other) => other.url)].map((address) => Number(new URL(address).port))
  const haproxy = await startHaproxy(folder, { services })
  return {
    url: haproxy.url,
    async stop() {
      await haproxy.end()
      await Promise.all(others.map((other) => other.kill()))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
