/** The writers: whatever a record holds, strict parsers read it back, and XML and JSON say the same. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { boolean, date, datetime, float, integer, keyed, list, moment, one, type Shape, string, timestamp } from '../../src/fields/shape.ts'
import { compileJson, compileJsonList } from '../../src/fields/to-json.ts'
import { compileXml, compileXmlFlow, compileXmlList } from '../../src/fields/to-xml.ts'
import { BufferPool, ChunkWriter } from '../../src/lib/streams/chunks.ts'
import { scrub } from '../../src/lib/xml/xml.ts'
import { ability } from '../../src/resources/ability.ts'
import { account } from '../../src/resources/account.ts'
import { business } from '../../src/resources/business.ts'
import { reputationCounts, reputationDetail } from '../../src/resources/reputation.ts'
import { seoReport } from '../../src/resources/seo-report.ts'
import { site } from '../../src/resources/site.ts'
import { user } from '../../src/resources/user.ts'
import { anyRecord } from '../support/arbitrary-records.ts'
import { fc } from '../support/properties.ts'
import { readWithLibxml, readWithSaxes, type Tree, treeOf } from '../support/xml-tree.ts'

const nullable = { nullable: true } as const
const everyKind = {
  an_integer: integer('', nullable),
  a_float: float('', nullable),
  a_boolean: boolean('', nullable),
  a_string: string('', nullable),
  a_date: date('', nullable),
  a_datetime: datetime('', nullable),
  a_timestamp: timestamp('', nullable),
  a_moment: moment('', nullable),
  inner: one({ list_of_lists: list('inner_item', { deep: list('deep_item', { text: string() }) }) }),
  named: list('name', keyed('word', list('entry', { text: string() }))),
}

const shapes: Record<string, Shape> = { user, business, account, site, ability, seoReport, reputationDetail, reputationCounts, everyKind }

describe('any record', () => {
  for (const [name, shape] of Object.entries(shapes)) {
    for (const nulls of ['typed', 'untyped'] as const) {
      test(`of ${name}, nulls ${nulls}, is read back the same by two parsers and from JSON`, () => {
        const [xml, json] = [compileXml('root', shape, { nulls }), compileJson(null, shape)]
        fc.assert(
          fc.property(anyRecord(shape), (record) => {
            const written = xml(record as never)
            const [tree, other] = [readWithLibxml(written), readWithSaxes(written)]
            assert.deepEqual(other, tree)
            assert.deepEqual(comparable(treeOf(tree)), comparable(JSON.parse(json(record as never))))
            assert.ok(json(record as never).isWellFormed())
          }),
          { numRuns: 60 },
        )
      })
    }
  }

  test('holds what was put in, but for the characters that XML has no place for', () => {
    const [xml, json] = [compileXml('root', everyKind, { nulls: 'typed' }), compileJson('root', everyKind)]
    fc.assert(
      fc.property(anyRecord(everyKind), (record) => {
        const value = treeOf(readWithLibxml(xml(record as never))) as Record<string, Tree>
        const parsed = JSON.parse(json(record as never)).root
        for (const from of [value, parsed]) {
          assert.equal(from.a_string, record.a_string === null ? null : scrub(record.a_string as string))
          assert.equal(from.an_integer, record.an_integer)
          assert.equal(from.a_float, record.a_float === null ? null : (record.a_float as number) + 0)
          assert.equal(from.a_boolean, record.a_boolean === null ? null : Boolean(record.a_boolean))
          assert.equal(from.a_date, record.a_date)
          assert.equal(from.a_moment, record.a_moment)
        }
        const keys = (record.named as { key: string | number }[]).map(({ key }) => scrub(String(key)))
        assert.deepEqual((value.named as Record<string, Tree>[]).flatMap(Object.keys), keys)
        assert.deepEqual(parsed.named.flatMap(Object.keys), keys)
      }),
      { numRuns: 300 },
    )
  })
})

test('a text that begins with a byte order mark keeps it, in XML and in JSON', () => {
  const record = { text: '\ufeffcafé' }
  const shape = { text: string() }
  assert.deepEqual(treeOf(readWithSaxes(compileXml('root', shape, { nulls: 'typed' })(record))), record)
  assert.deepEqual(JSON.parse(compileJson(null, shape)(record)), record)
})

describe('a list of records', () => {
  test('reads the same in XML and JSON', () => {
    const items = list('user', user)
    const [xml, json] = [compileXmlList('users', items, { nulls: 'typed' }), compileJsonList('users', items)]
    fc.assert(
      fc.property(fc.array(anyRecord(user), { maxLength: 3 }), (records) => {
        const [written, parsed] = [xml(records as never), JSON.parse(json(records as never))]
        assert.deepEqual(comparable(treeOf(readWithLibxml(written))), comparable(parsed.users))
        assert.deepEqual(readWithSaxes(written), readWithLibxml(written))
      }),
      { numRuns: 50 },
    )
  })

  test('that flows is handed on in pages that together are the whole', async () => {
    const shape = { businesses: list('business', business) }
    const [whole, flow] = [compileXml('hash', shape, { nulls: 'typed' }), compileXmlFlow('hash', shape, { nulls: 'typed' })]
    const moment = '2026-11-14T23:52:01Z'
    const records = Array.from({ length: 5_000 }, (_, id) => ({
      id,
      created_at: moment,
      updated_at: moment,
      account_id: 1,
      name: `Number ${id}`,
      aasm_state: 'active' as const,
    }))
    const written: Buffer[] = []
    const pages = new ChunkWriter((page) => written.push(Buffer.from(page)), new BufferPool())
    await flow({ businesses: [records.slice(0, 10), records.slice(10)] }, pages, () => undefined)
    pages.flush()
    assert.ok(written.length > 3)
    assert.equal(Buffer.concat(written).toString(), whole({ businesses: records }))
  })
})

describe('nulls', () => {
  const [typed, untyped] = [compileXml('root', everyKind, { nulls: 'typed' }), compileXml('root', everyKind, { nulls: 'untyped' })]
  const nothing = Object.fromEntries(Object.keys(everyKind).map((name) => [name, null]))
  const record = { ...nothing, inner: { list_of_lists: [] }, named: [] } as never

  test('keep their type in records, in the long form, type before nil', () => {
    assert.match(typed(record), /\n {2}<an-integer type="integer" nil="true"><\/an-integer>\n/)
    assert.match(typed(record), /\n {2}<a-datetime type="datetime" nil="true"><\/a-datetime>\n/)
    assert.match(typed(record), /\n {2}<a-string nil="true"><\/a-string>\n/)
    assert.match(typed(record), /\n {2}<a-moment nil="true"><\/a-moment>\n/)
  })

  test('have none in reports', () => {
    assert.match(untyped(record), /\n {2}<an-integer nil="true"><\/an-integer>\n/)
    assert.match(untyped(record), /\n {2}<a-date nil="true"><\/a-date>\n/)
  })

  test('are not the empty text, and an empty list closes itself', () => {
    assert.match(typed({ ...(record as object), a_string: '' } as never), /\n {2}<a-string><\/a-string>\n/)
    assert.match(typed(record), /\n {2}<named type="array"\/>\n/)
  })
})

/** Minus zero is zero in both, and objects from JSON and from XML are the same kind of object. */
function comparable(tree: Tree): unknown {
  return JSON.parse(JSON.stringify(tree))
}
