/** Sends a mail by SMTP, and tells whether a failed mail may have been accepted by the server. */

import type { SendMailOptions } from 'nodemailer'

export interface SmtpSettings {
  readonly smtpUrl?: string | undefined
  readonly mailFrom?: string | undefined
}

export type Message = Omit<SendMailOptions, 'from'> & { readonly senderName: string }

export function sendsMail({ smtpUrl, mailFrom }: SmtpSettings): boolean {
  return smtpUrl !== undefined && mailFrom !== undefined
}

export async function sendMail({ smtpUrl, mailFrom = '' }: SmtpSettings, { senderName, ...message }: Message): Promise<void> {
  // Imported with the first mail: its forty files would be loaded at every start, and most processes never send one.
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: 10_000,
    socketTimeout: 20_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  try {
    await transport.sendMail({ ...message, from: { name: senderName, address: mailFrom } })
  } finally {
    transport.close()
  }
}

/** Whether the whole mail was sent but no answer came, so that the server may have accepted it. */
export function mayHaveBeenTaken(error: unknown): boolean {
  const { command, responseCode } = error as { command?: string; responseCode?: number }
  return command === 'DATA' && responseCode === undefined
}
