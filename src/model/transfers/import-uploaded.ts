/** Imports an uploaded export of whole accounts as the partner that sent it, and tells in words what became of it. */

import type { WholeImport } from '../intakes/import-upload.ts'
import { importAccounts, type TransferSummary } from './import-accounts.ts'

export const importUploadedAccounts: WholeImport = async (caller, target, batches, options) => {
  const summary = await importAccounts(caller, target, batches, options)
  return { ...summary.measured, notices: [...noticesOf(summary, options.isDryRun), ...(summary.measured.notices ?? [])] }
}

function* noticesOf({ accounts, kept, kinds, left_out }: TransferSummary, isDryRun: boolean): Generator<string> {
  const [made, found] = isDryRun ? ['would be made', 'are here'] : ['made', 'found']
  for (const [kind, { created, unchanged, left_out: out }] of Object.entries(kinds))
    yield `Records of kind ${kind}: ${created} ${made}, ${unchanged} ${found}, ${out} left out.`
  const known = accounts.filter(({ id }) => id !== null).slice(0, mostTold)
  if (known.length > 0) yield `Accounts of the file and their ids here: ${known.map(({ old, id }) => `${old} is ${id}`).join(', ')}.`
  if (kept !== null) yield `Account ${kept.id} was here already and keeps its name, ${kept.name}, its time zone and its times.`
  if (kinds['report_schedule'] !== undefined)
    yield 'Nobody gets mail of a schedule before they have confirmed: add its recipients anew to have them asked.'
  for (const { kind, what, why } of left_out) yield `Left out: ${kind} ${what}: ${why}.`
}

const mostTold = 100
