/** What is derived from the tables is fresh, complete and accepted by those who read it. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { generatedFiles } from '../../scripts/generated.ts'
import { endpoints } from '../../src/api/endpoints.ts'
import { notes } from '../../src/api/reference/endpoint-notes.ts'
import { refusalsOf } from '../../src/api/reference/possible-errors.ts'
import { settingTable } from '../../src/config.ts'

const root = join(import.meta.dirname, '..', '..')
const fresh = generatedFiles()

interface Operation {
  operationId: string
  parameters?: { name: string; in: string }[]
  requestBody?: { content: Record<string, unknown> }
  responses: Record<string, { $ref?: string; content?: Record<string, unknown> }>
}

interface OpenApi {
  paths: Record<string, Record<string, Operation>>
  components: { responses: Record<string, { content: Record<string, unknown> }> }
}

describe('derived files', () => {
  for (const [path, text] of Object.entries(fresh)) {
    test(`${path} is fresh`, () => {
      assert.equal(readFileSync(join(root, path), 'utf8'), text, `run \`npm run generate\`: ${path} is stale`)
    })
  }

  test('the settings name every setting', () => {
    for (const { name } of Object.values(settingTable)) assert.match(fresh['docs/settings.md'] ?? '', new RegExp(`\\| \`${name}\` \\|`))
  })

  test('every endpoint has its sentences, and no others are there', () => {
    assert.deepEqual(Object.keys(notes).toSorted(), endpoints.map(({ method, path }) => `${method} ${path}`).toSorted())
  })
})

describe('the OpenAPI document', () => {
  const document = JSON.parse(fresh['openapi.json'] ?? '') as OpenApi
  const operations = Object.values(document.paths).flatMap((here) => Object.values(here))

  test('is accepted by a validator that had no part in writing it', async () => {
    const { valid, errors } = await new Validator().validate(JSON.parse(fresh['openapi.json'] ?? ''))
    assert.ok(valid, JSON.stringify(errors))
  })

  test('names every operation once', () => {
    const ids = operations.map(({ operationId }) => operationId)
    assert.equal(new Set(ids).size, ids.length)
    assert.equal(ids.length, endpoints.length + endpoints.filter(({ alias }) => alias !== undefined).length)
  })

  test('holds nothing that refers to nothing', () => {
    for (const [, pointer = ''] of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const found = pointer.split('/').reduce<unknown>((node, step) => (node as Record<string, unknown> | undefined)?.[step], document)
      assert.ok(found !== undefined, pointer)
    }
  })

  for (const endpoint of endpoints) {
    const operation = document.paths[`/api/${endpoint.path}`]?.[endpoint.method.toLowerCase()] as Operation

    test(`tells of every status of ${endpoint.method} ${endpoint.path}, in both formats`, () => {
      for (const [status, codes] of refusalsOf(endpoint)) {
        const name = operation.responses[status]?.$ref?.split('/').at(-1) ?? ''
        assert.deepEqual(name.split('.').slice(1), codes)
        assert.deepEqual(Object.keys(document.components.responses[name]?.content ?? {}), ['application/xml', 'application/problem+json'])
      }
      const good = operation.responses['answer' in endpoint ? endpoint.answer.status : 200]?.content ?? {}
      assert.ok('application/xml' in good && 'application/json' in good)
    })

    test(`tells of every parameter and body of ${endpoint.method} ${endpoint.path}`, () => {
      const named = (operation.parameters ?? []).filter((parameter) => parameter.in !== 'header').map(({ name }) => name)
      const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      assert.deepEqual(named, [...inPath, ...Object.keys(endpoint.query ?? {})])
      const types = Object.keys(operation.requestBody?.content ?? {})
      if (endpoint.body !== undefined) assert.deepEqual(types, ['application/xml', 'application/json', 'application/x-www-form-urlencoded'])
      else assert.equal(types.length > 0, 'takes' in endpoint)
    })
  }
})
