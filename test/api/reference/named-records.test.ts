/** Records have names by which documents refer to them: one name, one shape. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Endpoint, endpoint } from '../../../src/api/endpoint.ts'
import { namedRecords } from '../../../src/api/reference/named-records.ts'
import { record } from '../../../src/api/writers.ts'
import { type RequestOf, string } from '../../../src/fields/shape.ts'

const name = string('', { required: true })
const business = { name: string() }
const limits = { maxBytes: 1, maxElements: 1 }

function taking(method: 'POST' | 'PUT', of: Record<string, ReturnType<typeof string>>): Endpoint {
  const answer = record('business', business)
  const body = { root: 'business', of, ...limits }
  return endpoint({ method, path: 'businesses', access: 'provision', id: '', summary: '', body, act: async () => ({ name: '' }), answer })
}

describe('records of endpoints', () => {
  test('a POST and a PUT of one noun have two names', () => {
    const names = namedRecords([taking('POST', { name, account: string() }), taking('PUT', { name })]).map((known) => known.name)
    assert.deepEqual(names, ['Business', 'NewBusiness', 'ChangedBusiness'])
  })

  test('two shapes of one name are refused, and not the second taken for the first', () => {
    assert.throws(() => namedRecords([taking('POST', { name, account: string() }), taking('POST', { name })]), /NewBusiness/)
  })
})

describe('a record that is sent', () => {
  test('lacks what need not be given, and the types say so', () => {
    const shape = { given: string('', { required: true }), left: string() }
    const sent: RequestOf<typeof shape> = { given: 'x' }
    const mayBeAbsent: undefined extends RequestOf<typeof shape>['left'] ? true : false = true
    const mustBeThere: undefined extends RequestOf<typeof shape>['given'] ? true : false = false
    assert.deepEqual([sent.left, mayBeAbsent, mustBeThere], [undefined, true, false])
  })
})
