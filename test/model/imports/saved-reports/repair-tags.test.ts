/** Tags named by raw data become readable, wherever the document is cut into pieces. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { LiteralTags } from '../../../../src/model/imports/saved-reports/repair-tags.ts'

const literal =
  '\n<?xml version="1.0"?>\n<hash>\n<123><plumber chicago type="array"><plumber chicago/></plumber chicago></123>\n<a-b nil="true"></a-b>a > b<24_x002F_7 type="array"/></hash>'
const readable =
  '<?xml version="1.0"?>\n<hash>\n<_x0031_23><plumber_x0020_chicago type="array"><plumber_x0020_chicago/></plumber_x0020_chicago></_x0031_23>\n<a-b nil="true"></a-b>a > b<_x0032_4_x002F_7 type="array"/></hash>'

describe('literal tags', () => {
  test('become encoded names, and well-formed ones stay', () => {
    const tags = new LiteralTags()
    assert.equal(tags.take(literal) + tags.end(), readable)
  })

  test('are the same in pieces of any size', () => {
    for (const size of [1, 2, 3, 7, 20]) {
      const tags = new LiteralTags()
      const pieces = literal.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
      assert.equal(pieces.map((piece) => tags.take(piece)).join('') + tags.end(), readable)
    }
  })
})
