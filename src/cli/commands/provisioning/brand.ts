/** `marquee partner brand`: how a partner looks at its pages. */

import { readFileSync } from 'node:fs'
import { refuse } from '../../../lib/failures.ts'
import { setBrand } from '../../../model/partners/brands.ts'
import type { OperatorInput, Output } from '../../command.ts'

export const brandOptions = {
  '--host <text>': 'host name at which its people log in; none takes it away',
  '--accent <text>': 'accent colour, such as #0a7d5b; none takes it away',
  '--logo <text>': 'file of a PNG, JPEG or WebP of at most 200 KB; none takes it away',
}

/** Only what was given changes; without any option the brand is shown as it is. */
export async function brand({ caller, id, text, has }: OperatorInput): Promise<Output> {
  const given = (option: string) => (text(option) === 'none' ? null : (text(option) ?? ''))
  const logo = has('logo') ? given('logo') : undefined
  const shown = await setBrand(caller, id, {
    ...(has('host') && { hostName: given('host') }),
    ...(has('accent') && { accent: given('accent') }),
    ...(logo !== undefined && { logo: logo === null ? null : readLogo(logo) }),
  })
  return { document: { brand: shown }, ...(shown.host_name && { note: `Let ${shown.host_name} lead to this service, over HTTPS.` }) }
}

function readLogo(path: string): Uint8Array {
  try {
    return readFileSync(path)
  } catch {
    return refuse('bad_request', `The logo cannot be read: ${path}.`)
  }
}
