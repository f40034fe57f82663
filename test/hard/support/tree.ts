/** The source that is tried: this checkout, or a copy of it with one change. */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Mutant } from './goal.ts'

export const ownTree = dirname(dirname(dirname(import.meta.dirname)))

export async function withMutant<T>({ file, from, to }: Mutant, work: (tree: string) => Promise<T>): Promise<T> {
  const tree = mkdtempSync(join(tmpdir(), 'marquee-mutant-'))
  try {
    for (const part of ['bin', 'src', 'package.json']) cpSync(join(ownTree, part), join(tree, part), { recursive: true })
    symlinkSync(join(ownTree, 'node_modules'), join(tree, 'node_modules'))
    const text = readFileSync(join(tree, file), 'utf8')
    if (!text.includes(from)) throw new Error(`${file} no longer holds what the mutant changes: ${from}`)
    writeFileSync(
      join(tree, file),
      text.replace(from, () => to),
    )
    return await work(tree)
  } finally {
    rmSync(tree, { recursive: true, force: true })
  }
}

export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-hard-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
