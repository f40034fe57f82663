/** Composes the mail for an entry of the queue, in the brand of the account. */

import { Failure } from '../../lib/failures.ts'
import type { App } from '../../model/core/app.ts'
import type { ReportPayload } from '../../model/mail/due-reports.ts'
import type { Mail } from '../../model/mail/queue.ts'
import { brandOfAccount, findPicture, homeOf } from '../../model/partners/brands.ts'
import { ownName } from '../components/layout.ts'
import { senderNameOf } from '../mail.ts'
import { confirmationLetter } from './confirmation.ts'
import type { Letter, Letterhead } from './letter.ts'
import { reportLetter } from './report.ts'

const ownAccent = '#0b6e7f'

/** Null if the recipient, the schedule or the account no longer exists. */
export async function composeLetter(app: App, mail: Mail): Promise<Letter | null> {
  const payload = JSON.parse(mail.payload) as { recipient_id: number }
  const head = await letterheadOf(app, mail.account_id)
  try {
    return mail.kind === 'confirmation'
      ? await confirmationLetter(app, head, payload.recipient_id)
      : await reportLetter(app, head, payload as ReportPayload)
  } catch (error) {
    if (error instanceof Failure && error.code === 'not_found') return null
    throw error
  }
}

async function letterheadOf(app: App, accountId: number): Promise<Letterhead> {
  const brand = await brandOfAccount(app, accountId)
  const { name = ownName, accent, support = null, logo_id } = brand ?? {}
  const logo = logo_id ? await findPicture(app, logo_id) : null
  const head = { brandName: name, senderName: senderNameOf(app, brand), support, home: homeOf(app, brand?.host_name) }
  return { ...head, accent: accent ?? ownAccent, logo }
}
