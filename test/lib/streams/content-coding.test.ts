/** Content codings: the client's weights decide, then our order; what a client does not name it does not get. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { chooseCoding, compressors } from '../../../src/lib/streams/content-coding.ts'

// biome-ignore format: a table reads by its columns
const wishes = [
  [undefined,                            'identity'],
  ['',                                   'identity'],
  ['gzip',                               'gzip'],
  ['x-gzip',                             'gzip'],
  ['gzip, br, zstd',                     'zstd'],
  ['gzip;q=1, br;q=0.5, zstd;q=0.1',     'gzip'],
  ['br;q=0.5, zstd;q=0',                 'br'],
  ['gzip;q=0',                           'identity'],
  ['*',                                  'gzip'],
  ['*;q=0',                              'identity'],
  ['identity, gzip;q=0.5',               'identity'],
  ['deflate',                            'identity'],
  ['GZIP',                               'gzip'],
] as const

for (const [accepted, coding] of wishes) {
  test(`Accept-Encoding ${accepted === undefined ? 'that is absent' : `"${accepted}"`} gets ${coding}`, () => {
    assert.equal(chooseCoding(accepted), coding)
  })
}

test('each compressor writes what its decompressor reads', async () => {
  const text = Buffer.from('a report '.repeat(10_000))
  const open = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync }
  for (const [name, make] of Object.entries(compressors) as [keyof typeof open, () => ReturnType<(typeof compressors)['gzip']>][]) {
    const stream = make()
    stream.end(text)
    const packed = Buffer.concat(await stream.toArray())
    assert.ok(packed.length < text.length / 10, name)
    assert.deepEqual(open[name](packed), text, name)
  }
})
