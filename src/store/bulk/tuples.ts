/** Rows as binary tuples in PostgreSQL's COPY format: a row has the same bytes on both databases. */

import type { ColumnKind } from '../table-map.ts'

export type BulkValue = bigint | number | string | Uint8Array | null

/** The count of fields, then each field after its length; null has the length -1. */
export function encodeTuple(kinds: readonly ColumnKind[], values: readonly BulkValue[]): Buffer {
  const fields = values.map((value, column) => encodeField(kinds[column] as ColumnKind, value))
  const tuple = Buffer.allocUnsafe(2 + fields.reduce((bytes, field) => bytes + 4 + (field?.length ?? 0), 0))
  let offset = tuple.writeInt16BE(fields.length)
  for (const field of fields) {
    offset = tuple.writeInt32BE(field === null ? -1 : field.length, offset)
    if (field !== null) {
      tuple.set(field, offset)
      offset += field.length
    }
  }
  return tuple
}

export function decodeTuple(kinds: readonly ColumnKind[], tuple: Buffer): BulkValue[] {
  let offset = 2
  return kinds.map((kind) => {
    const length = tuple.readInt32BE(offset)
    const start = offset + 4
    offset = start + Math.max(0, length)
    return length < 0 ? null : decodeField(kind, tuple.subarray(start, offset))
  })
}

/** The end of the tuple that begins here; undefined if it is incomplete. */
export function endOfTuple(bytes: Buffer, start: number): number | undefined {
  if (bytes.length < start + 2) return undefined
  let offset = start + 2
  for (let fields = bytes.readInt16BE(start); fields > 0; fields -= 1) {
    if (bytes.length < offset + 4) return undefined
    offset += 4 + Math.max(0, bytes.readInt32BE(offset))
  }
  return offset <= bytes.length ? offset : undefined
}

function encodeField(kind: ColumnKind, value: BulkValue): Uint8Array | null {
  return value === null ? null : encoders[kind](value)
}

const encoders: Readonly<Record<ColumnKind, (value: NonNullable<BulkValue>) => Uint8Array>> = {
  integer: (value) => eightBytes((field) => field.writeBigInt64BE(BigInt(value as bigint))),
  real: (value) => eightBytes((field) => field.writeDoubleBE(Number(value))),
  text: (value) => Buffer.from(value as string),
  bytes: (value) => value as Uint8Array,
}

function decodeField(kind: ColumnKind, field: Buffer): BulkValue {
  if (kind === 'integer') return field.readBigInt64BE()
  if (kind === 'real') return field.readDoubleBE()
  return kind === 'text' ? field.toString() : field
}

function eightBytes(write: (field: Buffer) => void): Buffer {
  const field = Buffer.allocUnsafe(8)
  write(field)
  return field
}
