/** `marquee user login-link` and `marquee user log-out`: letting someone in once, and out everywhere. */

import { createLoginLink, logOutEverywhere } from '../../model/people/login-links.ts'
import type { OperatorInput, Output } from '../command.ts'

export async function loginLink({ caller, id }: OperatorInput): Promise<Output> {
  const document = { login_link: await createLoginLink(caller, id) }
  return { document, note: 'Give it to that person only: it lets in whoever opens it first, once, within 15 minutes.' }
}

export async function logOut({ caller, id }: OperatorInput): Promise<Output> {
  await logOutEverywhere(caller, id)
  return { document: { logged_out: { id } } }
}
