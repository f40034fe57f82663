/** `marquee partner brand` and `marquee account brand`: the brand of pages and mails for the people of a partner or of one account. */

import { readFileSync } from 'node:fs'
import { refuse } from '../../../lib/failures.ts'
import {
  type AccountBrandWishes,
  removeAccountBrand,
  removeBrand,
  setAccountBrand,
  setBrand,
  showAccountBrand,
  showBrand,
} from '../../../model/partners/brand-changes.ts'
import type { Brand } from '../../../model/partners/brands.ts'
import type { OperatorInput, Output } from '../../command.ts'

/** Changes only what was given; without any option, shows the brand. */
export async function brand(input: OperatorInput): Promise<Output> {
  const { caller, id, has } = input
  const wishes = { ...wishesOf(input), ...(has('host') && { hostName: textOf(input, 'host') }) }
  if (has('off')) return shown(await removeBrand(caller, id))
  return shown(Object.keys(wishes).length === 0 ? await showBrand(caller, id) : await setBrand(caller, id, wishes))
}

export async function accountBrand(input: OperatorInput): Promise<Output> {
  const { caller, id, has } = input
  const wishes = wishesOf(input)
  if (has('off')) return shown(await removeAccountBrand(caller, id))
  return shown(Object.keys(wishes).length === 0 ? await showAccountBrand(caller, id) : await setAccountBrand(caller, id, wishes))
}

function wishesOf(input: OperatorInput): AccountBrandWishes {
  const { has } = input
  return {
    ...(has('name') && { name: textOf(input, 'name') }),
    ...(has('accent') && { accent: textOf(input, 'accent') }),
    ...(has('support') && { support: textOf(input, 'support') }),
    ...(has('sender') && { senderName: textOf(input, 'sender') }),
    ...(has('logo') && { logo: fileOf(input, 'logo') }),
    ...(has('logo-dark') && { darkLogo: fileOf(input, 'logo-dark') }),
    ...(has('favicon') && { favicon: fileOf(input, 'favicon') }),
  }
}

function textOf({ text }: OperatorInput, option: string): string | null {
  return text(option) === 'none' ? null : (text(option) ?? '')
}

function fileOf(input: OperatorInput, option: string): Uint8Array | null {
  const path = textOf(input, option)
  if (path === null) return null
  try {
    return readFileSync(path)
  } catch {
    return refuse('bad_request', `The file of the ${option} cannot be read: ${path}.`)
  }
}

function shown(found: Brand | undefined): Output {
  if (found === undefined) return { note: 'There is no brand: pages and mails say Marquee.' }
  const { logo_id, dark_logo_id, favicon_id, ...said } = found
  const pictures = { has_logo: logo_id !== null, has_dark_logo: dark_logo_id !== null, has_favicon: favicon_id !== null }
  const note = said.host_name === null ? null : { note: `Let ${said.host_name} lead to this service, over HTTPS.` }
  return { document: { brand: { ...said, ...pictures } }, ...note }
}
