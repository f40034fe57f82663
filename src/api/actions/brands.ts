/** Brands of the partner and of its accounts: shown and changed. */

import { readDraft } from '../../fields/read.ts'
import type { App } from '../../model/core/app.ts'
import { showing } from '../../model/core/idempotency.ts'
import { setAccountBrand, setBrand, showAccountBrand, showBrand } from '../../model/partners/brand-changes.ts'
import { brandWishes } from '../../model/partners/brand-wishes.ts'
import { type Brand, homeOf, ownName } from '../../model/partners/brands.ts'
import { type BrandRecord, changedBrand } from '../../resources/brand.ts'
import type { Call } from '../endpoint.ts'

export async function show({ caller }: Call) {
  return written(caller.app, await showBrand(caller, caller.partnerId))
}

export async function change({ caller, body }: Call) {
  const shown = (brand: Brand | undefined) => written(caller.app, brand)
  return shown(await setBrand(showing(caller, shown), caller.partnerId, brandWishes(readDraft(changedBrand, body))))
}

export async function showOfAccount({ caller, ids: [id] }: Call) {
  return written(caller.app, await showAccountBrand(caller, id))
}

export async function changeOfAccount({ caller, ids: [id], body }: Call) {
  const shown = (brand: Brand | undefined) => written(caller.app, brand)
  return shown(await setAccountBrand(showing(caller, shown), id, brandWishes(readDraft(changedBrand, body))))
}

function written(app: App, found: Brand | undefined): BrandRecord {
  const { name = ownName, sender_name = ownName, support = null, accent = null, host_name = null } = found ?? {}
  const addressOf = (id: string | null | undefined) => (id ? `${homeOf(app, host_name)}/brand/${id}` : null)
  const pictures = { logo: addressOf(found?.logo_id), dark_logo: addressOf(found?.dark_logo_id), favicon: addressOf(found?.favicon_id) }
  return { name, sender_name, support, accent, host_name, ...pictures }
}
