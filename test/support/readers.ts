/** What is asked of every reader of bodies: it answers with a tree or with a stated failure, never with anything else. */
import assert from 'node:assert/strict'
import { Failure } from '../../src/lib/failures.ts'
import { fc } from './properties.ts'

/** The sentence of the refusal. */
export async function refusal(work: () => unknown): Promise<string> {
  let sentence = ''
  const asked = async () => await work()
  await assert.rejects(asked, (error: unknown) => {
    if (!(error instanceof Failure)) throw error
    assert.equal(error.code, 'malformed_body')
    sentence = error.message
    return true
  })
  return sentence
}

/** Random bytes, random characters, and rows of the pieces the format itself is made of. */
export async function neverBreaks(read: (body: Uint8Array) => Promise<unknown>, pieces: readonly string[]): Promise<void> {
  const encoded = (text: string) => new TextEncoder().encode(text)
  const rows = fc.array(fc.constantFrom(...pieces), { maxLength: 20 }).map((row) => encoded(row.join('')))
  const bodies = fc.oneof(fc.uint8Array(), fc.string({ unit: 'binary' }).map(encoded), { arbitrary: rows, weight: 5 })
  await fc.assert(
    fc.asyncProperty(bodies, async (body) => {
      try {
        await read(body)
      } catch (error) {
        if (!(error instanceof Failure && error.code === 'malformed_body')) throw error
      }
    }),
    { numRuns: 3_000 },
  )
}
