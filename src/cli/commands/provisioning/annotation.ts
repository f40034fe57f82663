/** `marquee annotation`: notes on days of a site's charts. */

import { addAnnotation, removeAnnotation } from '../../../model/dashboard/annotations.ts'
import type { OperatorInput, Output } from '../../command.ts'

export async function add({ caller, number, text }: OperatorInput): Promise<Output> {
  const wanted = { day: text('day') ?? '', text: text('text') ?? '' }
  return { document: { annotation: await addAnnotation(caller, number('site') ?? 0, wanted) } }
}

export async function remove({ caller, id, number }: OperatorInput): Promise<Output> {
  await removeAnnotation(caller, number('site') ?? 0, id)
  return { document: { removed: { id } } }
}
