/** `marquee import --all`: imports whole accounts, which `marquee export --all` wrote, for a partner here. */

import { createHash, type Hash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { withBoundedYoungGeneration } from '../../../lib/process-memory.ts'
import { openImport, readNdjson } from '../../../model/imports/formats.ts'
import { findTarget } from '../../../model/imports/import.ts'
import type { ImportLine } from '../../../model/imports/import-line.ts'
import { importAccounts, type TransferSummary } from '../../../model/transfers/import-accounts.ts'
import { exportedIds } from '../../../model/transfers/kept-ids.ts'
import { importErrorWithPlace } from '../../../resources/imports/import-fault.ts'
import { plural } from '../../../resources/observation.ts'
import { type OperatorInput, type Output, UsageError } from '../../command.ts'
import { counted, printable } from '../../print.ts'
import { openProgress } from '../../progress.ts'
import { hashedFile } from './hashed-file.ts'
import { previewNote } from './preview-note.ts'

export async function importWhole(input: OperatorInput): Promise<Output> {
  const [file] = input.words
  if (file === undefined || input.words.length > 1)
    throw new UsageError('Whole accounts come in one file: name it, or - for standard input.')
  if (input.has('site')) throw new UsageError('Whole accounts are for a partner or an account, not for a site.')
  if (input.has('keep-ids') && file === '-') throw new UsageError('To keep ids the file is read twice: name a file, not -.')
  if (input.has('keep-ids') && input.has('account')) throw new UsageError('Ids are kept for a partner: say --partner.')
  if (input.has('ids') && input.has('dry-run')) throw new UsageError('A dry run gives nothing an id: leave out --ids.')
  const [partner, account] = [input.number('partner'), input.number('account')]
  const target = await findTarget(input.caller, { ...(partner !== undefined && { partner }), ...(account !== undefined && { account }) })
  const hash = createHash('sha256')
  const keeping = input.has('keep-ids') ? await exportedIds(linesOf(file, createHash('sha256'))) : undefined
  const progress = openProgress()
  const summary = await withBoundedYoungGeneration(async () =>
    importAccounts(input.caller, target, linesOf(file, hash), {
      isDryRun: input.has('dry-run'),
      ...(keeping && { keeping }),
      about: () => ({ file_name: basename(file), sha256: hash.copy().digest('hex') }),
      progress: (stage, done) => progress.show(stage === 'check' ? 'lines checked:' : 'records stored:', done),
    }),
  ).finally(() => progress.end())
  const ids = input.text('ids')
  if (ids !== undefined) await writeFile(ids, withHeading(summary.ids()))
  return output(input, summary)
}

function* withHeading(lines: Iterable<string>): Generator<string> {
  yield 'kind,old,new\n'
  yield* lines
}

async function* linesOf(file: string, hash: Hash): AsyncGenerator<ImportLine[]> {
  const opened = await openImport(hashedFile(file, hash))
  if (opened.format === 'ndjson') yield* readNdjson(opened.bytes)
}

function output({ wantsJson, has }: OperatorInput, { accounts, kept, kinds, left_out, measured }: TransferSummary): Output {
  const { refused, faults, isApplied, intakeId, preview } = measured
  const exitCode = refused > 0 ? 1 : 0
  const told = {
    accounts,
    kept,
    records: kinds,
    left_out,
    measured: { applied: isApplied, refused, intake: intakeId ?? null, kinds: measured.kinds, faults, ...(preview && { preview }) },
  }
  if (wantsJson) return { document: { import: told }, exitCode }
  for (const fault of faults) console.error(printable(importErrorWithPlace(fault)))
  const rows = [
    ...Object.entries(kinds).map(([kind, { created, unchanged, left_out: out }]) => ({
      kind: nouns(kind),
      created,
      updated: 0,
      unchanged,
      left_out: out,
    })),
    ...Object.entries(measured.kinds).map(([kind, { accepted: _, ...counts }]) => ({
      kind: plural(kind as 'site'),
      ...counts,
      left_out: 0,
    })),
  ]
  const lines = left_out.map(({ kind, what, why }) => `\nLeft out: ${kind} ${printable(what)}: ${why}.`)
  const stored = refused > 0 ? `${counted(refused, 'line')} of what was measured refused, so none of it was stored.` : ''
  const tried = has('dry-run') ? 'Nothing was stored; this is what would be.' : ''
  const note = [accountsNote(accounts), keptNote(kept), stored, tried].filter(Boolean).join(' ')
  return {
    document: { kinds: rows },
    note: `${note}${lines.join('')}${previewNote(measured)}${tried ? '' : passwordNote(kinds)}`,
    exitCode,
  }
}

const mostNamed = 20

function accountsNote(accounts: TransferSummary['accounts']): string {
  if (accounts.length === 0) return ''
  const named = accounts
    .slice(0, mostNamed)
    .map(({ old, id, name }) => `${printable(name)} (${old}, ${id === null ? 'new here' : `here ${id}`})`)
  const more = accounts.length > mostNamed ? ` and ${(accounts.length - mostNamed).toLocaleString('en-US')} more` : ''
  return `${counted(accounts.length, 'account')}: ${named.join(', ')}${more}.`
}

function keptNote(kept: TransferSummary['kept']): string {
  return kept === null
    ? ''
    : `Account ${kept.id} was here already and keeps its name, ${printable(kept.name)}, its time zone and its times.`
}

function nouns(kind: string): string {
  return kind.endsWith('y') ? `${kind.slice(0, -1)}ies` : kind.endsWith('s') ? `${kind}es` : `${kind}s`
}

function passwordNote(kinds: TransferSummary['kinds']): string {
  const users = kinds['user']?.created ?? 0
  return users === 0 ? '' : `\n${counted(users, 'user')} came without a password: \`marquee user login-link\` lets each in.`
}
