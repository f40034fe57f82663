/** Records of any shape, filled at random from its table. */
import type { Arbitrary } from 'fast-check'
import { type Field, isKeyed, type Keyed, type Scalar, type Shape } from '../../src/fields/shape.ts'
import { fc } from './properties.ts'

const nasty = fc.constantFrom(
  ...'\0\b\t\n\v\r\x1f\x7f\x85\ufffe\uffff&<>"\'',
  '\ud83d',
  '\udca9',
  ']]>',
  '&amp;',
  '__proto__',
  '\u2028',
  '\ufeff',
)
/** No text begins with a byte order mark: libxml2-wasm decodes each text by itself and drops the mark there. */
export const anyText = fc
  .string({ unit: fc.oneof(nasty, fc.string({ unit: 'binary', maxLength: 3 })), maxLength: 12 })
  .filter((text) => !text.startsWith('\ufeff'))

const day = fc.date({ min: new Date('1970-01-01'), max: new Date('2105-12-31'), noInvalidDate: true }).map((date) => date.toISOString())

const scalars: Record<Scalar['kind'], Arbitrary<unknown>> = {
  integer: fc.maxSafeInteger(),
  float: fc.double({ noNaN: true, noDefaultInfinity: true }),
  boolean: fc.constantFrom(true, false, 0, 1),
  string: anyText,
  date: day.map((text) => text.slice(0, 10)),
  datetime: day.map((text) => `${text.slice(0, 19)}Z`),
  timestamp: day.map((text) => `${text.slice(0, 19)}Z`),
  moment: day.map((text) => text.slice(0, 19).replace('T', ' ')),
}

export function anyRecord(shape: Shape): Arbitrary<Record<string, unknown>> {
  return fc.record(Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, anyField(field)])))
}

function anyField(field: Field): Arbitrary<unknown> {
  if (field.is === 'one') return anyRecord(field.of)
  if (field.is === 'list') return fc.array(isKeyed(field.of) ? anyKeyed(field.of) : anyRecord(field.of), { maxLength: 2 })
  const value = field.oneOf === undefined ? scalars[field.kind] : fc.constantFrom(...field.oneOf)
  return field.nullable ? fc.option(value) : value
}

/** Names taken from data are never empty. */
function anyKeyed({ of }: Keyed): Arbitrary<unknown> {
  const key = fc.oneof(
    fc.nat(),
    anyText.filter((text) => text !== ''),
  )
  return fc.record({ key, value: anyField(of) })
}
