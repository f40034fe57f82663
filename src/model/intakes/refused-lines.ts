/** The refused lines of an upload and what is wrong with each, kept in the database until its intake is forgotten, so that any process can give them back. */

import type { Kysely } from 'kysely'
import { refuse } from '../../lib/failures.ts'
import type { ChunkSource } from '../../lib/streams/chunks.ts'
import { importErrorMessage, type LineError } from '../../resources/imports/import-fault.ts'
import type { RefusedLine } from '../../resources/intake.ts'
import type { RefusedLinesRow } from '../../store/rows/intakes.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { App } from '../core/app.ts'
import type { ListPage } from '../core/paging.ts'
import type { Managing } from '../core/tenancy.ts'
import { quotedCell, type TableCell, textOf } from '../imports/csv/cells.ts'
import type { ImportLine } from '../imports/import-line.ts'
import { RowSpool } from '../imports/spools.ts'
import { findIntake } from './intakes.ts'

interface KeptLine {
  readonly line: number
  readonly file?: string
  /** The cells of its row; of a record its JSON alone. */
  readonly cells: readonly string[]
  readonly why: string
}

/** Lines below one header; records of JSON have none. */
interface Part {
  readonly header: readonly string[] | null
  readonly lines: readonly KeptLine[]
}

const mostCharacters = 64 << 20
const linesOfPart = 500

/** Sets refused lines aside while a file is checked. */
export class RefusedLines {
  #spool = new RowSpool<KeptLine & { readonly table: number }>()
  #headers: (readonly string[] | null)[] = []
  #header: readonly string[] | null = null
  #last: ImportLine['row']
  #characters = 0

  readonly headed = (cells: readonly string[]): void => {
    this.#header = cells
  }

