/** What is wrong for each kind of value, told from the tables: fields by their kind and rules, parameters by their kind. */
import type { Parameter } from '../../src/api/query.ts'
import type { Scalar } from '../../src/fields/shape.ts'
import type { FieldErrorCode } from '../../src/lib/failures.ts'
import { textKinds } from '../../src/lib/text-kinds.ts'

export interface BadValue {
  readonly value: unknown
  readonly code: FieldErrorCode
}

/** `good` is a value that is taken. */
export function badValuesOf(name: string, field: Scalar, good: unknown): BadValue[] {
  const ofKind = field.kind === 'integer' ? badIntegers(name, field) : badTexts(field, String(good))
  return [...blanks(field), ...ofKind]
}

function blanks({ required, blank }: Scalar): BadValue[] {
  const values = required ? [undefined, null, '', ' \t '] : blank === 'refused' ? [null, '', ' \t '] : []
  return values.map((value) => ({ value, code: 'blank' }))
}

/** Ids of other records that nobody has, beyond those that could be. */
const noIds = [0, -1, '0', 999_999_999, 2 ** 53, '9223372036854775808', '123456789012345678901234567890']

function badIntegers(name: string, { range }: Scalar): BadValue[] {
  const none = ['abc', '1.5', 1.5, true, [1], { id: 1 }].map((value): BadValue => ({ value, code: 'not_an_integer' }))
  const outside = (range === undefined ? [] : [range[0] - 1, range[1] + 1]).map((value): BadValue => ({ value, code: 'invalid' }))
  const unknown = (name.endsWith('_id') ? noIds : []).map((value): BadValue => ({ value, code: 'does_not_exist' }))
  return [...none, ...outside, ...unknown]
}

function badTexts({ min = 0, max, maxBytes, oneOf, test, line }: Scalar, good: string): BadValue[] {
  const wrong = oneOf === undefined ? 'invalid' : 'inclusion'
  const ending = (code: BadValue['code']) => (mark: string) => ({ value: `${good}${mark}`, code })
  const notInLines = ['\0', '\u0007', ...(line === 'asked' ? ['\nb', '\u202eb', '\u2028b'] : [])]
  const controls = [
    ...(line === 'made' ? [] : notInLines.map(ending(line === 'asked' ? 'not_one_line' : wrong))),
    ...['\ud800', '\uffff'].map(ending(wrong)),
  ]
  const other = [5, true, ['x'], { x: 1 }].map((value): BadValue => ({ value, code: 'invalid' }))
  return [
    ...other,
    ...controls,
    ...(min > 1 ? [{ value: '\u{1f4a9}'.repeat(min - 1), code: 'too_short' } as const] : []),
    ...(max === undefined ? [] : [{ value: 'x'.repeat(max + 1), code: 'too_long' } as const]),
    ...(maxBytes === undefined ? [] : [{ value: 'é'.repeat(maxBytes / 2 + 1), code: 'too_long' } as const]),
    ...(oneOf === undefined ? [] : [{ value: 'nonsense', code: 'inclusion' } as const]),
    ...(test === undefined ? [] : [{ value: 'no such thing', code: 'invalid' } as const]),
  ]
}

const texts = [
  '',
  ' ',
  '0',
  '-1',
  '1.5',
  '1e3',
  '007',
  'abc',
  'maybe',
  '9007199254740992',
  '2026-02-30',
  '1,,2',
  '1,',
  '\u0001',
  'x'.repeat(256),
]
const manyIds = Array.from({ length: 201 }, (_, index) => index + 1).join()

/** Texts that a parameter's kind does not take; a cursor is text, but only of our own making. */
export function badTextsOf(name: string, { kind }: Parameter): string[] {
  if (name === 'after') return ['', 'abc', 'after:1', Buffer.from('after:x').toString('base64url')]
  return [...texts, manyIds].filter((text) => kind.read(text) === undefined)
}

/** Any text is taken, as far as the query goes. */
export function isFreeText(name: string, { kind }: Parameter): boolean {
  return kind === textKinds.text && name !== 'after'
}

/** What stands in a path in place of an id and names nothing. */
export const badPathIds = [
  '999999999',
  '0',
  '-1',
  '1.5',
  '9223372036854775808',
  '9007199254740992',
  'abc',
  '1e3',
  '007',
  '+1',
  '%31',
  '%00',
  '１',
]
