/** The mail with a link that lets a person in once. */

import { sendMail } from '../lib/network/smtp.ts'
import { homeOf } from '../model/partners/brands.ts'
import { brandName } from './components/layout.ts'
import type { PageRequest } from './page-request.ts'

/** Nobody waits for it: a refused address must not look different to whoever asked, so only the operator learns of it. */
export async function mailLoginLink(request: PageRequest, { to, token }: { to: string; token: string }): Promise<void> {
  const name = brandName(request)
  const home = homeOf(request.app, request.visitor.hostPartnerId === null ? null : request.brand?.host_name)
  const text = `Someone, probably you, asked for a new password at ${name}.\n\nOpen this link and press the button; it works once, within 15 minutes:\n\n${home}/login-link/${token}\n\nIf it was not you, do nothing: your password stays as it is.\n`
  try {
    await sendMail(request.app.settings, { senderName: name, to, subject: `Your link to ${name}`, text })
  } catch (error) {
    request.warn(error, 'a mail was not sent')
  }
}
