/** `marquee audit`: lists and exports the audit log, and proves that it is unchanged. */

import { type AuditQuestion, auditEntries, latestEntries } from '../../../model/upkeep/audit-entries.ts'
import { sealEntries, verifyAudit } from '../../../model/upkeep/audit-seals.ts'
import { type OperatorInput, type Output, UsageError } from '../../command.ts'
import { openOutput } from '../../print.ts'

const mostListed = 1_000

/** The last thousand entries; `export` has all. */
export async function list(input: OperatorInput): Promise<Output> {
  const entries = await latestEntries(input.caller, questionOf(input), mostListed)
  return { document: { entries }, columns: ['id', 'at', 'actor', 'action', 'subject_type', 'subject_id', 'request_id'] }
}

/** Prints one JSON object per line, however many there are. */
export async function exportEntries(input: OperatorInput): Promise<Output> {
  const write = openOutput()
  for await (const entry of auditEntries(input.caller, questionOf(input))) await write(`${JSON.stringify(entry)}\n`)
  return {}
}

export async function verify({ caller, text }: OperatorInput): Promise<Output> {
  while ((await sealEntries(caller.app)) !== null);
  const { checked, head, faults } = await verifyAudit(caller.app, anchorOf(text('anchor')))
  return {
    document: { audit: { checked, head: head === null ? null : `${head.position}:${head.seal}`, faults } },
    note: faults.length === 0 ? 'Every entry is as it was sealed.' : faults.join('\n'),
    exitCode: faults.length === 0 ? 0 : 1,
  }
}

function anchorOf(given: string | undefined) {
  if (given === undefined) return undefined
  const [, position, seal] = /^(\d{1,15}):((?:\d{1,9}\.)?[0-9a-f]{64})$/.exec(given) ?? []
  if (position === undefined || seal === undefined) throw new UsageError('An anchor is a position and a seal: 12:ab34...')
  return { position: Number(position), seal }
}

function questionOf({ number, text }: OperatorInput): AuditQuestion {
  return {
    partner_id: number('partner'),
    account_id: number('account'),
    subject: text('subject'),
    actor: text('actor'),
    action: text('action'),
    since: text('since'),
  }
}
