/** One request as code in several languages, all generated from the endpoint's row; the tests run them all. */

import { isList } from '../../fields/shape.ts'
import type { CodeSample } from '../../lib/document.ts'
import { type Endpoint, hasPages } from '../endpoint.ts'
import { contentOf } from './named-records.ts'
import { isGetAction } from './possible-errors.ts'
import { exampleIds, type SampleValues, sampleQuery, sampleSent } from './samples.ts'

/** Where every sample finds the service and the credentials. */
export const environment: CodeSample = {
  label: 'Shell',
  language: 'sh',
  code: 'export SERVICE_URL=http://127.0.0.1:8080 KEY=mq_... PASSWORD=mqs_...',
}

/** The lines that begin each sample in TypeScript. */
export const typescriptHead = `import { Marquee } from '@marquee/client'

const { SERVICE_URL = '', KEY = '', PASSWORD = '' } = process.env
const client = new Marquee({ url: SERVICE_URL, key: KEY, password: PASSWORD })
`

/** The request in each language, each a program of its own; GET requests that change state have no method in the client. */
export function codeSamples(endpoint: Endpoint, values: SampleValues = {}): readonly CodeSample[] {
  const sent = sampleSent(endpoint, values)
  const address = addressOf(endpoint, values)
  const client = isGetAction(endpoint) ? [] : [`${typescriptHead}${typescript(endpoint, sent, values)}`]
  const first = [
    { label: 'curl', language: 'sh', code: curl(endpoint, address, sent) },
    ...client.map((code) => ({ label: 'TypeScript', language: 'ts', code })),
  ]
  // The other languages read one document.
  if (endpoint.areLines) return first
  const asked = { method: endpoint.method, address, sent }
  return [
    ...first,
    { label: 'Python', language: 'python', code: pythonProgram(asked) },
    { label: 'Ruby', language: 'ruby', code: rubyProgram(asked) },
    { label: 'PHP', language: 'php', code: phpProgram(asked) },
  ]
}

interface Asked {
  readonly method: Endpoint['method']
  readonly address: string
  /** Null if there is no body. */
  readonly sent: unknown
}

function pythonProgram({ method, address, sent }: Asked): string {
  const body = sent === null ? '' : `, json.dumps(${literal(sent, python)}).encode()`
  return `import base64, json, os, urllib.request

credentials = base64.b64encode(f"{os.environ['KEY']}:{os.environ['PASSWORD']}".encode()).decode()
headers = {"Authorization": f"Basic {credentials}", "Content-Type": "application/json"}
request = urllib.request.Request(os.environ["SERVICE_URL"] + "${address}"${body}, headers=headers, method="${method}")
with urllib.request.urlopen(request) as answer:
    print(json.load(answer))`
}

function rubyProgram({ method, address, sent }: Asked): string {
  const body = sent === null ? '' : `request.content_type = "application/json"\nrequest.body = JSON.generate(${literal(sent, ruby)})\n`
  return `require "json"
require "net/http"

uri = URI(ENV["SERVICE_URL"] + "${address}")
request = Net::HTTP::${method.charAt(0)}${method.slice(1).toLowerCase()}.new(uri)
request.basic_auth(ENV["KEY"], ENV["PASSWORD"])
${body}answer = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == "https") { |http| http.request(request) }
answer.value
puts JSON.parse(answer.body)`
}

function phpProgram({ method, address, sent }: Asked): string {
  const body = sent === null ? '' : `\n    'content' => json_encode(${literal(sent, php).replaceAll('"', "'")}),`
  return `<?php
$credentials = base64_encode(getenv('KEY') . ':' . getenv('PASSWORD'));
$request = [
    'method' => '${method}',
    'header' => ["Authorization: Basic $credentials", 'Content-Type: application/json'],${body}
];
$answer = file_get_contents(getenv('SERVICE_URL') . '${address}', false, stream_context_create(['http' => $request]));
if ($answer === false) throw new RuntimeException('The request was refused');
print_r(json_decode($answer, true));`
}

