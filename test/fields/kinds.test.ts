/** How each kind of value is written: floats as old clients know them, moments in the zone of the service. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { kinds } from '../../src/fields/kinds.ts'
import { compileXml } from '../../src/fields/to-xml.ts'
import { writeTimesIn } from '../../src/lib/time/moments.ts'
import { user } from '../../src/resources/user.ts'
import { matchesGolden } from '../support/golden.ts'
import { fc } from '../support/properties.ts'

// biome-ignore format: a table reads by its columns
const floats: readonly (readonly [number, string])[] = [
  [0.35,                  '0.35'],
  [2,                     '2.0'],
  [0,                     '0.0'],
  [-0,                    '0.0'],
  [-1.5,                  '-1.5'],
  [0.1 + 0.2,             '0.30000000000000004'],
  [0.0001,                '0.0001'],
  [0.00009999,            '9.999e-05'],
  [0.0000001,             '1.0e-07'],
  [-1e-10,                '-1.0e-10'],
  [5e-324,                '5.0e-324'],
  [999999999999999,       '999999999999999.0'],
  [100000000000000.5,     '100000000000000.5'],
  [1e15,                  '1.0e+15'],
  [1e20,                  '1.0e+20'],
  [1.7976931348623157e308, '1.7976931348623157e+308'],
]

describe('a float', () => {
  for (const [value, written] of floats) {
    test(`${value} is written ${written}`, () => assert.equal(kinds.float.write(value), written))
  }

  test('always has a fraction and reads back the same', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const written = kinds.float.write(value)
        assert.match(written, /^-?\d+\.\d+(e[+-]\d{2,3})?$/)
        assert.equal(Number(written), value + 0)
      }),
      { numRuns: 5_000 },
    )
  })

  test('that is no number is refused', () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) assert.throws(() => kinds.float.write(value), RangeError)
  })
})

describe('a moment', () => {
  after(() => writeTimesIn('UTC'))

  // biome-ignore format: a table reads by its columns
  const zones: readonly (readonly [zone: string, moment: string, written: string])[] = [
    ['UTC',                 '2026-11-14T23:52:01Z', '2026-11-14T23:52:01+00:00'],
    ['Europe/London',       '2026-11-14T23:52:01Z', '2026-11-14T23:52:01+00:00'],
    ['Europe/London',       '2026-06-14T23:52:01Z', '2026-06-15T00:52:01+01:00'],
    ['America/Los_Angeles', '2011-03-04T13:06:07Z', '2011-03-04T05:06:07-08:00'],
    ['America/Los_Angeles', '2011-03-13T10:00:00Z', '2011-03-13T03:00:00-07:00'],
    ['America/Los_Angeles', '2011-11-06T08:30:00Z', '2011-11-06T01:30:00-07:00'],
    ['America/Los_Angeles', '2011-11-06T09:30:00Z', '2011-11-06T01:30:00-08:00'],
    ['Asia/Kolkata',        '2026-11-14T18:30:00Z', '2026-11-15T00:00:00+05:30'],
    ['Pacific/Chatham',     '2026-06-14T23:52:01Z', '2026-06-15T12:37:01+12:45'],
  ]
  for (const [zone, moment, written] of zones) {
    test(`${moment} in ${zone} is ${written}`, () => {
      writeTimesIn(zone)
      assert.equal(kinds.datetime.write(moment), written)
      assert.equal(Date.parse(written), Date.parse(moment))
    })
  }

  test('that is text stays in UTC, whatever the zone', () => {
    writeTimesIn('America/Los_Angeles')
    assert.equal(kinds.timestamp.write('2012-03-04T05:06:07Z'), '2012-03-04 05:06:07 UTC')
    assert.equal(kinds.moment.write('2012-03-01 04:05:06'), '2012-03-01 04:05:06')
  })

  test('stands in a user as the dialect shows it', () => {
    writeTimesIn('America/Los_Angeles')
    const initial = Object.fromEntries(Object.entries(user).map(([name, field]) => [name, 'initial' in field ? field.initial : null]))
    const moment = '2011-03-04T13:06:07Z'
    const record = {
      ...initial,
      id: 42,
      account_id: 123,
      email: 'a&b@example.com',
      login: 'quire',
      crypted_password: '00742970dc9e6319f8019fd54864d3ea740f04b1',
      salt: '7e3041ebc2fc05a40c60028e2c4901a81035d3cd',
      created_at: moment,
      updated_at: moment,
    }
    matchesGolden('user-in-los-angeles.xml', compileXml('user', user, { nulls: 'typed' })(record as never))
  })
})
