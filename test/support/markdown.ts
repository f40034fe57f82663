/** The tables of a Markdown page, each with the line of prose that leads to it. */

export interface MarkdownTable {
  /** The last line of text before the table. */
  lead: string
  rows: Record<string, string>[]
}

export function markdownTables(text: string): MarkdownTable[] {
  const lines = text.split('\n')
  const starts = lines.flatMap((line, at) => (isRule(line) ? [at - 1] : []))
  return starts.map((at) => ({ lead: leadBefore(lines, at), rows: rowsFrom(lines, at) }))
}

function isRule(line: string): boolean {
  return /^\|(-+\|)+$/.test(line)
}

function leadBefore(lines: string[], at: number): string {
  return lines.slice(0, at).findLast((line) => line.trim() !== '') ?? ''
}

function rowsFrom(lines: string[], at: number): Record<string, string>[] {
  const names = cells(lines[at] ?? '')
  const end = lines.findIndex((line, index) => index > at && !line.startsWith('|'))
  const body = lines.slice(at + 2, end === -1 ? undefined : end)
  return body.map((line) => Object.fromEntries(cells(line).map((cell, index) => [names[index] ?? '', cell])))
}

function cells(line: string): string[] {
  return line
    .slice(1, line.lastIndexOf('|'))
    .split('|')
    .map((cell) => cell.trim())
}
