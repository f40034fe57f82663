/** `marquee move`: moves the whole database to another place; `--abort` cancels a move. */

import { readFileSync } from 'node:fs'
import { openApp } from '../../../model/core/app.ts'
import { unreadableSentence } from '../../../model/core/secrets/sealed-values.ts'
import { secretPath } from '../../../model/core/secrets/secret-file.ts'
import { abortMove, type Moved, type MoveTarget, moveDatabase } from '../../../model/upkeep/move.ts'
import { addressNote, holdsPassword, readAddress } from '../../../store/address.ts'
import { type CommandInput, type Output, operatorOn, UsageError } from '../../command.ts'
import { runAsOwner } from '../../owner.ts'
import { counted } from '../../print.ts'
import { openProgress } from '../../progress.ts'

export async function move(given: CommandInput): Promise<Output> {
  const { settings, has } = given
  if ([has('to'), has('to-file'), has('abort')].filter(Boolean).length !== 1) throw new UsageError('Say either --to, --to-file or --abort.')
  const target = has('abort') ? null : targetOf(given)
  runAsOwner(settings)
  if (target !== null) runAsOwner({ ...settings, ...target })
  const app = await openApp(settings, { isMove: true })
  try {
    return await (target === null ? abort(operatorOn(app)) : moveTo(given, operatorOn(app), target))
  } finally {
    await app.close()
  }
}

function targetOf({ settings, text }: CommandInput): MoveTarget {
  const file = text('to-file')
  const address = file === undefined ? (text('to') ?? '') : readFileSync(file, 'utf8').trim()
  if (file === undefined && holdsPassword(address))
    throw new UsageError(
      'Others can read a password on the command line: write the address to a file and name it with --to-file, or set PGPASSWORD.',
    )
  return readAddress(address, settings.dataDir) ?? refuseAddress(file)
}

function refuseAddress(file: string | undefined): never {
  throw new UsageError(`${file === undefined ? '--to' : `The file ${file}`} must name ${addressNote}.`)
}

type Operator = ReturnType<typeof operatorOn>

async function abort(caller: Operator): Promise<Output> {
  const { place, began_at } = await abortMove(caller)
  return {
    document: { aborted: { place, began_at } },
    note: `The database accepts writes again. What had arrived in ${place} is not served: delete it, or let the next move use it.`,
  }
}

async function moveTo(given: CommandInput, caller: Operator, target: MoveTarget): Promise<Output> {
  const progress = openProgress()
  const beganAt = performance.now()
  let copied = 0
  const moved = await moveDatabase(caller, target, (table, work, rows) => {
    copied += work === 'copied' ? rows : 0
    progress.show(`${table}: rows ${work}`, work === 'copied' ? copied : rows)
  }).finally(progress.end)
  const seconds = (performance.now() - beganAt) / 1000
  const [rows, bytes] = [sumOf(moved, 'rows'), sumOf(moved, 'bytes')]
  return {
    document: {
      tables: moved.tables.map(({ table, rows, sha256 }) => ({ table, rows, sha256 })),
      move: {
        from: moved.from,
        to: moved.to,
        rows,
        copied,
        bytes,
        seconds: Math.round(seconds * 10) / 10,
        peak_memory_mb: peakMegabytes(),
      },
    },
    note: [noteOn(given, target, moved, rows), await unreadableSentence(caller.app)].filter((line) => line !== null).join('\n'),
  }
}

function sumOf({ tables }: Moved, figure: 'rows' | 'bytes'): number {
  return tables.reduce((sum, table) => sum + table[figure], 0)
}

function peakMegabytes(): number {
  return Math.round(process.resourceUsage().maxRSS / 1024)
}

function noteOn({ settings }: CommandInput, { databaseUrl, dataDir }: MoveTarget, { to, tables }: Moved, rows: number): string {
  const place = databaseUrl === undefined ? `DATA_DIR=${dataDir} and without DATABASE_URL` : 'its address in DATABASE_URL'
  return [
    tables.length === 0
      ? `The database was moved to ${to} before.`
      : `Everything is in ${to}: ${counted(rows, 'row')} in ${tables.length} tables, equal on both sides.`,
    `Stop what runs on the old database and start Marquee with ${place}, and with MARQUEE_SECRET_FILE=${secretPath(settings)} or a copy of that file.`,
    'The old database is not served any more; delete it once the new one is backed up.',
  ].join('\n')
}
