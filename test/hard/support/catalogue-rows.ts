/** Everything that can be asked, made from the tables of endpoints, tools and pages: what is new is in it without anyone remembering. */
import assert from 'node:assert/strict'
import { endpoints } from '../../../src/api/endpoints.ts'
import type { Tool } from '../../../src/api/mcp/tool.ts'
import { findTool } from '../../../src/api/mcp/tools.ts'
import { sampleQuery, sampleSent } from '../../../src/api/reference/samples.ts'
import { keyScopes } from '../../../src/model/partners/keys/keys.ts'
import { type Asking, changing, endpointRecipes, goodValues, shown } from '../../guards/bystanders/endpoint-recipes.ts'
import { forms, looks, pageRecipes } from '../../guards/bystanders/page-recipes.ts'
import { nameOf, type Recipe } from '../../guards/bystanders/recipe.ts'
import { nameFor } from '../../support/provoke.ts'

export interface Row {
  readonly name: string
  readonly prepare?: (() => Promise<unknown>) | undefined
  /** Fails unless it is answered well. */
  readonly act: () => Promise<unknown>
  /** Above 0 if what it changes cannot be put back: it comes late and is asked once. */
  readonly last: number
}

/** From what is asked first to what takes the most away. */
const irrevocable = [
  'POST intakes',
  'POST /desk/data',
  'POST /desk/data/{intake_id}',
  'POST /desk/data/arrived/{delivery_id}/{place}',
  'POST /desk/data/arrived/{delivery_id}',
  'DELETE sites/{site_id}/keywords/{keyword_id}',
  'DELETE sites/{site_id}/competitors/{competitor_id}',
  'DELETE sites/{site_id}/pages/{page_id}',
  'POST intakes/{intake_id}/undo',
  'DELETE sites/{site_id}',
  'DELETE accounts/{account_id}',
]

/** What only shows comes first, what takes much away comes last. */
export async function catalogueRows(ground: Asking): Promise<Row[]> {
  const [requests, shows] = [await endpointRecipes(ground), await shown(ground)]
  const sent = pageRecipes(ground)
  const rows = [
    ...[...shows, ...looks(ground), ...(await toolRows(ground))].map((recipe) => rowOf(recipe)),
    ...[...sent, ...requests].filter(isWanted).map((recipe) => rowOf(recipe, 'for real')),
  ]
  return rows.toSorted((one, other) => one.last - other.last)
}

/** The rows of the tables that nobody knows how to ask. */
export async function unasked(ground: Asking): Promise<string[]> {
  const known = [...(await endpointRecipes(ground)), ...pageRecipes(ground)].map(({ of }) => of)
  return [...changing.keys(), ...forms].filter((name) => !known.includes(name))
}

/** The others ask what is not there, or everything at once; an undo is tried out by its tool, long before it is done. */
function isWanted({ of, as = '' }: Recipe): boolean {
  return of !== 'whatever only shows' && !/^found by way of another|^of another account|^of which nothing|^tried out/.test(as)
}

function rowOf(recipe: Recipe, how = 'for a look'): Row {
  return {
    name: nameOf(recipe),
    prepare: recipe.prepare,
    act: recipe.act,
    last: how === 'for real' ? irrevocable.indexOf(recipe.of) + 1 : 0,
  }
}

/** What changes is called as a careful agent begins: it is tried out, which does all the work and takes it back. */
async function toolRows(ground: Asking): Promise<Recipe[]> {
  const values = { ...(await goodValues(ground)), site_domain: ground.world.target.sites[1]?.domain }
  const tools = endpoints.flatMap(({ id }) => findTool(keyScopes, id) ?? [])
  return tools.map((tool) => ({ of: `tool ${tool.name}`, act: () => call(ground, tool.name, argumentsOf(tool, values)) }))
}

function argumentsOf({ endpoint, inPath, inBody }: Tool, values: Readonly<Record<string, unknown>>): object {
  const sent = sampleSent(endpoint, values) as Record<string, unknown>
  const lines = [{ type: 'keyword', site: values['site_domain'], phrase: 'new' }]
  return {
    ...Object.fromEntries(inPath.map((name) => [name, values[nameFor(endpoint, name)]])),
    ...sampleQuery(endpoint, values),
    ...(inBody !== null && { [inBody.name]: inBody.isWrapped ? sent[inBody.name] : lines }),
    ...(endpoint.changes && { dry_run: true }),
    ...(endpoint.id === 'undoIntake' && { despite_later: true }),
    ...(endpoint.id === 'removeStaffMember' && { successor_id: values['successor_id'] }),
  }
}

async function call({ stranger, world }: Asking, name: string, given: object): Promise<void> {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }
  const headers = { accept: 'application/json, text/event-stream' }
  const asked = { body: JSON.stringify(message), type: 'application/json', credentials: world.acme.credentials, headers }
  const { status, text } = await stranger.ask('POST', '/mcp', asked)
  // Whoever is told to ask for less has had as much work done as a tool may do.
  const isGood = !text.includes('"isError":true') || text.includes('too large for a tool')
  assert.ok(status === 200 && isGood, `${status}: ${text.slice(0, 300)}`)
}
