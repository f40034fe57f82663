/** The letterhead of an account: the brand in which its mails go. */

import type { App } from '../../model/core/app.ts'
import { type Brand, brandOfAccount, findPicture, homeOf, ownName } from '../../model/partners/brands.ts'
import { senderNameOf } from '../mail.ts'
import type { Letterhead } from './letter.ts'

const ownAccent = '#0b6e7f'

export async function letterheadOf(app: App, accountId: number): Promise<Letterhead> {
  return letterheadIn(app, await brandOfAccount(app, accountId))
}

export async function letterheadIn(app: App, brand: Brand | undefined): Promise<Letterhead> {
  const { name = ownName, accent, support = null, logo_id } = brand ?? {}
  const logo = logo_id ? await findPicture(app, logo_id) : null
  const head = { brandName: name, senderName: senderNameOf(app, brand), support, home: homeOf(app, brand?.host_name) }
  return { ...head, accent: accent ?? ownAccent, logo }
}
