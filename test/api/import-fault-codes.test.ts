/** Every code of a refused record is told with its cause and its cure, alike in the repository, at /docs/errors and in OpenAPI. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { importErrorAdvice } from '../../src/api/reference/error-advice.ts'
import { importErrorCodes } from '../../src/resources/imports/import-fault.ts'
import { onEngine } from '../support/engines.ts'
import { serviceOn } from '../support/service.ts'

const root = join(import.meta.dirname, '..', '..')

onEngine('sqlite', 'codes of refused records', (place) => {
  const house = serviceOn(place)

  test('stand in docs/api/errors.md, each with its cause and its cure', () => {
    const [, section = ''] = readFileSync(join(root, 'docs/api/errors.md'), 'utf8').split('## Codes of refused records')
    const rows = [...section.matchAll(/^\| `(\w+)` \|.*\| (.+) \| (.+) \|$/gm)]
    assert.deepEqual(
      rows.map(([, code, cause, cure]) => [code, cause, cure]),
      advised,
    )
  })

  test('stand at /docs/errors, each with its cause and its cure', async () => {
    const { text } = await house.stranger.get('/docs/errors')
    const [, section = ''] = text.split('<h2 id="codes-of-refused-records">')
    const rows = [...section.matchAll(/<tr><td><code>(\w+)<\/code><\/td><td>.*?<\/td><td>(.*?)<\/td><td>(.*?)<\/td><\/tr>/gs)]
    assert.deepEqual(
      rows.map(([, code, cause, cure]) => [code, plain(cause), plain(cure)]),
      advised.map((row) => row.map(withoutTicks)),
    )
  })

  test('are the words that OpenAPI allows for a fault of an intake and of a push', () => {
    for (const name of ['openapi.json', 'openapi-xml.json']) {
      const enums = enumsIn(JSON.parse(readFileSync(join(root, name), 'utf8')).components.schemas)
      const ofFaults = enums.filter((words) => words.includes('not_csv'))
      assert.ok(ofFaults.length >= 2, `${name} has ${ofFaults.length}`)
      for (const words of ofFaults) assert.deepEqual(words, importErrorCodes)
    }
  })
})

const advised = importErrorCodes.map((code) => [code, importErrorAdvice[code].cause, importErrorAdvice[code].cure])

function withoutTicks(text: string): string {
  return text.replaceAll('`', '')
}

function plain(html = ''): string {
  return html
    .replace(/<[^>]+>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}

function enumsIn(value: unknown): unknown[][] {
  if (typeof value !== 'object' || value === null) return []
  const own = 'enum' in value && Array.isArray(value.enum) ? [value.enum] : []
  return [...own, ...Object.values(value).flatMap(enumsIn)]
}
