/** `marquee export`: prints observations as JSON lines that can be imported again. */

import { exportObservations } from '../../../model/imports/export/export.ts'
import { findTarget } from '../../../model/imports/import.ts'
import { exportAccounts } from '../../../model/transfers/export-accounts.ts'
import { type ObservationKind, observationKind, observationKinds, plural } from '../../../resources/observation.ts'
import { type OperatorInput, type Output, UsageError } from '../../command.ts'
import { openOutput } from '../../print.ts'

export async function exportLines(input: OperatorInput): Promise<Output> {
  const { caller, number, text, has } = input
  if (has('all')) return exportWhole(input)
  if (has('partner')) throw new UsageError('--partner goes with --all; for single kinds of record say --account.')
  const accountId = number('account')
  if (accountId !== undefined) await findTarget(caller, { account: accountId })
  const kinds = text('kind')?.split(',').map(kindOf)
  const options = { ...(accountId !== undefined && { accountId }), ...(kinds !== undefined && { kinds }) }
  await exportObservations(caller, options, openOutput())
  return {}
}

async function exportWhole({ caller, number, has }: OperatorInput): Promise<Output> {
  if (has('kind')) throw new UsageError('Whole accounts have all kinds of record: leave out --kind.')
  if (has('partner') === has('account')) throw new UsageError('Say which accounts: --partner or --account.')
  const { partnerId, accountId } = await findTarget(
    caller,
    has('partner') ? { partner: number('partner') ?? 0 } : { account: number('account') ?? 0 },
  )
  await exportAccounts(caller, { partnerId, ...(accountId !== undefined && { accountId }) }, openOutput())
  return {}
}

function kindOf(word: string): ObservationKind {
  const kind = observationKind(word.trim())
  if (kind === undefined) throw new UsageError(`A kind is one of ${observationKinds.map(plural).join(', ')}.`)
  return kind
}
