/** `marquee mapping`: lists, shows, renames and deletes the column mappings of a partner. */

import { deleteMapping, findMapping, listMappings, renameMapping } from '../../../model/imports/csv/saved-mappings.ts'
import type { ImportMapping } from '../../../resources/imports/import-preset.ts'
import type { OperatorInput, Output } from '../../command.ts'

export async function list({ caller, number }: OperatorInput): Promise<Output> {
  const mappings = await listMappings(caller, number('partner') ?? 0)
  return { document: { mappings: mappings.map(({ name, updated_at }) => ({ name, updated_at })) } }
}

export async function show({ caller, number, words: [name = ''] }: OperatorInput): Promise<Output> {
  return shown(await findMapping(caller, number('partner') ?? 0, name))
}

export async function rename({ caller, number, text, words: [name = ''] }: OperatorInput): Promise<Output> {
  return shown(await renameMapping(caller, number('partner') ?? 0, name, text('to') ?? ''))
}

export async function remove({ caller, number, words: [name = ''] }: OperatorInput): Promise<Output> {
  return shown(await deleteMapping(caller, number('partner') ?? 0, name))
}

function shown({ name, options, updated_at }: ImportMapping): Output {
  const told = Object.fromEntries([...options].map((option) => [option.name, option.value]))
  return { document: { mapping: { name, ...told, updated_at } } }
}
