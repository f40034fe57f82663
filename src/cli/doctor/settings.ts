/** The doctor's checks of the settings, addresses and proxies; each complaint with its cause and cure. */

import { statSync } from 'node:fs'
import { createServer } from 'node:net'
import { availableParallelism, networkInterfaces } from 'node:os'
import { type Settings, type Surroundings, usualAdminPort, workerCount } from '../../config.ts'
import { isLoopback } from '../../lib/network/addresses.ts'
import { basePath } from '../../lib/network/base-path.ts'
import type { Finding } from '../../store/engine.ts'
import { sentencesOf } from '../error-messages.ts'

/** Findings from the settings alone. */
export function examineSettings(settings: Settings, { file, fromFile }: Surroundings): readonly Finding[] {
  return [
    exposure(settings),
    proxies(settings),
    baseAddress(settings),
    adminAddress(settings),
    processes(settings),
    settingsFileMode(file, fromFile),
  ]
}

function exposure({ host, baseUrl }: Settings): Finding {
  const isPlain = baseUrl.startsWith('http:')
  const found = { name: 'reached over', value: isPlain ? 'plain HTTP' : 'HTTPS' }
  if (isLoopback(host) || !isPlain) return found
  return complain(
    found,
    `HOST ${host} is reachable from outside and BASE_URL is plain HTTP: keys and passwords would travel readable.`,
    'Marquee speaks no TLS itself.',
    'Put a TLS proxy in front and set BASE_URL to its https address.',
  )
}

function proxies({ baseUrl, trustedProxies }: Settings): Finding {
  const found = { name: 'trusted proxies', value: trustedProxies.join(', ') || 'none' }
  const wide = trustedProxies.find((network) => /\/[0-7]$/.test(network))
  if (wide !== undefined)
    return complain(
      found,
      `MARQUEE_TRUSTED_PROXIES ${wide} trusts the whole internet: anyone can claim any address.`,
      'Login throttles and logs go by the address that a trusted proxy states.',
      'Name only the addresses of your own proxies.',
    )
  if (baseUrl.startsWith('https:') && trustedProxies.length === 0)
    return complain(
      found,
      'BASE_URL is https and no proxy is trusted: every client seems to come from the proxy.',
      'Marquee speaks no TLS itself, so a proxy must be in front, and its headers are not believed.',
      'Set MARQUEE_TRUSTED_PROXIES to the address of the proxy, such as 127.0.0.1.',
    )
  return found
}

function baseAddress({ baseUrl, host }: Settings): Finding {
  const { hostname } = new URL(baseUrl)
  const path = basePath({ baseUrl })
  const found = { name: 'base address', value: baseUrl }
  if (path !== null)
    return complain(
      found,
      `BASE_URL has the path ${path}: the API goes on, and every page says only that.`,
      'Pages, assets and cookies live at the root of a host, so that every link would lead outside of that path.',
      'Give Marquee a host name of its own and set BASE_URL without a path.',
    )
  if (!isLoopback(host) && isLoopback(hostname))
    return complain(
      found,
      `BASE_URL names this machine only, while HOST ${host} is open to others.`,
      'Links in answers and mails begin with BASE_URL.',
      'Set BASE_URL to the address that clients use.',
    )
  return found
}

function adminAddress({ adminHost, adminPort, port }: Settings): Finding {
  const found = { name: 'metrics at', value: `${adminHost}:${adminPort ?? usualAdminPort}` }
  if (adminPort !== undefined && adminPort !== 0 && adminPort === port)
    return complain(found, `PORT and MARQUEE_ADMIN_PORT are both ${port}.`, 'Each needs a port of its own.', 'Change one of them.')
  if (isLoopback(adminHost) || !isPublic(adminHost)) return found
  return complain(
    found,
    `The metrics at MARQUEE_ADMIN_HOST ${adminHost} can be read from the internet.`,
    'This machine has a public address, and the metrics ask for no password.',
    'Set MARQUEE_ADMIN_HOST to a private address.',
  )
}

function processes(settings: Settings): Finding {
  const [count, cores] = [workerCount(settings), availableParallelism()]
  const found = { name: 'workers', value: settings.workers === undefined ? 'none, one process' : String(count) }
  if (count <= cores) return found
  return complain(
    found,
    `MARQUEE_WORKERS asks for ${count} processes, and this machine has ${cores} ${cores === 1 ? 'core' : 'cores'}.`,
    'More processes than cores only take more memory.',
    'Set MARQUEE_WORKERS to auto.',
  )
}

function isPublic(host: string): boolean {
  const own = Object.values(networkInterfaces()).flatMap((list) => list?.map(({ address }) => address) ?? [])
  const heard = host === '0.0.0.0' || host === '::' ? own : [host]
  return heard.some(
    (address) =>
      !/^(10\.|127\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|::1$|f[cd]|fe80)/i.test(
        address,
      ),
  )
}

/** A settings file may contain passwords of the database and the mail server, so others must not read it. */
function settingsFileMode(file: string | null, fromFile: ReadonlySet<string>): Finding {
  const found = { name: 'settings file', value: file ?? 'none' }
  const holdsSecret = fromFile.has('DATABASE_URL') || fromFile.has('DATABASE_REPLICA_URL') || fromFile.has('MARQUEE_SMTP_URL')
  if (file === null || !holdsSecret || (statSync(file).mode & 0o007) === 0) return found
  return complain(
    found,
    `The settings file ${file} holds a password and can be read by everyone.`,
    'Its mode allows others to read it.',
    `Run chmod 640 ${file}.`,
  )
}

/** Found by trying. */
export async function listens({ host }: Settings): Promise<Finding> {
  const open = () =>
    new Promise<void>((resolve, reject) => {
      const server = createServer().once('error', reject)
      server.listen(0, host, () => server.close(() => resolve()))
    })
  return finding(
    'address to listen on',
    host,
    open,
    'HOST is no address of this machine.',
    'Set HOST to one it has, such as 127.0.0.1 or 0.0.0.0.',
  )
}

export async function finding(name: string, value: string, work: () => Promise<void>, cause: string, cure: string): Promise<Finding> {
  try {
    await work()
    return { name, value }
  } catch (error) {
    return complain({ name, value }, sentencesOf(error).join(' '), cause, cure)
  }
}

export function complain(found: Finding, complaint: string, cause: string, cure: string): Finding {
  return { ...found, complaint, cause, cure }
}
