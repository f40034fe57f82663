/** `marquee user login-link` and `marquee user log-out`: letting someone in once, and out everywhere. */

import { brandOfPartner, homeOf } from '../../model/partners/brands.ts'
import { createLoginLink, logOutEverywhere } from '../../model/people/login-links.ts'
import type { OperatorInput, Output } from '../command.ts'

export async function loginLink({ caller, id }: OperatorInput): Promise<Output> {
  const { token, expires_at, partnerId } = await createLoginLink(caller, id)
  const brand = await brandOfPartner(caller.app, partnerId)
  const url = `${homeOf(caller.app, brand?.host_name)}/login-link/${token}`
  const document = { login_link: { user_id: id, url, expires_at } }
  return { document, note: 'Give it to that person only: it lets in whoever opens it first, once, within 15 minutes.' }
}

export async function logOut({ caller, id }: OperatorInput): Promise<Output> {
  await logOutEverywhere(caller, id)
  return { document: { logged_out: { id } } }
}
