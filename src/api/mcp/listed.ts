/** The tools that are listed unless all are asked for, sorted by what an assistant is asked to do, in few words: a list is read with every question. */

import type { JsonSchema } from '../../fields/to-schema.ts'
import type { Tool } from './tool.ts'

/** By task. Those that are not listed are called by their names all the same. */
// biome-ignore format: a task a line
export const tasks: Readonly<Record<string, readonly string[]>> = {
  'find a site':                          ['listManagedAccounts', 'listSites'],
  'how is it doing':                      ['listSiteSummaries', 'showSiteSummary'],
  'what changed':                         ['listRankings'],
  'why does this person see nothing':     ['listUsers', 'showEffectiveAccess', 'explainUserAccess', 'viewUserAbilities', 'updateUserAbilities'],
  'provision a customer':                 ['createCustomer', 'showCustomer', 'createSite', 'createUser', 'addKeywords', 'addCompetitors', 'listKeywords'],
  'push, and import a file':              ['pushObservations', 'uploadFile', 'listIntakes', 'showIntake', 'listRefusedLines'],
  'undo':                                 ['undoIntake'],
}

const listed = Object.values(tasks).flat()

export function isListed({ name }: Pick<Tool, 'name'>): boolean {
  return listed.includes(name)
}

/** How many entries an answer has where nobody says it: as many as are read at a glance. */
export const usualLimits: Readonly<Record<string, number>> = { listSiteSummaries: 5, listAccountSummaries: 5, listRankings: 20 }

/** The same tool, told in one sentence, and kinds of records by the names of their fields. */
export function toldBriefly({ description }: Tool): Omit<Tool['description'], 'title'> {
  const { title: _, inputSchema, outputSchema, ...rest } = description
  return {
    ...rest,
    description: firstSentences(description.description),
    inputSchema: { ...inputSchema, properties: briefProperties(inputSchema['properties'] as Properties) },
    outputSchema: { ...namesIn(outputSchema), type: 'object' },
  }
}

type Properties = Readonly<Record<string, JsonSchema>>

/** The name of the operation, and what the first sentence says of it. */
function firstSentences(text: string): string {
  const [summary = '', first = ''] = text.split(/(?<=\.) /)
  const told = first === '' || `${summary} ${first}`.length > longestText ? summary : `${summary} ${first}`
  return /`dry_run` first/.test(text) ? `${told} ${dryRunNote}` : told
}

const longestText = 260
const dryRunNote = 'Call it with `dry_run` first.'

function briefProperties(properties: Properties): Properties {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, briefProperty(name, schema)]))
}

function briefProperty(name: string, schema: JsonSchema): JsonSchema {
  if (name === 'confirm') return { type: 'string', description: 'what the dry run answered with' }
  const kinds = (schema['items'] as JsonSchema | undefined)?.['anyOf'] as readonly JsonSchema[] | undefined
  if (kinds !== undefined) return recordsByName(kinds)
  const { description, format: _f, minimum: _l, maximum: _m, minLength: _s, maxLength: _t, pattern: _p, ...rest } = schema
  return typeof description === 'string' ? { ...rest, description: cut(description) } : rest
}

/** `ranking: site*, phrase*, rank`: the API itself checks the values, and its refusals name the field. */
function recordsByName(kinds: readonly JsonSchema[]): JsonSchema {
  const lines = kinds.map((kind) => {
    const { type, ...fields } = kind['properties'] as Properties
    const required = kind['required'] as readonly string[]
    return `${type?.['const']}: ${Object.keys(fields)
      .map((name) => (required.includes(name) ? `${name}*` : name))
      .join(', ')}`
  })
  const description = `Records, each with its kind in \`type\` and these fields (* is needed). ${lines.join('; ')}`
  return { type: 'array', items: { type: 'object', required: ['type'] }, description }
}

function cut(text: string): string {
  return text.length <= longestNote ? text : (text.split(/[;:,(]/, 1)[0] ?? text).trim()
}

const longestNote = 70

/** The names are enough. */
function namesIn(schema: JsonSchema): JsonSchema {
  const { properties, items, required } = schema as { properties?: Properties; items?: JsonSchema; required?: unknown }
  if (properties === undefined && items === undefined) return {}
  return {
    type: schema['type'],
    ...(properties && { properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, namesIn(one)])) }),
    ...(items && { items: namesIn(items) }),
    ...(required !== undefined && { required }),
  }
}
