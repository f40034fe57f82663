/** Sending a mail by SMTP, and telling whether a failure leaves open that the server took it. */

import { createTransport, type SendMailOptions } from 'nodemailer'

export interface SmtpSettings {
  readonly smtpUrl?: string | undefined
  readonly mailFrom?: string | undefined
}

export type Message = Omit<SendMailOptions, 'from'> & { readonly senderName: string }

export function sendsMail({ smtpUrl, mailFrom }: SmtpSettings): boolean {
  return smtpUrl !== undefined && mailFrom !== undefined
}

export async function sendMail({ smtpUrl, mailFrom = '' }: SmtpSettings, { senderName, ...message }: Message): Promise<void> {
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

/** The whole mail was on its way, and no answer came: the server may have taken it. */
export function mayHaveBeenTaken(error: unknown): boolean {
  const { command, responseCode } = error as { command?: string; responseCode?: number }
  return command === 'DATA' && responseCode === undefined
}
