/** A cell: text in a CSV file; in a workbook also a number or a day, which need no interpretation. */
export type TableCell = string | number | Date

export interface TableRow {
  readonly record: readonly TableCell[]
  /** The line on which the row begins. */
  readonly line: number
}

/** The text of a cell; a day without a time has none here either. */
export function textOf(cell: TableCell | undefined): string {
  if (cell instanceof Date) return momentTextOf(cell).replace(' 00:00:00', '')
  return cell === undefined ? '' : String(cell)
}

function momentTextOf(cell: Date): string {
  return cell.toISOString().slice(0, 19).replace('T', ' ')
}

/** As it stands in a CSV file. */
export function quotedCell(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
