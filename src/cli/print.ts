/** Lays out a document for a terminal: one record as lines, many as columns. */

export function layOut(document: object, columns?: readonly string[]): string {
  return Object.entries(document)
    .map(([name, value]) => (Array.isArray(value) ? table(value, columns) : record(name, value)))
    .join('\n')
}

function record(name: string, value: unknown): string {
  if (typeof value !== 'object' || value === null) return `${name}: ${value}`
  const lines = Object.entries(value).map(([field, content]) => `  ${field}: ${cell(content)}`)
  return [`${name}:`, ...lines].join('\n')
}

function table(rows: readonly Record<string, unknown>[], columns?: readonly string[]): string {
  const [first] = rows
  if (first === undefined) return 'None.'
  const names = columns ?? Object.keys(first)
  const lines = [names, ...rows.map((row) => names.map((name) => cell(row[name])))]
  const widths = names.map((_, column) => Math.max(...lines.map((line) => [...(line[column] ?? '')].length)))
  return lines
    .map((line) =>
      line
        .map((text, column) => pad(text, widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - [...text].length))
}

function cell(value: unknown): string {
  return printable(value === null || value === undefined ? '-' : typeof value === 'object' ? JSON.stringify(value) : String(value))
}

/** What someone sent must not steer the terminal of the operator. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, '\uFFFD')
}
