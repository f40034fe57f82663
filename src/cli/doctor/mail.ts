/** The doctor's checks of the mail server: it is tried with the sender that the mails have, and its own words are told. */

import type { Settings } from '../../config.ts'
import { trySender } from '../../lib/network/smtp-trial.ts'
import { listMailSenders } from '../../model/partners/senders/mail-senders.ts'
import type { Finding } from '../../store/engine.ts'
import type { Store } from '../../store/store.ts'
import { complain } from './settings.ts'

const patienceMilliseconds = 3_000

export function mailSettings({ smtpUrl, mailFrom, smtpTls }: Settings): Finding {
  const checked = smtpTls === 'verified' ? '' : ', to a server whose certificate is not checked'
  const found = { name: 'mail', value: smtpUrl === undefined ? 'none is sent' : `sent by ${mailFrom ?? 'nobody'}${checked}` }
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
  return found
}

/** Nothing is sent: the mail that is begun is taken back before it has a recipient. */
export async function tryMail(settings: Settings): Promise<readonly Finding[]> {
  if (settings.smtpUrl === undefined) return []
  const found = { name: 'mail server', value: `takes mails from ${settings.mailFrom ?? 'here'}` }
  try {
    await trySender(settings, patienceMilliseconds)
    return [found]
  } catch (error) {
    // Node adds advice of its own on authorities, which is not ours.
    const [words = ''] = (error instanceof Error ? error.message : String(error)).split('; if the root CA')
    const { value, complaint, cause, cure } = troubles.find(({ fits }) => fits(error)) ?? unreachable
    return [complain({ ...found, value }, `${complaint(settings)}: ${words.trim().replace(/\.?$/, '.')}`, cause, cure)]
  }
}

/** Mails whose signature nobody could check would be taken for forged, so that they come from the service until the key is there again. */
export async function examineSenders(store: Store): Promise<Finding> {
  const senders = await listMailSenders(store)
  const lost = senders.filter(({ missing_since }) => missing_since !== null)
  const signed = senders.filter(({ proved_at, missing_since }) => proved_at !== null && missing_since === null).length
  const found = { name: 'senders of partners', value: senders.length === 0 ? 'none' : `${senders.length}, of which ${signed} sign` }
  if (lost.length === 0) return found
  return complain(
    found,
    `Keys that are missing in the DNS: ${lost.map(({ address, missing_since }) => `of ${address} since ${missing_since}`).join(', ')}.`,
    'The record was removed or changed; the mails of these partners come from MARQUEE_MAIL_FROM until it is there again.',
    `Have it published again: ${lost.map(({ record }) => record.name).join(', ')}, as the page of addresses at their desk shows it.`,
  )
}

interface Trouble {
  readonly value: string
  complaint(settings: Settings): string
  readonly cause: string
  readonly cure: string
}

const troubles: readonly (Trouble & { fits(error: unknown): boolean })[] = [
  {
    fits: isAboutCertificate,
    value: 'is not trusted',
    complaint: () => 'The certificate of the mail server is not trusted',
    cause: 'No authority that is known here has signed it, it is for another name than the one in MARQUEE_SMTP_URL, or its time is over.',
    cure: 'Name the server in MARQUEE_SMTP_URL as its certificate does, and its authority, or a self-made certificate itself, in MARQUEE_SMTP_CA_FILE. MARQUEE_SMTP_TLS=unverified goes without the check, and is safe only where nobody can stand in between.',
  },
  {
    fits: (error) => error instanceof Error && error.message.includes('wrong version number'),
    value: 'speaks no TLS from the start',
    complaint: () => 'The mail server does not speak TLS from the start',
    cause: 'MARQUEE_SMTP_URL begins with smtps://, and the server expects plain words first.',
    cure: 'Write smtp://, which takes TLS as soon as the server offers it, or name the port for TLS, mostly 465.',
  },
  {
    fits: (error) => /^AUTH/.test(commandOf(error)),
    value: 'refuses the login',
    complaint: () => 'The mail server refuses the login',
    cause: 'The user and the password in MARQUEE_SMTP_URL are not those of the server.',
    cure: 'Correct them; letters such as @ and / are written as %40 and %2F there.',
  },
  {
    fits: (error) => commandOf(error) === 'MAIL FROM',
    value: 'refuses the sender',
    complaint: ({ mailFrom }) => `The mail server refuses the sender ${mailFrom}`,
    cause: 'It takes no mails with this sender from here.',
    cure: 'Set MARQUEE_MAIL_FROM to an address that it takes, or allow this one there.',
  },
]

const unreachable: Trouble = {
  value: 'does not answer',
  complaint: () => 'The mail server cannot be used',
  cause: 'MARQUEE_SMTP_URL leads to no server that takes mail from here.',
  cure: 'Check its host and port, and the firewall.',
}

function commandOf(error: unknown): string {
  return error instanceof Error && 'command' in error ? String(error.command) : ''
}

/** TLS that begins with STARTTLS is told in words only, and TLS from the start by the code of the first error. */
function isAboutCertificate(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'originalCode' in error ? String(error.originalCode) : ''
  return /CERT|ISSUER|SIGNATURE|ALTNAME/.test(code) || (commandOf(error) === 'STARTTLS' && /certificate|altnames/i.test(error.message))
}
