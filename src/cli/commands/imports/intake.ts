/** `marquee intake`: lists, shows and undoes intakes. */

import { allPages } from '../../../model/core/paging.ts'
import { type IntakeRecord, listIntakes } from '../../../model/intakes/intakes.ts'
import { namesOf } from '../../../model/intakes/later-intakes.ts'
import { releaseUpload, sinceItCame } from '../../../model/intakes/parked-uploads.ts'
import { previewUndo, showIntake } from '../../../model/intakes/preview.ts'
import { type UndoOptions, undoIntake } from '../../../model/intakes/undo.ts'
import type { OperatorInput, Output } from '../../command.ts'
import { counted } from '../../print.ts'

export async function list({ caller, number }: OperatorInput): Promise<Output> {
  const partner_id = number('partner')
  const intakes = await allPages((after) => listIntakes(caller, after, partner_id === undefined ? {} : { partner_id }))
  const columns = ['id', 'partner_id', 'via', 'file_name', 'state', 'created', 'updated', 'created_at']
  return { document: { intakes: intakes.map(withSums) }, columns }
}

export async function show({ caller, id }: OperatorInput): Promise<Output> {
  return { document: { intake: await showIntake(caller, id) } }
}

export async function release({ caller, id }: OperatorInput): Promise<Output> {
  const intake = await releaseUpload(caller, id)
  const told = intake.notices.find(({ message }) => message.startsWith(sinceItCame))?.message
  return { document: { intake }, note: told === undefined ? 'It waits for its turn.' : `It waits for its turn. ${told}` }
}

export async function undo(input: OperatorInput): Promise<Output> {
  const { caller, id, has } = input
  if (has('dry-run')) return tried(input)
  const { undone, left, left_alone, later } = await undoIntake(caller, id, optionsOf(input))
  const despite = later.length === 0 ? '' : ` ${namesOf(later)} came later: what they delivered unchanged was taken back, too.`
  const note = left === 0 ? '' : ` ${counted(left, 'record')} left alone, because something else has changed or needs them.`
  const listed = left_alone.length === 0 ? {} : { left_alone }
  const undo = { intake: id, undone, left, ...(later.length > 0 && { despite_later: later.map((other) => other.id) }) }
  return { document: { undo, ...listed }, note: `${counted(undone, 'record')} taken back.${note}${despite}` }
}

function optionsOf({ has }: OperatorInput): UndoOptions {
  return { isDespiteLater: has('despite-later'), withPeople: has('with-people') }
}

async function tried(input: OperatorInput): Promise<Output> {
  const { caller, id } = input
  const { preview } = await previewUndo(caller, id, optionsOf(input))
  const { goes, stays, as_of, going, staying, note } = preview
  const words = `${counted(goes, 'record')} would be taken back, ${stays} left alone. Nothing was changed.`
  return { document: { undo: { intake: id, goes, stays, as_of }, going, staying }, note: note ?? words }
}

function withSums(intake: IntakeRecord) {
  const counts = Object.values(intake.kinds) as { created: number; updated: number }[]
  const sum = (name: 'created' | 'updated') => counts.reduce((total, kind) => total + kind[name], 0)
  return { ...intake, created: sum('created'), updated: sum('updated') }
}
