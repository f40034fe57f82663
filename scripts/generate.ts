/** Writes every file that is derived from the tables of the source. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { generatedFiles } from './generated.ts'
import { addStepHashes, stepHashesPath } from './hash-steps.ts'

const root = dirname(import.meta.dirname)

for (const [path, text] of Object.entries(generatedFiles())) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
  console.log(path)
}

await addStepHashes(root)
console.log(stepHashesPath)