/** Fills in the ids of the path by name; the default is 42. */
function addressOf(endpoint: Endpoint, values: SampleValues): string {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? exampleIds[name] ?? 42))
  const needed = sampleQuery(endpoint, values)
  return `/api/${path}.json${needed === null ? '' : `?${new URLSearchParams(needed)}`}`
}

function curl({ method, access, needsPassword }: Endpoint, address: string, sent: unknown): string {
  const credentials = access === 'report' && needsPassword === undefined ? '-u "$KEY:"' : '-u "$KEY:$PASSWORD"'
  const isPlain = method === 'GET' || (method === 'POST' && sent !== null)
  const body = sent === null ? '' : ` \\\n  -H 'Content-Type: application/json' -d '${JSON.stringify(sent).replaceAll("'", "'\\''")}'`
  return `curl ${credentials}${isPlain ? '' : ` -X ${method}`} "$SERVICE_URL${address}"${body}`
}

function typescript(endpoint: Endpoint, sent: unknown, values: SampleValues): string {
  const ids = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => String(values[name] ?? exampleIds[name] ?? 42))
  const body = sent === null ? [] : [sentByClient(endpoint, sent)]
  const needed = sampleQuery(endpoint, values)
  const query = needed === null ? [] : [literal(typedQuery(endpoint, needed), javascript)]
  const call = `client.${endpoint.id}(${[...ids, ...body, ...query].join(', ')})`
  const content = contentOf(endpoint)
  const isPaged = hasPages(endpoint)
  if (endpoint.areLines) return `for await (const chunk of (await ${call}).body ?? []) process.stdout.write(chunk)`
  if (content === undefined) return `await ${call}`
  if (isPaged && isList(content.of)) return `for await (const ${content.of.item} of ${call}) console.log(${content.of.item}.id)`
  return `console.log(await ${call})`
}

/** The client puts a record below its root, and takes a file as it is. */
function sentByClient(endpoint: Endpoint, sent: unknown): string {
  if (endpoint.receives === 'file') return `new Blob([JSON.stringify(${literal(sent, javascript)})], { type: 'application/json' })`
  return literal(endpoint.takes !== undefined ? sent : Object.values(sent as object)[0], javascript)
}

/** The client takes numbers as numbers, so they are parsed. */
function typedQuery({ query = {} }: Endpoint, needed: Readonly<Record<string, string>>): object {
  return Object.fromEntries(Object.entries(needed).map(([name, text]) => [name, query[name]?.kind.read(text)]))
}

/** How a language writes maps, their members, lists, and constants. */
interface Literals {
  readonly map: readonly [string, string]
  readonly member: (name: string) => string
  readonly words?: Readonly<Record<string, string>>
}

const python: Literals = { map: ['{', '}'], member: (name) => `"${name}": `, words: { true: 'True', false: 'False', null: 'None' } }
const ruby: Literals = { map: ['{ ', ' }'], member: (name) => `${name}: `, words: { null: 'nil' } }
const php: Literals = { map: ['[', ']'], member: (name) => `"${name}" => ` }
const javascript: Literals = { map: ['{ ', ' }'], member: (name) => `${name}: ` }

function literal(value: unknown, language: Literals): string {
  if (Array.isArray(value)) return `[${value.map((item) => literal(item, language)).join(', ')}]`
  if (typeof value === 'object' && value !== null) return mapLiteral(value, language)
  const text = JSON.stringify(value)
  return typeof value === 'string' ? quoted(text, language) : (language.words?.[text] ?? text)
}

function mapLiteral(value: object, language: Literals): string {
  const [open, close] = language.map
  const members = Object.entries(value).map(([name, member]) => `${language.member(name)}${literal(member, language)}`)
  return `${open}${members.join(', ')}${close}`
}

function quoted(text: string, language: Literals): string {
  return language === javascript ? `'${text.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'` : text
}
