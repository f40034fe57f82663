/** A Bruno collection with one request for each endpoint, from the same tables as the reference. */
import type { Endpoint } from '../src/api/endpoint.ts'
import { endpoints } from '../src/api/endpoints.ts'
import { notes } from '../src/api/reference/endpoint-notes.ts'
import { operationId } from '../src/api/reference/operation-id.ts'
import { isGetAction } from '../src/api/reference/possible-errors.ts'
import { resourceOf } from '../src/api/reference/resources.ts'
import { sampleQuery, sampleSent } from '../src/api/reference/samples.ts'

const folder = 'docs/bruno'

/** By path; GET that acts is left to old clients. */
export function brunoFiles(): Record<string, string> {
  const offered = endpoints.filter((endpoint) => !isGetAction(endpoint))
  const names = [...new Set(offered.flatMap((endpoint) => [...idsOf(endpoint), ...neededOf(endpoint)]))]
  return {
    [`${folder}/bruno.json`]: `${JSON.stringify({ version: '1', name: 'Marquee', type: 'collection' }, null, 2)}\n`,
    [`${folder}/collection.bru`]: 'auth {\n  mode: basic\n}\n\nauth:basic {\n  username: {{key}}\n  password: {{password}}\n}\n',
    [`${folder}/environments/local.bru`]: environment(names),
    ...Object.fromEntries(
      offered.map((endpoint, at) => [`${folder}/${resourceOf(endpoint)}/${operationId(endpoint)}.bru`, requestText(endpoint, at + 1)]),
    ),
  }
}

function idsOf({ path }: Endpoint): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}

function neededOf(endpoint: Endpoint): string[] {
  return Object.keys(sampleQuery(endpoint) ?? {})
}

/** Where the service is and which records are meant; the key and its password are secret, and Bruno keeps them apart. */
function environment(names: readonly string[]): string {
  const lines = ['base: http://127.0.0.1:8080', ...names.map((name) => `${name}: ${name === 'scope_type' ? 'Account' : 1}`)].map(
    (line) => `  ${line}\n`,
  )
  return `vars {\n${lines.join('')}}\n\nvars:secret [\n  key,\n  password\n]\n`
}

function requestText(endpoint: Endpoint, seq: number): string {
  const { method, path, summary } = endpoint
  const values = Object.fromEntries(['account_id', 'user_id', 'business_id', 'site_id'].map((name) => [name, `{{${name}}}`]))
  const sent = sampleSent(endpoint, values)
  const search = neededOf(endpoint).map((name) => `${name}={{${name}}}`)
  const url = `{{base}}/api/${path.replace(/\{(\w+)\}/g, '{{$1}}')}.json${search.length === 0 ? '' : `?${search.join('&')}`}`
  const blocks = [
    block('meta', `name: ${summary}\ntype: http\nseq: ${seq}`),
    block(method.toLowerCase(), `url: ${url}\nbody: ${sent === null ? 'none' : 'json'}\nauth: inherit`),
    ...(sent === null ? [] : [block('body:json', JSON.stringify(sent, null, 2))]),
    block('docs', notes[`${method} ${path}`] ?? summary),
  ]
  return blocks.join('\n')
}

function block(name: string, text: string): string {
  return `${name} {\n${text.replace(/^(?=.)/gm, '  ')}\n}\n`
}
