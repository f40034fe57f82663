/** The mail with a login link, in the brand of the person's account. */

import { sendMail } from '../lib/network/smtp.ts'
import { brandOf, homeOf } from '../model/partners/brands.ts'
import { ownName } from './components/layout.ts'
import type { PageRequest } from './page-request.ts'

interface LinkToMail {
  readonly email: string
  readonly token: string
  readonly partnerId: number
  readonly accountId: number
}

/** Sent without anybody waiting: a refused address must not be visible to the requester, so only the operator learns of it. */
export async function mailLoginLink({ app, warn }: PageRequest, { email: to, token, ...whose }: LinkToMail): Promise<void> {
  const brand = await brandOf(app, whose)
  const name = brand?.name ?? ownName
  const home = homeOf(app, brand?.host_name)
  const help = brand?.support ? `\nQuestions? ${brand.support}\n` : ''
  const text = `Someone, probably you, asked for a new password at ${name}.\n\nOpen this link and press the button; it works once, within 15 minutes:\n\n${home}/login-link/${token}\n\nIf it was not you, do nothing: your password stays as it is.\n${help}`
  try {
    await sendMail(app.settings, { senderName: brand?.sender_name ?? name, to, subject: `Your link to ${name}`, text })
  } catch (error) {
    warn(error, 'a mail was not sent')
  }
}
