/** What is said of each file that came together with others: what it is, whose it is, whether it is left out; and what is still to be said. */

import type { StaffCaller } from '../../../../model/core/caller.ts'
import { type FileOwner, fileOwners } from '../../../../model/dashboard/desk/file-owners.ts'
import type { MappingWords } from '../../../../model/imports/csv/mappings.ts'
import { toolNames } from '../../../../model/imports/csv/recognise.ts'
import { type DeliveredFile, type Delivery, type DeliveryOptions, isOpen } from '../../../../model/intakes/deliveries/delivered-files.ts'
import type { Said } from '../../../../model/intakes/deliveries/store-delivery.ts'
import { importPresets } from '../../../../resources/imports/import-presets.ts'
import { observationKinds } from '../../../../resources/observation.ts'
import { contentText, kindNames } from './data-words.ts'
import { howIn } from './drop-form.ts'

export interface ArrivedRow {
  readonly place: number
  readonly file: DeliveredFile
  /** As it stands in the form. */
  readonly owner: string
  readonly what: string
  readonly said: Said
  /** What is still to be said before it can be stored. */
  readonly faults: { readonly owner?: string; readonly what?: string }
}

export interface ArrivedRows {
  readonly rows: readonly ArrivedRow[]
  readonly names: readonly string[]
}

/** What was sent with the form stands over what is kept. */
export async function rowsOfDelivery(staff: StaffCaller, { files }: Delivery, form: URLSearchParams): Promise<ArrivedRows> {
  const typed = files.map((_, place) => form.get(`owner-${place}`) ?? '')
  const known = files.map(({ whose }) => whose)
  const owners = await fileOwners(staff, typed, known)
  const rows = files.map((file, place): ArrivedRow => {
    const owner = form.get(`owner-${place}`) ?? owners.textOf(file.whose)
    const what = form.get(`what-${place}`) ?? whatOf(file.words)
    const words = what === whatOf(file.words) ? file.words : wordsFor(what)
    const isLeftOut = form.has('version') ? form.has(`out-${place}`) : file.isLeftOut
    const found = ownerOf(file, owner, form.has(`owner-${place}`), () => owners.ownerOf({ text: owner, looked: file.looked }))
    const isUnknown = file.looked.fault !== null && Object.keys(words).length === 0
    const faults = {
      ...(found.fault !== undefined && { owner: found.fault }),
      ...(isUnknown && { what: 'Not recognised: say what its columns are.' }),
    }
    const isAsked = isOpen(file) && !isLeftOut
    return { place, file, owner, what, said: { whose: found.whose, words, isLeftOut }, faults: isAsked ? faults : {} }
  })
  return { rows, names: owners.names }
}

/** A guess that names a site holds as it is until something else is written. */
function ownerOf({ whose }: DeliveredFile, text: string, isTyped: boolean, find: () => FileOwner): FileOwner {
  return !isTyped && whose !== null && whose.site !== null && text !== '' ? { whose } : find()
}

export function optionsIn(form: URLSearchParams, kept: DeliveryOptions): DeliveryOptions {
  return form.has('version') ? howIn(form) : kept
}

/** `own` stands for columns that were chosen one by one. */
function whatOf(words: MappingWords): string {
  if (words.columns !== undefined) return 'own'
  if (words.preset !== undefined) return `preset:${words.preset}`
  return words.kind === undefined ? '' : `kind:${words.kind}`
}

function wordsFor(what: string): MappingWords {
  const [, sort, name = ''] = /^(preset|kind):(.+)$/.exec(what) ?? []
  if (sort === 'preset' && Object.hasOwn(importPresets, name)) return { preset: name }
  return sort === 'kind' && observationKinds.some((kind) => kind === name) ? { kind: name } : {}
}

/** What a file may be said to be: the tools, and then the kinds of rows. */
export const whatOptions: readonly (readonly [value: string, label: string])[] = [
  ...Object.keys(importPresets).map((name) => [`preset:${name}`, toolNames(name)] as const),
  ...observationKinds.map((kind) => [`kind:${kind}`, firstUpper(kindNames[kind])] as const),
]

/** What was found out, in words. */
export function foundText({ looked }: DeliveredFile): string {
  if (looked.fault !== null) return 'Not recognised'
  return contentText({ kinds: looked.kinds, recognised_as: looked.presets.length === 0 ? null : looked.presets.join() })
}

function firstUpper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
