/** What is derived from the tables is fresh, complete and accepted by those who read it. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { generatedFiles } from '../../scripts/generated.ts'
import { endpoints } from '../../src/api/endpoints.ts'
import { notes } from '../../src/api/reference/endpoint-notes.ts'
import { contentOf } from '../../src/api/reference/named-records.ts'
import { problemName } from '../../src/api/reference/openapi-problems.ts'
import { alsoAnswered, refusalsOf } from '../../src/api/reference/possible-errors.ts'
import { settingTable } from '../../src/config.ts'
import { keyScopes } from '../../src/model/partners/keys/keys.ts'

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
  components: {
    schemas: Record<string, unknown>
    headers: Record<string, unknown>
    responses: Record<string, { content: Record<string, unknown> }>
  }
}

describe('derived files', () => {
  for (const [path, text] of Object.entries(fresh)) {
    test('the page on authentication names every scope of a key', () => {
      const page = readFileSync(join(root, 'docs/api/README.md'), 'utf8')
      assert.deepEqual(
        keyScopes.filter((scope) => !page.includes(`- \`${scope}\`: `)),
        [],
      )
    })

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

for (const [path, format, refusal] of [
  ['openapi.json', 'json', 'application/problem+json'],
  ['openapi-xml.json', 'xml', 'application/xml'],
] as const) {
  describe(`the OpenAPI document ${path}`, () => {
    const document = JSON.parse(fresh[path] ?? '') as OpenApi
    const operations = Object.values(document.paths).flatMap((here) => Object.values(here))
    const described = endpoints.filter(({ formats }) => formats?.includes(format) !== false)

    test('is accepted by a validator that had no part in writing it', async () => {
      const { valid, errors } = await new Validator().validate(JSON.parse(fresh[path] ?? ''))
      assert.ok(valid, JSON.stringify(errors))
    })

    test('names every operation once', () => {
      const ids = operations.map(({ operationId }) => operationId)
      const aliases = endpoints.filter(({ alias }) => alias !== undefined)
      const tables = endpoints.filter(({ formats }) => format === 'xml' && formats?.includes('csv'))
      assert.equal(new Set(ids).size, ids.length)
      assert.equal(ids.length, described.length + aliases.length + tables.length)
    })

    test('holds nothing that refers to nothing, and nothing that nobody refers to', () => {
      const pointers = new Set([...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, pointer = '']) => pointer))
      for (const pointer of pointers) {
        const found = pointer.split('/').reduce<unknown>((node, step) => (node as Record<string, unknown> | undefined)?.[step], document)
        assert.ok(found !== undefined, pointer)
      }
      const { schemas, responses, headers } = document.components
      const named = Object.entries({ schemas, responses, headers }).flatMap(([kind, all]) =>
        Object.keys(all).map((name) => `components/${kind}/${name}`),
      )
      assert.deepEqual(
        named.filter((name) => !pointers.has(name)),
        [],
      )
    })

    for (const endpoint of described) {
      const operation = document.paths[`/api/${endpoint.path}.${format}`]?.[endpoint.method.toLowerCase()] as Operation

      test(`tells of every status of ${endpoint.method} ${endpoint.path}`, () => {
        const also = Object.keys(alsoAnswered(endpoint))
        for (const [status, codes] of refusalsOf(endpoint)) {
          if (also.includes(String(status))) continue
          const name = operation.responses[status]?.$ref?.split('/').at(-1) ?? ''
          assert.equal(name, problemName(codes))
          assert.deepEqual(Object.keys(document.components.responses[name]?.content ?? {}), [refusal])
        }
        const good = operation.responses['answer' in endpoint ? endpoint.answer.status : 200]?.content
        const type = endpoint.areLines ? 'application/x-ndjson' : `application/${format}`
        const isEmpty = contentOf(endpoint) === undefined && !endpoint.areLines
        assert.deepEqual(Object.keys(good ?? {}), isEmpty ? [] : [type])
      })

      test(`tells of every parameter and body of ${endpoint.method} ${endpoint.path}`, () => {
        const named = (operation.parameters ?? []).filter((parameter) => parameter.in !== 'header').map(({ name }) => name)
        const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
        assert.deepEqual(named, [...inPath, ...Object.keys(endpoint.query ?? {})])
        const types = Object.keys(operation.requestBody?.content ?? {})
        if (endpoint.body !== undefined) assert.deepEqual(types, [`application/${format}`])
        else assert.equal(types.length > 0, 'takes' in endpoint)
      })
    }
  })
}
