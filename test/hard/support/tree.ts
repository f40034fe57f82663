/** The source that is tried: this checkout, or a copy of it with one change. */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Mutant } from './goal.ts'

export const ownTree = dirname(dirname(dirname(import.meta.dirname)))

export interface Change {
  readonly file: string
  readonly from: string
  readonly to: string
}

export function withMutant<T>(mutant: Mutant, work: (tree: string) => Promise<T>): Promise<T> {
  return withChanges([mutant], work)
}

/** A copy of a source with some changes, for as long as the work takes. */
export async function withChanges<T>(changes: readonly Change[], work: (tree: string) => Promise<T>, source = ownTree): Promise<T> {
  const tree = mkdtempSync(join(tmpdir(), 'marquee-mutant-'))
  try {
    for (const part of ['bin', 'src', 'package.json', 'openapi.json', 'openapi-xml.json'])
      cpSync(join(source, part), join(tree, part), { recursive: true })
    symlinkSync(join(ownTree, 'node_modules'), join(tree, 'node_modules'))
    for (const change of changes) make(tree, change)
    return await work(tree)
  } finally {
    rmSync(tree, { recursive: true, force: true })
  }
}

function make(tree: string, { file, from, to }: Change): void {
  const text = readFileSync(join(tree, file), 'utf8')
  if (!text.includes(from)) throw new Error(`${file} no longer holds what is to be changed: ${from}`)
  writeFileSync(
    join(tree, file),
    text.replace(from, () => to),
  )
}

export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-hard-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
