/** `marquee export`: what was taken in, one JSON object a line on standard output, ready to be imported again. */

import { exportObservations } from '../../../model/imports/export.ts'
import { findTarget } from '../../../model/imports/import.ts'
import { type ObservationKind, observationKind, observationKinds, plural } from '../../../resources/observation.ts'
import { type OperatorInput, type Output, UsageError } from '../../command.ts'
import { openOutput } from '../../print.ts'

export const exportOptions = {
  '--account <id>': 'only this account',
  '--kind <kinds>': 'only these kinds of record, separated by commas: rankings,backlinks',
}

export async function exportLines({ caller, number, text }: OperatorInput): Promise<Output> {
  const accountId = number('account')
  if (accountId !== undefined) await findTarget(caller, { account: accountId })
  const kinds = text('kind')?.split(',').map(kindOf)
  const options = { ...(accountId !== undefined && { accountId }), ...(kinds !== undefined && { kinds }) }
  await exportObservations(caller, options, openOutput())
  return {}
}

function kindOf(word: string): ObservationKind {
  const kind = observationKind(word.trim())
  if (kind === undefined) throw new UsageError(`A kind is one of ${observationKinds.map(plural).join(', ')}.`)
  return kind
}
