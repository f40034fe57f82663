/** Slices of the event loop are few: what works much belongs into a thread, and what is left on the main thread says why. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Source, sourcesIn } from '../support/sources.ts'

// biome-ignore format: a table reads by its columns
const allowed: Readonly<Record<string, string>> = {
  'src/lib/work/slices.ts':            'is where they are made',
  'src/lib/work/batches.ts':           'pauses between the statements of a long list: whoever writes one need not remember it',
  'src/lib/body/form-reader.ts':       'a body of up to a megabyte is read before anybody knows what it asks for',
  'src/lib/body/json-reader.ts':       'the same',
  'src/lib/body/xml-reader.ts':        'the same',
  'src/api/read-request.ts':           'bodies that arrive together are read one after the other, and then their entries are checked',
  'src/model/core/batch.ts':           'the operations of a bulk request, up to 1,000, each of which is small',
  'src/http/send.ts':                  'answers of one turn leave together, before those who wait go on',
  'src/model/imports/import.ts':       'in a thread or a command: whoever stops the import is heard between two batches of lines',
  'src/model/imports/store/apply.ts':  'the same, between two steps of one transaction',
}

test('slices are where the table says, and nowhere else', () => {
  assert.deepEqual(filesWithSlices(sourcesIn('src/**/*.ts')), Object.keys(allowed).toSorted())
})

test('the guard sees who imports slices, and who waits for other work', () => {
  const sources = [
    { path: 'src/a.ts', text: "import { endOfSlice } from '../lib/work/slices.ts'\n" },
    { path: 'src/b.ts', text: "import { setImmediate as otherWork } from 'node:timers/promises'\n" },
    { path: 'src/c.ts', text: "import { atMost } from '../lib/work/batches.ts'\n" },
  ]
  assert.deepEqual(filesWithSlices(sources), ['src/a.ts', 'src/b.ts'])
})

function filesWithSlices(sources: readonly Source[]): string[] {
  const uses =
    /^export function endOfSlice\(|^import \{[^}]*\} from '[^']*\/slices\.ts'|^import \{[^}]*setImmediate[^}]*\} from 'node:timers\/promises'/m
  return sources.filter(({ text }) => uses.test(text)).map(({ path }) => path)
}
