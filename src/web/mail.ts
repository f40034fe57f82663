/** The one mail the pages send: a link that lets a person in once. */

import { createTransport } from 'nodemailer'
import type { Settings } from '../config.ts'
import { homeOf } from '../model/partners/brands.ts'
import { brandName } from './components/layout.ts'
import type { PageRequest } from './page-request.ts'

export function sendsMail({ smtpUrl, mailFrom }: Settings): boolean {
  return smtpUrl !== undefined && mailFrom !== undefined
}

/** Nobody waits for it: a refused address must not look different to whoever asked, so only the operator learns of it. */
export async function mailLoginLink(request: PageRequest, { to, token }: { to: string; token: string }): Promise<void> {
  const { smtpUrl, mailFrom } = request.app.settings
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: 10_000,
    socketTimeout: 20_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const name = brandName(request)
  const home = homeOf(request.app, request.visitor.hostPartnerId === null ? null : request.brand?.host_name)
  const text = [
    `Someone, probably you, asked for a new password at ${name}.`,
    'Open this link and press the button; it works once, within 15 minutes:',
    `${home}/login-link/${token}`,
    'If it was not you, do nothing: your password stays as it is.\n',
  ].join('\n\n')
  try {
    await transport.sendMail({ from: { name, address: mailFrom ?? '' }, to, subject: `Your link to ${name}`, text })
  } catch (error) {
    request.warn(error, 'a mail was not sent')
  } finally {
    transport.close()
  }
}
