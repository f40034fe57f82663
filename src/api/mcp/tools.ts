/** The tools for agents: one for each endpoint of the table, with its schema and hints. */

import { isList, type Shape } from '../../fields/shape.ts'
import { incomingSchemaOf, type JsonSchema, requestSchemaOf } from '../../fields/to-schema.ts'
import { memoOnce, memoUntilFull } from '../../lib/memo.ts'
import { textKinds } from '../../lib/text-kinds.ts'
import type { KeyScope } from '../../model/core/caller.ts'
import { mayUse } from '../authorize.ts'
import type { Content, Endpoint } from '../endpoint.ts'
import { endpoints } from '../endpoints.ts'
import type { Parameter } from '../query.ts'
import { notes } from '../reference/endpoint-notes.ts'
import { isGetAction } from '../reference/possible-errors.ts'
import { isListed, toldBriefly, usualLimits } from './listed.ts'
import { outputSchemaOf } from './output-schema.ts'
import type { Tool } from './tool.ts'

/** GET requests that change state are left out, because POST on the same path is the same tool, and so is what is too long for an agent. */
const allTools = memoOnce(() => endpoints.filter((endpoint) => !isGetAction(endpoint) && !endpoint.areLines).map(toolOf))

/** The tool of that name, now or formerly, unless the key may not use it. */
export function findTool(scopes: readonly KeyScope[], name: string): Tool | undefined {
  return allTools().find((tool) => [tool.name, tool.endpoint.was].includes(name) && mayUse(scopes, tool.endpoint))
}

/** The descriptions of these tools in JSON: those of the usual tasks in few words, or all. All are some 200 kB, so they are kept for each set of scopes. */
export function toolList(scopes: readonly KeyScope[], areAll = false): Buffer {
  return listOf([areAll ? 'all' : 'listed', ...new Set(scopes)].toSorted().join(' '))
}

const mostLists = 32

const listOf = memoUntilFull(mostLists, (words: string) => {
  const all = words.split(' ')
  const tools = allTools().filter(({ endpoint }) => mayUse(all as KeyScope[], endpoint))
  const told = all.includes('all') ? tools.map(({ description }) => description) : tools.filter(isListed).map(toldBriefly)
  return Buffer.from(JSON.stringify(told))
})

function toolOf(endpoint: Endpoint): Tool {
  const [name, inPath, inBody] = [endpoint.id, idsOf(endpoint), bodyOf(endpoint)]
  const query = Object.entries(endpoint.query ?? {}).filter(([, parameter]) => endpoint.receives === 'file' || isForJson(parameter))
  const properties = {
    ...Object.fromEntries(inPath.map((id) => [id, textKinds.id.schema])),
    ...Object.fromEntries(query.map(([key, parameter]) => [key, argumentSchema(parameter)])),
    ...(name in usualLimits && { limit: limitSchema(name) }),
    ...(inBody !== null && { [inBody.name]: inBody.schema }),
    ...(endpoint.changes && { confirm: confirmSchema }),
  }
  return {
    name,
    endpoint,
    inPath,
    inQuery: query.map(([key]) => key),
    inBody,
    description: {
      name,
      title: endpoint.summary,
      description: aboutOf(endpoint),
      inputSchema: {
        type: 'object',
        properties,
        required: [...inPath, ...neededOf(query), ...(inBody === null ? [] : [inBody.name])],
        additionalProperties: false,
      },
      outputSchema: outputSchemaOf(endpoint),
      annotations: hintsOf(endpoint),
    },
  }
}

function idsOf({ path }: Endpoint): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, id = '']) => id)
}

function neededOf(query: readonly (readonly [string, Parameter])[]): string[] {
  return query.filter(([, { isRequired }]) => isRequired === true).map(([name]) => name)
}

/** Tools answer in JSON, so parameters of other formats are left out. */
function isForJson({ note }: Parameter): boolean {
  return !/^CSV|\bXML\b/.test(note)
}

function argumentSchema({ kind, note }: Parameter): JsonSchema {
  return { ...(kind === textKinds.flag ? { type: 'boolean' } : kind.schema), description: note }
}

function limitSchema(name: string): JsonSchema {
  return { type: 'integer', minimum: 1, description: `how many an answer has at most; ${usualLimits[name]} when it is left out` }
}

const confirmSchema = {
  type: 'string',
  description: 'the value that a call with the same arguments and `dry_run` answered with; needed unless the key may write directly',
}

function bodyOf(endpoint: Endpoint): { name: string; isWrapped: boolean; isText?: true; schema: JsonSchema } | null {
  if (endpoint.receives === 'file') return { name: 'text', isWrapped: false, isText: true, schema: fileSchema }
  if (endpoint.body !== undefined) return { name: endpoint.body.root, isWrapped: true, schema: sentSchema(endpoint.body) }
  if (!('takes' in endpoint) || endpoint.takes === undefined) return null
  const kinds = Object.entries(endpoint.takes.kinds).map(([kind, { about, fields }]) => incomingSchemaOf(kind, about, fields))
  return { name: 'observations', isWrapped: false, schema: { type: 'array', items: { anyOf: kinds } } }
}

const fileSchema = { type: 'string', description: 'what is in the file: CSV, JSON, a JSON object a line, or a saved report in XML' }

function sentSchema({ of }: Content): JsonSchema {
  return isList(of) ? { type: 'array', items: inlined(of.of as Shape) } : inlined(of)
}

/** Nested records are written out, because a tool's schema must be self-contained. */
function inlined(shape: Shape): JsonSchema {
  return requestSchemaOf(shape, inlined)
}

function aboutOf(endpoint: Endpoint): string {
  const note = notes[`${endpoint.method} ${endpoint.path}`] ?? ''
  return [`${endpoint.summary}.`, note, endpoint.changes ? writeNote : ''].filter((part) => part !== '').join(' ')
}

const writeNote = 'Call it with `dry_run` first: that changes nothing, and answers what would happen and the value for `confirm`.'

function hintsOf(endpoint: Endpoint): Tool['description']['annotations'] {
  const readOnlyHint = endpoint.changes !== true
  return {
    readOnlyHint,
    ...(!readOnlyHint && { destructiveHint: !isAdditive(endpoint), idempotentHint: endpoint.method !== 'POST' }),
    openWorldHint: false,
  }
}

/** POST to the path of a list adds to it; every other write changes or deletes something. */
function isAdditive({ method, path }: Endpoint): boolean {
  return method === 'POST' && endpoints.some((other) => other.method === 'GET' && other.path === path)
}