  /** A row that became several records is kept once. */
  readonly take = ({ row, record, line, file }: ImportLine, faults: readonly LineError[]): void => {
    if ((row !== undefined && row === this.#last) || this.#characters > mostCharacters) return
    this.#last = row
    const why = faults.map((fault) => importErrorMessage({ ...fault, line, index: 0 }, 'request')).join('; ')
    const cells = row === undefined ? [JSON.stringify(record ?? null)] : row.map((cell) => textOf(cell as TableCell))
    this.#add(row === undefined ? null : this.#header, { line, ...(file !== undefined && { file }), cells, why })
    if (this.#characters > mostCharacters) this.#add(null, { line, cells: [''], why: 'there are more refused lines, which are not kept' })
  }

  /** For a second reading. */
  clear(): void {
    this.#spool.close()
    this.#spool = new RowSpool()
    this.#headers = []
    this.#characters = 0
  }

  close(): void {
    this.#spool.close()
  }

  /** What an earlier attempt has kept is replaced. */
  async keep({ store }: App, intake_id: number): Promise<void> {
    await store.write((tx) => tx.deleteFrom('intake_refused_lines').where('intake_id', '=', intake_id).execute())
    let part = 0
    for (const block of this.#spool.blocks(linesOfPart)) {
      for (const [table, lines] of Map.groupBy(block, (line) => line.table)) {
        const data = bytesOf({ header: this.#headers[table] ?? null, lines: lines.map(({ table: _, ...line }) => line) })
        const row = { intake_id, part: part++, data }
        await store.write((tx) => tx.insertInto('intake_refused_lines').values(row).execute())
      }
    }
  }

  #add(header: readonly string[] | null, line: KeptLine): void {
    if (this.#headers.length === 0 || this.#headers.at(-1) !== header) this.#headers.push(header)
    this.#spool.add({ ...line, table: this.#headers.length - 1 })
    this.#characters += line.cells.reduce((sum, cell) => sum + cell.length, line.why.length)
  }
}

/** Each page is a part. */
export async function listRefusedLines(caller: Managing, id: number, after?: string): Promise<ListPage<RefusedLine>> {
  await findIntake(caller, id)
  const found = await nextPart(caller.app, id, after === undefined ? -1 : placeIn(after))
  if (found === undefined) return { items: [], next: null }
  const isLast = (await partsAfter(caller.app, id, found.part).select('part').limit(1).executeTakeFirst()) === undefined
  return { items: found.lines.map(shown), next: isLast ? null : cursorOf(found.part) }
}

export async function hasRefusedLines(caller: Managing, id: number): Promise<boolean> {
  await findIntake(caller, id)
  return (await partsAfter(caller.app, id, -1).select('part').limit(1).executeTakeFirst()) !== undefined
}

/** All of them as a table: the header of the file with a column `why`, and again where another table begins. */
export async function openRefusedTable(caller: Managing, id: number): Promise<ChunkSource> {
  await findIntake(caller, id)
  let [last, written, isStopped] = [-1, '', false]
  return {
    async next() {
      const found = isStopped ? undefined : await nextPart(caller.app, id, last)
      if (found === undefined) return null
      last = found.part
      const header = rowOf(found.header === null ? ['line', 'record', 'why'] : [...found.header, 'why'])
      const rows = found.lines.map(({ line, cells, why }) =>
        rowOf(found.header === null ? [String(line), ...cells, why] : filled(found.header, cells, why)),
      )
      const text = (header === written ? '' : header) + rows.join('')
      written = header
      return Buffer.from(text)
    },
    taken() {},
    stop() {
      isStopped = true
    },
  }
}

/** Removes the lines that name the author of a review; returns how many. */
export async function eraseReviewerFromRefusedLines({ store }: App, name: string): Promise<number> {
  const places = await store.db.selectFrom('intake_refused_lines').select(['intake_id', 'part']).execute()
  let erased = 0
  for (const place of places) erased += await store.write((tx) => eraseFrom(tx, place, name))
  return erased
}

async function eraseFrom(
  tx: Kysely<Tables>,
  { intake_id, part }: Pick<RefusedLinesRow, 'intake_id' | 'part'>,
  name: string,
): Promise<number> {
  const found = await tx
    .selectFrom('intake_refused_lines')
    .select('data')
    .where('intake_id', '=', intake_id)
    .where('part', '=', part)
    .executeTakeFirst()
  const { header, lines } = found === undefined ? { header: null, lines: [] } : partOf(found.data)
  const kept = lines.filter(({ cells, why }) => ![...cells, why].some((text) => isNamedIn(text, name)))
  if (kept.length === lines.length) return 0
  const data = bytesOf({ header, lines: kept })
  await tx.updateTable('intake_refused_lines').set({ data }).where('intake_id', '=', intake_id).where('part', '=', part).execute()
  return lines.length - kept.length
}

/** As a cell by itself, or as a text within a record or a sentence. */
function isNamedIn(text: string, name: string): boolean {
  return text.trim() === name || text.includes(JSON.stringify(name))
}

function partsAfter({ store }: App, intakeId: number, after: number) {
  return store.db.selectFrom('intake_refused_lines').where('intake_id', '=', intakeId).where('part', '>', after).orderBy('part')
}

async function nextPart(app: App, intakeId: number, after: number): Promise<(Part & { readonly part: number }) | undefined> {
  const found = await partsAfter(app, intakeId, after).select(['part', 'data']).limit(1).executeTakeFirst()
  return found && { ...partOf(found.data), part: found.part }
}

function partOf(data: Uint8Array): Part {
  return JSON.parse(Buffer.from(data).toString()) as Part
}

function bytesOf(part: Part): Buffer {
  return Buffer.from(JSON.stringify(part))
}

function shown({ line, file, cells, why }: KeptLine): RefusedLine {
  return { line, file: file ?? null, text: cells.length === 1 ? (cells[0] as string) : cells.map(quotedCell).join(','), why }
}

/** A row may be shorter than its header, or longer. */
function filled(header: readonly string[], cells: readonly string[], why: string): string[] {
  return [...cells, ...Array<string>(Math.max(0, header.length - cells.length)).fill(''), why]
}

function rowOf(cells: readonly string[]): string {
  return `${cells.map(quotedCell).join(',')}\n`
}

function cursorOf(part: number): string {
  return Buffer.from(`after:${part}`).toString('base64url')
}

function placeIn(cursor: string): number {
  const [, digits] = /^after:(\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  return digits === undefined ? refuse('bad_request', 'The cursor is not one this service gave out.') : Number(digits)
}
