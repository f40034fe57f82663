/** The doctor's checks of the settings, addresses, proxies and mail server; each complaint with its cause and cure. */

import { statSync } from 'node:fs'
import { createServer } from 'node:net'
import { availableParallelism, networkInterfaces } from 'node:os'
import { type Settings, type Surroundings, usualAdminPort, workerCount } from '../../config.ts'
import { isLoopback } from '../../lib/network/addresses.ts'
import type { Finding } from '../../store/engine.ts'
import { sentencesOf } from '../error-messages.ts'

const mailMilliseconds = 3_000

/** Findings from the settings alone. */
export function examineSettings(settings: Settings, { file, fromFile }: Surroundings): readonly Finding[] {
  return [
    exposure(settings),
    proxies(settings),
    baseAddress(settings),
    adminAddress(settings),
    processes(settings),
    mailSettings(settings),
    settingsFileMode(file, fromFile),
  ]
}

/** Findings from trying: the address to listen on, and the mail server. */
export async function tryOut(settings: Settings): Promise<readonly Finding[]> {
  return [await listens(settings), ...(settings.smtpUrl === undefined ? [] : [await reachMail(settings.smtpUrl)])]
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
  const { pathname, hostname } = new URL(baseUrl)
  const found = { name: 'base address', value: baseUrl }
  if (pathname !== '/')
    return complain(
      found,
      `BASE_URL has the path ${pathname}: pages link to the root of the host and would lead nowhere.`,
      'Pages, assets and cookies live at the root.',
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

function mailSettings({ smtpUrl, mailFrom }: Settings): Finding {
  const found = { name: 'mail', value: smtpUrl === undefined ? 'none is sent' : `sent by ${mailFrom ?? 'nobody'}` }
  if (smtpUrl !== undefined && mailFrom === undefined)
    return complain(
      found,
      'MARQUEE_SMTP_URL is set and MARQUEE_MAIL_FROM is not: no mail can be sent.',
      'A mail needs a sender.',
      'Set MARQUEE_MAIL_FROM.',
    )
  if (smtpUrl === undefined && mailFrom !== undefined)
    return complain(
      found,
      'MARQUEE_MAIL_FROM is set and MARQUEE_SMTP_URL is not: no mail is sent.',
      'There is no mail server.',
      'Set MARQUEE_SMTP_URL.',
    )
  if (mailFrom !== undefined && !/^[^@\s]+@[^@\s]+$|<[^@\s]+@[^@\s]+>$/.test(mailFrom))
    return complain(
      found,
      `MARQUEE_MAIL_FROM ${mailFrom} is no mail address.`,
      'Mail servers refuse such a sender.',
      'Write it as name@example.com.',
    )
  return found
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

async function listens({ host }: Settings): Promise<Finding> {
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

async function reachMail(url: string): Promise<Finding> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    url,
    connectionTimeout: mailMilliseconds,
    greetingTimeout: mailMilliseconds,
    dnsTimeout: mailMilliseconds,
  })
  const found = { name: 'mail server', value: 'answers' }
  try {
    await transport.verify()
    return found
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return complain(
      { ...found, value: 'does not answer' },
      `The mail server cannot be used: ${reason}.`,
      'MARQUEE_SMTP_URL leads to no server that takes mail from here.',
      'Check its host, port, user and password, and the firewall.',
    )
  } finally {
    transport.close()
  }
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
