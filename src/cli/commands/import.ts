/** `marquee import`: data files and existing reports, checked as a whole and then stored. */

import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setImmediate as otherWork } from 'node:timers/promises'
import { withBoundedYoungGeneration } from '../../lib/young-space.ts'
import type { ImportLine } from '../../model/imports/check.ts'
import { csvTemplate, readCsv } from '../../model/imports/csv.ts'
import { openImport, readNdjson } from '../../model/imports/formats.ts'
import { findTarget, importObservations } from '../../model/imports/import.ts'
import type { Target } from '../../model/imports/references.ts'
import { ReportNames } from '../../model/imports/saved-reports/old-ids.ts'
import { readReport } from '../../model/imports/saved-reports/read.ts'
import type { ImportSummary } from '../../model/imports/summary.ts'
import { type ImportError, importErrorSentence, importErrorWithPlace } from '../../resources/import-fault.ts'
import { observationKind, observationKinds, plural } from '../../resources/observation.ts'
import { asOperator, type Given, type OperatorInput, type Output, UsageError } from '../command.ts'
import { counted, printable } from '../print.ts'
import { openProgress } from '../progress.ts'

export const importOptions = {
  '--partner <id>': 'for all accounts of this partner',
  '--account <id>': 'for this account',
  '--site <id>': 'for this site',
  '--create-missing': 'create the sites, competitors, keywords and pages that lines refer to',
  '--dry-run': 'check only',
  '--as-of <date>': 'day of the figures in an existing report (today)',
  '--keep-hyphens': 'keep the hyphens of phrases in a report with literal names, which become blanks otherwise',
  '--map <file>': 'what ids in an existing report are here, one kind,old,new a line',
  '--counts-are-totals': 'review counts are running totals: take the difference of each day to the one before',
  '--counts-are-daily': 'review counts are those of single days, although they never fall',
  '--template <kind>': 'print a CSV file to fill in, for one kind of record: rankings',
}

export async function importFiles(given: Given): Promise<Output> {
  const wanted = given.text('template')
  if (wanted !== undefined) return printTemplate(wanted)
  if (given.words.length === 0) throw new UsageError('Name the files to import, or - for standard input.')
  if (['partner', 'account', 'site'].filter(given.has).length !== 1)
    throw new UsageError('Say what the data is for: --partner, --account or --site.')
  return asOperator(runImport)(given)
}

function printTemplate(word: string): Output {
  const kind = observationKind(word)
  if (kind === undefined) throw new UsageError(`There is a template for each of ${observationKinds.map(plural).join(', ')}.`)
  process.stdout.write(csvTemplate(kind))
  return {}
}

async function runImport(input: OperatorInput): Promise<Output> {
  const target = await findTarget(input.caller, named(input))
  const map = input.text('map')
  const names = await new ReportNames(input.caller, target, input.has('create-missing')).load(
    map === undefined ? '' : await readFile(map, 'utf8'),
  )
  const startedAt = performance.now()
  const summary = await withBoundedYoungGeneration(() => importAll(input, target, names))
  const seconds = (performance.now() - startedAt) / 1000
  const mapped = summary.isApplied ? await names.keep() : ''
  return output(input, summary, seconds, mapped)
}

function named({ number }: OperatorInput): { partner?: number; account?: number; site?: number } {
  const [partner, account, site] = [number('partner'), number('account'), number('site')]
  return { ...(partner !== undefined && { partner }), ...(account !== undefined && { account }), ...(site !== undefined && { site }) }
}

async function importAll(input: OperatorInput, target: Target, names: ReportNames): Promise<ImportSummary> {
  const progress = openProgress()
  let checked = 0
  try {
    return await importObservations(input.caller, target, arrivalsOf(input, names), {
      createMissing: input.has('create-missing'),
      isDryRun: input.has('dry-run'),
      counts: input.has('counts-are-totals') ? 'totals' : input.has('counts-are-daily') ? 'daily' : 'ask',
      progress: (stage, done) => {
        if (stage === 'check') checked = done
        progress.show(stage === 'check' ? 'lines checked:' : 'records stored:', done, stage === 'check' ? undefined : checked)
      },
    })
  } finally {
    progress.end()
  }
}

async function* arrivalsOf(input: OperatorInput, names: ReportNames): AsyncGenerator<readonly ImportLine[]> {
  for (const file of input.words) {
    const { format, bytes } = await openImport(file === '-' ? process.stdin : createReadStream(file, { highWaterMark: 1 << 16 }))
    const asOf = input.text('as-of') ?? input.caller.app.clock.now().slice(0, 10)
    const options = { asOf, keepHyphens: input.has('keep-hyphens') }
    const arrivals =
      format === 'ndjson'
        ? readNdjson(bytes)
        : format === 'csv'
          ? readCsv(bytes)
          : readReport(bytes, format === 'xml report' ? 'xml' : 'json', names, options)
    for await (const batch of arrivals) {
      yield input.words.length === 1 ? batch : batch.map((arrival) => ({ ...arrival, file }))
      await otherWork()
    }
  }
}

function output({ wantsJson }: OperatorInput, summary: ImportSummary, seconds: number, mapped: string): Output {
  const { lines, refused, faults, kinds, isApplied } = summary
  const rate = Math.round(lines / Math.max(seconds, 0.001))
  const table = Object.entries(kinds).map(([kind, counts]) => ({ kind: plural(kind as 'site'), ...counts }))
  const document = {
    import: {
      lines,
      refused,
      applied: isApplied,
      seconds: Number(seconds.toFixed(3)),
      lines_per_second: rate,
      kinds,
      faults: faults.map(told),
      map: mapped,
    },
  }
  if (wantsJson) return { document, exitCode: refused > 0 ? 1 : 0 }
  for (const fault of faults) console.error(printable(importErrorWithPlace(fault)))
  return { ...(table.length > 0 && { document: { kinds: table } }), note: noteOf(summary, rate, mapped), exitCode: refused > 0 ? 1 : 0 }
}

function told({ index: _, ...fault }: ImportError): object {
  return { ...fault, message: importErrorSentence(fault) }
}

function noteOf({ lines, refused, isApplied }: ImportSummary, rate: number, mapped: string): string {
  const speed = `${counted(lines, 'line')}, ${rate.toLocaleString('en-US')} a second.`
  if (refused > 0) return `${speed} ${refused.toLocaleString('en-US')} refused, so nothing was stored.`
  if (!isApplied) return `${speed} All good; nothing was stored.`
  return mapped === ''
    ? speed
    : `${speed}\n\nIds of the report and what they are here (keep this for --map):\nkind,old,new\n${mapped}`.trimEnd()
}
