/** Answers kept byte for byte in test/golden: a change of the API is a visible diff. `UPDATE_GOLDEN=1` writes them anew. */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const folder = join(import.meta.dirname, '..', 'golden')

export function matchesGolden(name: string, text: string): void {
  const file = join(folder, name)
  if (process.env.UPDATE_GOLDEN === '1') {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  assert.equal(text, readFileSync(file, 'utf8'), `the answer differs from test/golden/${name}`)
}

/** What differs from run to run, by name: the moment, what is drawn at random, what depends on the server secret. */
export function withoutChance(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00/g, '{moment}')
    .replace(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '{request id}')
    .replace(/(crypted[-_]password"?[>:]"?)[0-9a-f]{40}/g, '$1{40 hex}')
    .replace(/(salt"?[>:]"?)[0-9a-f]{40}/g, '$1{40 hex}')
}
