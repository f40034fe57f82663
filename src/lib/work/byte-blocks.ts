/** Long texts are read for a bounded number of bytes at a time; their lengths are known before, without reading them. */

export interface TextKey {
  readonly id: number
  /** How long the texts of the row are. */
  readonly bytes: number
}

const rowsAtOnce = 500
const bytesAtOnce = 256 << 10
/** At most this many bytes of texts are shown on a page, however many rows were asked for. */
export const mostShownBytes = 4 << 20

export function* byteBlocks<K extends TextKey>(keys: readonly K[]): Generator<K[]> {
  let [some, bytes]: [K[], number] = [[], 0]
  for (const key of keys) {
    if (some.length === rowsAtOnce || (some.length > 0 && bytes + key.bytes > bytesAtOnce)) {
      yield some
      ;[some, bytes] = [[], 0]
    }
    some.push(key)
    bytes += key.bytes
  }
  if (some.length > 0) yield some
}

/** As many of the first as fit; the very first is there however long it is. */
export function withinBytes<K extends TextKey>(keys: readonly K[], mostBytes: number): readonly K[] {
  let sum = 0
  const end = keys.findIndex(({ bytes }, index) => {
    sum += bytes
    return index > 0 && sum > mostBytes
  })
  return end < 0 ? keys : keys.slice(0, end)
}

/** The rows in the order of the ids, without those that are gone. */
export function orderedByIds<R extends { readonly id: number }>(ids: readonly number[], rows: readonly R[]): R[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
