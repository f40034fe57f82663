/** The version of a brand as somebody saw it, by which a change that was made meanwhile is noticed. */

import { hash } from 'node:crypto'
import type { BrandRow } from '../../store/rows/people.ts'

export const said = ['name', 'sender_name', 'support', 'accent', 'logo_id', 'dark_logo_id', 'favicon_id'] as const

export type SaidByBrand = Pick<BrandRow, (typeof said)[number]>

export const sayingNothing: SaidByBrand = {
  name: null,
  sender_name: null,
  support: null,
  accent: null,
  logo_id: null,
  dark_logo_id: null,
  favicon_id: null,
}

/** A brand that is not there is like one that says nothing. */
export function brandVersion(row: SaidByBrand = sayingNothing): string {
  return hash('sha256', JSON.stringify(said.map((column) => row[column])), 'base64url').slice(0, 22)
}
