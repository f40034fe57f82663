/** The mail with a login link, in the brand of the person's account. */

import { readSender } from '../lib/network/sender.ts'
import { sendMail } from '../lib/network/smtp.ts'
import type { App } from '../model/core/app.ts'
import { type Brand, brandOf, homeOf, ownName } from '../model/partners/brands.ts'
import { signedSenderOf } from '../model/partners/senders/mail-senders.ts'
import { placeOfMail } from '../model/partners/test-partners/test-mail.ts'
import type { PageRequest } from './page-request.ts'

interface LinkToMail {
  readonly email: string
  readonly token: string
  readonly partnerId: number
  readonly accountId: number
}

/** The name before the sender's address: that of the brand, or what the operator has set. */
export function senderNameOf({ settings }: App, brand: Brand | null | undefined): string {
  return brand?.sender_name ?? readSender(settings.mailFrom ?? '')?.name ?? ownName
}

/** Sent without anybody waiting: a refused address must not be visible to the requester, so only the operator learns of it. */
export async function mailLoginLink({ app, warn }: PageRequest, { email: to, token, ...whose }: LinkToMail): Promise<void> {
  const brand = await brandOf(app, whose)
  const name = brand?.name ?? ownName
  const home = homeOf(app, brand?.host_name)
  const help = brand?.support ? `\nQuestions? ${brand.support}\n` : ''
  const text = `Someone, probably you, asked for a new password at ${name}.\n\nOpen this link and press the button; it works once, within 15 minutes:\n\n${home}/login-link/${token}\n\nIf it was not you, do nothing: your password stays as it is.\n${help}`
  try {
    const place = await placeOfMail(app, whose.partnerId, to)
    if (place.to.length === 0) return
    const subject = `${place.mark}Your link to ${name}`
    const sender = await signedSenderOf(app, whose.partnerId)
    await sendMail(app.settings, { senderName: senderNameOf(app, brand), sender, to: [...place.to], subject, text })
  } catch (error) {
    warn(error, 'a mail was not sent')
  }
}
