/** Sends a mail by SMTP, and tells whether a failed mail may have been accepted by the server. */

import { readFileSync } from 'node:fs'
import type { SendMailOptions } from 'nodemailer'
import { readSender } from './sender.ts'

export interface SmtpSettings {
  readonly smtpUrl?: string | undefined
  readonly smtpTls: 'verified' | 'unverified'
  readonly smtpCaFile?: string | undefined
  readonly mailFrom?: string | undefined
}

export type Message = Omit<SendMailOptions, 'from'> & { readonly senderName: string }

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

export async function sendMail(settings: SmtpSettings, { senderName, ...message }: Message): Promise<void> {
  // Imported with the first mail: its forty files would be loaded at every start, and most processes never send one.
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    ...smtpOptions(settings),
    connectionTimeout: 10_000,
    socketTimeout: 20_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  try {
    const address = readSender(settings.mailFrom ?? '')?.address ?? ''
    await transport.sendMail({ ...message, from: { name: senderName, address } })
  } finally {
    transport.close()
  }
}

/** Whether the whole mail was sent but no answer came, so that the server may have accepted it. */
export function mayHaveBeenTaken(error: unknown): boolean {
  const { command, responseCode } = error as { command?: string; responseCode?: number }
  return command === 'DATA' && responseCode === undefined
}
