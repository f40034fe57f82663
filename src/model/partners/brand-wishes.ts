/** What a request or a form wants of a brand. */

import { complete, type Draft } from '../../fields/read.ts'
import { type ChangedBrand, changedBrand } from '../../resources/brand.ts'
import type { AccountBrandWishes } from './brand-changes.ts'

/** A blank value takes away what was there. */
export function brandWishes(draft: Draft<ChangedBrand>): AccountBrandWishes {
  const { name, sender_name, support, accent, logo, dark_logo, favicon } = complete(changedBrand, draft)
  return {
    ...(name !== undefined && { name: name || null }),
    ...(sender_name !== undefined && { senderName: sender_name || null }),
    ...(support !== undefined && { support: support || null }),
    ...(accent !== undefined && { accent: accent || null }),
    ...(logo !== undefined && { logo: pictureIn(logo) }),
    ...(dark_logo !== undefined && { darkLogo: pictureIn(dark_logo) }),
    ...(favicon !== undefined && { favicon: pictureIn(favicon) }),
  }
}

function pictureIn(base64: string): Uint8Array | null {
  return base64 === '' ? null : Buffer.from(base64, 'base64')
}
