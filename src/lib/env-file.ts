/** Reads a file of `NAME=value` lines, as systemd's EnvironmentFile and Docker's env files are written. */

export interface EnvFile {
  readonly values: Readonly<Record<string, string>>
  /** The first line that is neither blank, nor a comment, nor `NAME=value`; null when there is none. */
  readonly faultyLine: number | null
}

export function parseEnvFile(text: string): EnvFile {
  const values: Record<string, string> = {}
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(?:[#;].*)?$/.test(line)) continue
    const [, name, value = ''] = /^\s*([A-Za-z_]\w*)=(.*)$/.exec(line) ?? []
    if (name === undefined) return { values, faultyLine: index + 1 }
    values[name] = unquoted(value.trim())
  }
  return { values, faultyLine: null }
}

function unquoted(value: string): string {
  const [, , inside] = /^(["'])(.*)\1$/.exec(value) ?? []
  return inside ?? value
}
