/** Text records of the DNS, looked up within a few seconds. */

import { Resolver } from 'node:dns/promises'

const tries = { timeout: 1_000, tries: 2 }
const mostMilliseconds = 5_000
/** The DNS has answered: there is no such record. */
const nothingThere: readonly unknown[] = ['ENOTFOUND', 'ENODATA']

/** Null where the DNS does not answer, so that nothing is known. */
export async function textRecords(name: string, servers: readonly string[] | undefined): Promise<readonly string[] | null> {
  const resolver = new Resolver(tries)
  if (servers !== undefined) resolver.setServers(servers)
  const timer = setTimeout(() => resolver.cancel(), mostMilliseconds)
  try {
    return (await resolver.resolveTxt(name)).map((parts) => parts.join(''))
  } catch (error) {
    return nothingThere.includes((error as NodeJS.ErrnoException).code) ? [] : null
  } finally {
    clearTimeout(timer)
  }
}
