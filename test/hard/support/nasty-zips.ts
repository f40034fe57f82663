/** Archives that cost as much as they can to take apart. */
import { crc32, deflateRawSync } from 'node:zlib'

type Entry = readonly [name: string, content: string]

export const nastyZips: Readonly<Record<string, () => Buffer>> = {
  'a zip of 490 tables': () => zipOf(Array.from({ length: 490 }, (_, n) => [`${n}/garage${n}.example.csv`, table(400)])),
  'a zip that unfolds a thousandfold': () =>
    zipOf([
      ['a.csv', ' '.repeat(60_000_000)],
      ['b.csv', table(1)],
    ]),
  'a zip of 60,000 names': () => zipOf(Array.from({ length: 60_000 }, (_, n) => [`${n}.csv`, ''])),
  'a zip of zips': () => {
    const inner = zipOf([
      ['a.csv', table(1_000)],
      ['b.csv', table(1)],
    ]).toString('latin1')
    return zipOf(Array.from({ length: 400 }, (_, n) => [`${n}.zip`, inner]))
  },
  'a zip of wide tables': () =>
    zipOf([
      ['a.csv', 'a,'.repeat(60_000)],
      ['b.csv', `${'"'.repeat(60_000)}\n`],
    ]),
}

function table(rows: number): string {
  return `phrase,search_engine,locale,ranked_at,rank\n${'tyres,Google,en-us,2026-11-14,3\n'.repeat(rows)}`
}

/** Written by hand, because it is needed at once. */
function zipOf(entries: readonly Entry[]): Buffer {
  const [files, list]: [Buffer[], Buffer[]] = [[], []]
  const known = new Map<string, { readonly packed: Buffer; readonly size: number; readonly sum: number }>()
  let at = 0
  for (const [name, content] of entries) {
    const [title, bytes] = [Buffer.from(name), known.has(content) ? Buffer.alloc(0) : Buffer.from(content, 'latin1')]
    const { packed, size, sum } = known.get(content) ?? { packed: deflateRawSync(bytes), size: bytes.length, sum: crc32(bytes) }
    known.set(content, { packed, size, sum })
    const about = numbers([4, sum], [4, packed.length], [4, size], [2, title.length], [2, 0])
    const head = Buffer.concat([numbers([2, 20], [2, 0], [2, 8], [4, 0]), about])
    const file = Buffer.concat([numbers([4, 0x04034b50]), head, title, packed])
    files.push(file)
    list.push(Buffer.concat([numbers([4, 0x02014b50], [2, 20]), head, numbers([2, 0], [2, 0], [2, 0], [4, 0], [4, at]), title]))
    at += file.length
  }
  const names = Buffer.concat(list)
  const many: readonly [number, number] = [2, entries.length]
  return Buffer.concat([...files, names, numbers([4, 0x06054b50], [2, 0], [2, 0], many, many, [4, names.length], [4, at], [2, 0])])
}

/** Little endian, each of so many bytes. */
function numbers(...given: readonly (readonly [bytes: number, value: number])[]): Buffer {
  return Buffer.concat(
    given.map(([bytes, value]) => {
      const one = Buffer.alloc(bytes)
      one.writeUIntLE(value, 0, bytes)
      return one
    }),
  )
}
