/** The XML schemas: libxml2 validates every golden answer by them, and refuses what breaks the table. */
import assert from 'node:assert/strict'
import { basename } from 'node:path'
import { describe, test } from 'node:test'
import { xmlSchemas } from '../../../src/api/reference/schemas.ts'
import { libxml2 } from '../../support/libxml2.ts'
import { sourcesIn } from '../../support/sources.ts'

const schemas = xmlSchemas()
const golden = sourcesIn('test/golden/**/*.xml').filter(({ path }) => !path.endsWith('legacy.xml'))
const moment = '2026-11-14T23:52:01+00:00'
const reports: Readonly<Record<string, string>> = {
  'seo.xml': 'seo-report',
  'detail.xml': 'reputation-report-detail',
  'counts.xml': 'reputation-report-counts',
}

/** Null when the document is as its schema says. */
function faultOf(schemaName: string, text: string): string | null {
  const { XmlDocument, XsdValidator } = libxml2()
  const schema = XmlDocument.fromString(schemas.get(schemaName)?.() ?? assert.fail(`there is no schema ${schemaName}`))
  const validator = XsdValidator.fromDoc(schema)
  const document = XmlDocument.fromString(text)
  try {
    validator.validate(document)
    return null
  } catch (error) {
    return String(error)
  } finally {
    document.dispose()
    validator.dispose()
    schema.dispose()
  }
}

function schemaFor(path: string, text: string): string {
  return reports[basename(path)] ?? /<([a-z_-]+)[ >]/.exec(text.replace(/<\?.*\?>/, ''))?.[1]?.replaceAll('_', '-') ?? ''
}

describe('XML schemas', () => {
  test('validate every golden answer', () => {
    assert.ok(golden.length > 30)
    for (const { path, text } of golden)
      assert.equal(faultOf(schemaFor(path, text), text.replaceAll('{moment}', moment).replaceAll('{id}', '1')), null, path)
  })

  test('refuse a missing field, a wrong order, a wrong type and a word that is not one of the list', () => {
    const user = golden.find(({ path }) => path.endsWith('new-user.xml'))?.text ?? assert.fail()
    const broken = [
      user.replace(/ {2}<login>.*\n/, ''),
      user.replace(/( {2}<email>.*\n)( {2}<login>.*\n)/, '$2$1'),
      user.replace('<rank-id type="integer">1<', '<rank-id type="integer">one<'),
      user.replace('<rank-id type="integer">1<', '<rank-id>1<'),
      user.replace('<state>passive<', '<state>asleep<'),
      user.replace('<is-seo-pro type="boolean">false<', '<is-seo-pro type="boolean" nil="true"><'),
    ]
    for (const text of broken) {
      assert.notEqual(text, user)
      assert.notEqual(faultOf('user', text), null, text)
    }
  })

  test('let an element that is named by data have any name', () => {
    const seo = golden.find(({ path }) => path.endsWith('seo.xml'))?.text ?? assert.fail()
    assert.equal(faultOf('seo-report', seo.replaceAll('_x0031_ name="1"', 'other name="other"').replaceAll('/_x0031_>', '/other>')), null)
    assert.notEqual(faultOf('seo-report', seo.replace('<account>', '<bill>').replace('</account>', '</bill>')), null)
  })
})
