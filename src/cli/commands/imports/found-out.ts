/** What reading the files of an import found out: the tools that wrote them, and what was not read. */

import type { ImportLine } from '../../../model/imports/import-line.ts'
import type { FileReading } from '../../../model/imports/read/file-reading.ts'
import { printable } from '../../print.ts'

export class FoundOut {
  readonly columns = new Set<string>()
  readonly files = new Set<string>()
  readonly presets = new Set<string>()
  readonly notices = new Set<string>()
  #hasRankings = false
  #hasDevices = false

  get reading(): FileReading {
    return {
      leftOut: (columns) => addAll(this.columns, columns),
      leftOutFiles: (files) => addAll(this.files, files),
      guessed: (preset) => this.presets.add(preset),
      noticed: (sentence) => this.notices.add(sentence),
    }
  }

  /** The lines of a saved report, which holds devices and locations only where it was asked for them. */
  look(lines: readonly ImportLine[]): void {
    for (const { record } of lines) {
      const { type, device, location } = (record ?? {}) as { type?: unknown; device?: unknown; location?: unknown }
      this.#hasRankings ||= type === 'ranking'
      this.#hasDevices ||= (device ?? location) !== undefined
    }
  }

  note(): string {
    return [
      ...[...this.presets].map((preset) => `Read as \`--preset ${preset}\`, by its header.`),
      ...told('Columns left out', this.columns),
      ...told('Files left out', this.files),
      ...this.notices,
      ...(this.#hasRankings && !this.#hasDevices ? [oneSeriesOnly] : []),
    ]
      .map((line) => `\n\n${line}`)
      .join('')
  }
}

const oneSeriesOnly =
  'The report holds one series of rankings for each keyword, engine and locale; one that is saved with `series=all` holds every device and location.'

function addAll(known: Set<string>, names: readonly string[]): void {
  for (const name of names) known.add(name)
}

function told(what: string, names: ReadonlySet<string>): string[] {
  return names.size === 0 ? [] : [`${what}: ${printable([...names].map((name) => name.trim()).join(', '))}.`]
}
