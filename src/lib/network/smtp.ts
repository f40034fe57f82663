/** Sends a mail by SMTP, and tells whether a failed mail may have been accepted by the server. */

import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { SendMailOptions } from 'nodemailer'
import { readSender } from './sender.ts'

export interface SmtpSettings {
  readonly smtpUrl?: string | undefined
  readonly smtpTls: 'verified' | 'unverified'
  readonly smtpCaFile?: string | undefined
  readonly mailFrom?: string | undefined
}

/** An address of a domain whose key signs the mail. */
export interface SignedSender {
  readonly address: string
  readonly dkim: { readonly domainName: string; readonly keySelector: string; readonly privateKey: string }
}

/** Without a sender of its own, a mail comes from the address of the service. */
export type Message = Omit<SendMailOptions, 'from' | 'sender' | 'dkim'> & {
  readonly senderName: string
  readonly sender?: SignedSender | null
}

export function sendsMail({ smtpUrl, mailFrom }: Pick<SmtpSettings, 'smtpUrl' | 'mailFrom'>): boolean {
  return smtpUrl !== undefined && mailFrom !== undefined
}

/** Without the credentials, which are part of the address. */
export function smtpServer({ smtpUrl = '' }: Pick<SmtpSettings, 'smtpUrl'>): string {
  return URL.parse(smtpUrl)?.host ?? ''
}

/** How to connect. The file of authorities is read each time, because certificates are renewed while the service runs. */
export function smtpOptions({ smtpUrl, smtpTls, smtpCaFile }: SmtpSettings) {
  const authorities = smtpCaFile === undefined ? {} : { ca: readFileSync(smtpCaFile, 'utf8') }
  return { url: smtpUrl ?? '', tls: { rejectUnauthorized: smtpTls === 'verified', ...authorities } }
}

/** Connections to the mail server, which are opened when they are needed and used again. */
export interface Mailer {
  send(message: Message): Promise<void>
  close(): void
}

/** A mail that is being sent when the mailer is closed is still sent. */
export async function openMailer(settings: SmtpSettings, connections: number): Promise<Mailer> {
  // Imported with the first mail: its forty files would be loaded at every start, and most processes never send one.
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    ...smtpOptions(settings),
    pool: true,
    maxConnections: connections,
    // Where a connection that was kept turns out to be closed; nodemailer does it only before the first byte of the mail.
    maxRequeues: 1,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  transport.use('stream', ({ data, message }, done) => {
    const whenRead = 'whenRead' in data && typeof data.whenRead === 'function' ? data.whenRead : () => {}
    message.processFunc((text) => text.once('end', () => whenRead()))
    done()
  })
  return {
    async send({ senderName, sender, ...message }) {
      const address = readSender(settings.mailFrom ?? '')?.address ?? ''
      // What cannot be delivered comes back to the service, whose servers are those that SPF names.
      const own = sender && {
        dkim: sender.dkim,
        envelope: { from: address, to: message.to },
        messageId: message.messageId ?? `<${randomUUID()}@${sender.dkim.domainName}>`,
      }
      let isWhole = false
      const whenRead = () => {
        isWhole = true
      }
      // So that nobody's absence note answers (RFC 3834).
      const headers = { ...message.headers, 'Auto-Submitted': 'auto-generated' }
      const mail: SendMailOptions & { readonly whenRead: () => void } = {
        ...message,
        headers,
        whenRead,
        from: { name: senderName, address: sender?.address ?? address },
        ...own,
      }
      await transport.sendMail(mail).catch((error: SmtpError) => {
        throw Object.assign(error, { isWhole })
      })
    },
    close: () => transport.close(),
  }
}

export async function sendMail(settings: SmtpSettings, message: Message): Promise<void> {
  const mailer = await openMailer(settings, 1)
  try {
    await mailer.send(message)
  } finally {
    mailer.close()
  }
}

/** What nodemailer says of a failure; `isWhole` once the connection has taken the last byte of the mail. */
interface SmtpError extends Error {
  readonly command?: string
  readonly code?: string
  readonly responseCode?: number
  readonly isWhole?: boolean
}

/** Whether the whole mail was sent but no answer came, so that the server may have accepted it. */
export function mayHaveBeenTaken(error: unknown): boolean {
  const { isWhole = false, responseCode } = error as SmtpError
  return isWhole && responseCode === undefined
}

const commandsAboutMail = ['MAIL FROM', 'RCPT TO', 'DATA']

/** Whether the mail server never got to know of the mail: it could not be reached, did not speak, or refused the connection or the login. */
export function wasNotReached(error: unknown): boolean {
  const { command, code } = error as SmtpError
  return command === undefined ? code === 'ECONNECTION' : !commandsAboutMail.includes(command)
}
