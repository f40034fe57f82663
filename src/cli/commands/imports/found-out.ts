/** What reading the files of an import found out: the tools that wrote them, and what was not read. */

import type { FileReading } from '../../../model/imports/read/file-reading.ts'
import { printable } from '../../print.ts'

export class FoundOut {
  readonly columns = new Set<string>()
  readonly files = new Set<string>()
  readonly presets = new Set<string>()
  readonly notices = new Set<string>()

  get reading(): FileReading {
    return {
      leftOut: (columns) => addAll(this.columns, columns),
      leftOutFiles: (files) => addAll(this.files, files),
      guessed: (preset) => this.presets.add(preset),
      noticed: (sentence) => this.notices.add(sentence),
    }
  }

  note(): string {
    return [
      ...[...this.presets].map((preset) => `Read as \`--preset ${preset}\`, by its header.`),
      ...told('Columns left out', this.columns),
      ...told('Files left out', this.files),
      ...this.notices,
    ]
      .map((line) => `\n\n${line}`)
      .join('')
  }
}

function addAll(known: Set<string>, names: readonly string[]): void {
  for (const name of names) known.add(name)
}

function told(what: string, names: ReadonlySet<string>): string[] {
  return names.size === 0 ? [] : [`${what}: ${printable([...names].map((name) => name.trim()).join(', '))}.`]
}
