/** `marquee import`: checks data files and saved reports as a whole, and then stores them. */

import { createHash, type Hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { withBoundedYoungGeneration } from '../../../lib/process-memory.ts'
import { csvTemplate } from '../../../model/imports/csv/csv.ts'
import { type MappingWords, readMapping } from '../../../model/imports/csv/mappings.ts'
import { overSaved, savedMapping, saveMapping } from '../../../model/imports/csv/saved-mappings.ts'
import { openImport, unreadableFault } from '../../../model/imports/formats.ts'
import { countTaken, findTarget } from '../../../model/imports/import.ts'
import type { ImportLine } from '../../../model/imports/import-line.ts'
import { readLines, wholeFileFault } from '../../../model/imports/read/read-lines.ts'
import type { Target } from '../../../model/imports/refs.ts'
import { ReportNames } from '../../../model/imports/saved-reports/old-ids.ts'
import { readReport } from '../../../model/imports/saved-reports/read.ts'
import type { ImportSummary } from '../../../model/imports/summary.ts'
import { storeObservations } from '../../../model/intakes/store-observations.ts'
import { type ImportError, importErrorSentence, importErrorWithPlace } from '../../../resources/imports/import-fault.ts'
import type { CsvMapping } from '../../../resources/imports/import-preset.ts'
import { observationKind, observationKinds, observations, plural } from '../../../resources/observation.ts'
import { type CommandInput, type OperatorInput, type Output, UsageError, withApp } from '../../command.ts'
import { counted, printable } from '../../print.ts'
import { openProgress } from '../../progress.ts'
import { FoundOut } from './found-out.ts'
import { fileNameOf, hashedFile } from './hashed-file.ts'
import { previewNote } from './preview-note.ts'
import { RefusedFile } from './refused-file.ts'
import { importWhole } from './whole-accounts.ts'

export async function importFiles(given: CommandInput): Promise<Output> {
  if (given.has('template')) return printTemplate(given.text('template'))
  if (given.words.length === 0) throw new UsageError('Name the files to import, or - for standard input.')
  if (['partner', 'account', 'site'].filter(given.has).length !== 1)
    throw new UsageError('Say what the data is for: --partner, --account or --site.')
  return withApp(given, given.has('all') ? importWhole : runImport)
}

function printTemplate(word: string | undefined): Output {
  if (word === undefined)
    return { document: { kinds: observationKinds.map((kind) => ({ kind: plural(kind), about: observations[kind].about })) } }
  const kind = observationKind(word)
  if (kind === undefined) throw new UsageError(`There is a template for each of ${observationKinds.map(plural).join(', ')}.`)
  process.stdout.write(csvTemplate(kind))
  return {}
}

/** What is needed to read the files, and what is found out on the way. */
interface Reading {
  readonly input: OperatorInput
  readonly names: ReportNames
  readonly mapping: CsvMapping
  readonly found: FoundOut
  /** The file for refused lines, if they are skipped. */
  readonly refusals: RefusedFile | undefined
  readonly hash: Hash
  readonly words: MappingWords
}

async function runImport(input: OperatorInput): Promise<Output> {
  const target = await findTarget(input.caller, named(input))
  const map = input.text('map')
  const names = await new ReportNames(input.caller, target, input.has('create-missing')).load(
    map === undefined ? '' : await readFile(map, 'utf8'),
  )
  const words = await mappingWords(input, target)
  const reading: Reading = {
    input,
    names,
    mapping: { ...readMapping(words), keepsAccounts: input.has('partner') },
    found: new FoundOut(),
    refusals: input.has('skip-refused') ? new RefusedFile(input.text('skip-refused') as string) : undefined,
    hash: createHash('sha256'),
    words,
  }
  const startedAt = performance.now()
  const summary = await withBoundedYoungGeneration(() => importAll(reading, target))
  for (const notice of summary.notices ?? []) reading.found.notices.add(notice)
  const seconds = (performance.now() - startedAt) / 1000
  const mapped = summary.isApplied ? await names.keep() : ''
  const name = input.text('save-mapping')
  if (name !== undefined && summary.refused === 0) await saveMapping(input.caller, target.partnerId, name, words)
  return output(input, summary, seconds, mapped, reading.found)
}

function named({ number }: OperatorInput): { partner?: number; account?: number; site?: number } {
  const [partner, account, site] = [number('partner'), number('account'), number('site')]
  return { ...(partner !== undefined && { partner }), ...(account !== undefined && { account }), ...(site !== undefined && { site }) }
}

async function importAll(reading: Reading, target: Target): Promise<ImportSummary> {
  const { input } = reading
  const progress = openProgress()
  let checked = 0
  try {
    const summary = await storeObservations(input.caller, target, arrivalsOf(reading), {
      createMissing: input.has('create-missing'),
      isDryRun: input.has('dry-run'),
      refusesDoubled: !input.has('last-wins'),
      takeGood: input.has('skip-refused'),
      refused: reading.refusals?.take,
      ...(reading.refusals && !input.words.includes('-') && { again: () => again(reading, reading.refusals as RefusedFile) }),
      about: () => aboutOf(reading),
      counts: input.has('counts-are-totals') ? 'totals' : input.has('counts-are-daily') ? 'daily' : 'ask',
      progress: (stage, done) => {
        if (stage === 'check') checked = done
        progress.show(stage === 'check' ? 'lines checked:' : 'records stored:', done, stage === 'check' ? undefined : checked)
      },
    })
    countTaken(input.caller, target, summary)
    return summary
  } finally {
    progress.end()
    reading.refusals?.close()
  }
}

/** Reads the files once more; their hash is known by then. */
function again(reading: Reading, refusals: RefusedFile): AsyncGenerator<readonly ImportLine[]> {
  refusals.clear()
  return arrivalsOf({ ...reading, hash: createHash('sha256') })
}

async function* arrivalsOf(reading: Reading): AsyncGenerator<readonly ImportLine[]> {
  const { input } = reading
  for (const file of input.words) {
    let many = 0
    for await (const batch of linesOf(file, reading)) {
      many += batch.length
      yield input.words.length === 1
        ? batch
        : batch.map((arrival) => ({ ...arrival, file: arrival.file === undefined ? file : `${file}: ${arrival.file}` }))
    }
    if (many === 0 && !input.has('allow-empty')) yield [{ ...(input.words.length > 1 && { file }), ...wholeFileFault('empty') }]
  }
}

async function* linesOf(
  file: string,
  { input, names, mapping, found, refusals, hash, words }: Reading,
): AsyncGenerator<readonly ImportLine[]> {
  try {
    const { encoding } = words
    const opened = await openImport(hashedFile(file, hash), { encoding, isRemembered: !input.has('encoding') })
    if (opened.format === 'xml report' || opened.format === 'json report')
      yield* readReport(opened.bytes, opened.format === 'xml report' ? 'xml' : 'json', names, {
        ...reportOptions(input),
        noticed: found.reading.noticed,
      })
    else yield* readLines(opened, mapping, { encoding, ...found.reading, ...(refusals && { headed: refusals.headed }) })
  } catch (error) {
    yield [wholeFileFault(unreadableFault(error))]
  }
}

/** The hash covers all files, one after the other. */
function aboutOf({ input, hash, words }: Reading) {
  const mapping = Object.keys(words).length === 0 ? {} : { mapping: JSON.stringify(words) }
  return { file_name: fileNameOf(input.words), sha256: hash.copy().digest('hex'), ...mapping }
}

function reportOptions(input: OperatorInput) {
  return { asOf: input.text('as-of') ?? input.caller.app.clock.now().slice(0, 10), keepHyphens: input.has('keep-hyphens') }
}

/** The options of this command, over those saved under a name. */
async function mappingWords(input: OperatorInput, { partnerId }: Target): Promise<MappingWords> {
  const { text } = input
  const kept = text('mapping') === undefined ? {} : await savedMapping(input.caller, partnerId, text('mapping') as string)
  const told = {
    preset: text('preset'),
    kind: text('kind'),
    columns: text('columns'),
    set: text('set'),
    date: text('date'),
    date_format: text('date-format'),
    decimal: text('decimal'),
    not_found: text('not-found'),
    words: text('words'),
    strip: text('strip'),
    skip_lines: text('skip-lines'),
    sheet: text('sheet'),
    unpivot: text('unpivot'),
    round: input.has('round') || undefined,
    as_rank: input.has('as-rank') || undefined,
    period: text('period'),
    devices: input.has('devices') || undefined,
    plain_device: text('plain-device'),
    plain_location: text('plain-location'),
    language: text('language'),
    encoding: text('encoding') as 'windows-1252' | undefined,
  }
  return overSaved(kept, told)
}

function output({ wantsJson }: OperatorInput, summary: ImportSummary, seconds: number, mapped: string, found: FoundOut): Output {
  const { lines, refused, faults, kinds, isApplied, intakeId, preview } = summary
  const rate = Math.round(lines / Math.max(seconds, 0.001))
  const table = Object.entries(kinds).map(([kind, counts]) => ({ kind: plural(kind as 'site'), ...counts }))
  const document = {
    import: {
      lines,
      refused,
      applied: isApplied,
      intake: intakeId ?? null,
      seconds: Number(seconds.toFixed(3)),
      lines_per_second: rate,
      kinds,
      faults: faults.map(told),
      map: mapped,
      columns_left_out: [...found.columns],
      files_left_out: [...found.files],
      recognised_as: [...found.presets],
      notices: [...found.notices],
      ...(preview && { preview }),
    },
  }
  if (wantsJson) return { document, exitCode: refused > 0 ? 1 : 0 }
  for (const fault of faults) console.error(printable(importErrorWithPlace(fault)))
  return {
    ...(table.length > 0 && { document: { kinds: table } }),
    note: noteOf(summary, rate, mapped) + previewNote(summary) + found.note(),
    exitCode: refused > 0 ? 1 : 0,
  }
}

function told({ index: _, ...fault }: ImportError): object {
  return { ...fault, message: importErrorSentence(fault) }
}

function noteOf({ lines, refused, isApplied, intakeId }: ImportSummary, rate: number, mapped: string): string {
  const undoing = intakeId === undefined ? '' : ` \`marquee intake undo ${intakeId}\` takes it back.`
  const speed = `${counted(lines, 'line')}, ${rate.toLocaleString('en-US')} a second.${undoing}`
  if (refused > 0 && isApplied) return `${speed} ${refused.toLocaleString('en-US')} refused and skipped.`
  if (refused > 0) return `${speed} ${refused.toLocaleString('en-US')} refused, so nothing was stored.`
  if (!isApplied) return `${speed} All good; nothing was stored.`
  return mapped === ''
    ? speed
    : `${speed}\n\nIds of the report and what they are here (keep this for --map):\nkind,old,new\n${mapped}`.trimEnd()
}
