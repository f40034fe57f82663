/** The addresses of a host, asked from the DNS without taking a thread of the pool, so that a slow server holds up nothing else. */

import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'

const tries = { timeout: 1_500, tries: 2 }
/** The DNS has answered: there is no such host, or nobody can be of that name. */
const nothingThere: readonly unknown[] = ['ENOTFOUND', 'ENODATA', 'EBADNAME']

/** Null where the DNS does not answer, so that nothing is known. */
export async function hostAddresses(
  host: string,
  servers: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<readonly string[] | null> {
  if (isIP(host) !== 0) return [host]
  // No server is asked about this machine, and none can say that it is elsewhere.
  if (host === 'localhost' || host.endsWith('.localhost')) return ['127.0.0.1']
  const resolver = new Resolver(tries)
  if (servers !== undefined) resolver.setServers(servers)
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel)
  const answers = await Promise.all([answerOf(resolver.resolve4(host)), answerOf(resolver.resolve6(host))])
  signal.removeEventListener('abort', cancel)
  const found = answers.flatMap((answer) => answer ?? [])
  return found.length === 0 && answers.includes(null) ? null : found
}

async function answerOf(asked: Promise<string[]>): Promise<readonly string[] | null> {
  try {
    return await asked
  } catch (error) {
    return nothingThere.includes((error as NodeJS.ErrnoException).code) ? [] : null
  }
}
