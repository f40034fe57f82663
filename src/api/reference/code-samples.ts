/** One request as code in several languages, all generated from the endpoint's row; the tests run them all. */

import { isList } from '../../fields/shape.ts'
import type { CodeSample } from '../../lib/document.ts'
import type { Endpoint } from '../endpoint.ts'
import { contentOf } from './named-records.ts'
import { isGetAction } from './possible-errors.ts'
import { type SampleValues, sampleQuery, sampleSent } from './samples.ts'

/** The code before the samples of each language: the address of the service, the credentials, and how a request is sent. */
export const setups: readonly CodeSample[] = [
  {
    label: 'curl',
    language: 'sh',
    code: `BASE=http://127.0.0.1:8080 KEY=mq_... PASSWORD=mqs_...`,
  },
  {
    label: 'TypeScript',
    language: 'ts',
    code: `import { Marquee } from 'marquee/client'

const { BASE = '', KEY = '', PASSWORD = '' } = process.env
const client = new Marquee({ url: BASE, key: KEY, password: PASSWORD })`,
  },
  {
    label: 'Python',
    language: 'python',
    code: `import base64, json, os, urllib.request

def call(method, address, body=None):
    credentials = base64.b64encode(f"{os.environ['KEY']}:{os.environ['PASSWORD']}".encode()).decode()
    headers = {"Authorization": f"Basic {credentials}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(os.environ["BASE"] + address, data, headers, method=method)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)`,
  },
  {
    label: 'Ruby',
    language: 'ruby',
    code: `require "json"
require "net/http"

def call(method, address, body = nil)
  uri = URI(ENV["BASE"] + address)
  request = Net::HTTP.const_get(method.capitalize).new(uri)
  request.basic_auth(ENV["KEY"], ENV["PASSWORD"])
  request.content_type = "application/json" if body
  request.body = JSON.generate(body) if body
  answer = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == "https") { |http| http.request(request) }
  answer.value
  JSON.parse(answer.body)
end`,
  },
  {
    label: 'PHP',
    language: 'php',
    code: `<?php
function call(string $method, string $address, ?array $body = null): array
{
    $credentials = base64_encode(getenv('KEY') . ':' . getenv('PASSWORD'));
    $options = ['method' => $method, 'header' => ["Authorization: Basic $credentials", 'Content-Type: application/json']];
    if ($body !== null) $options['content'] = json_encode($body);
    $answer = file_get_contents(getenv('BASE') . $address, false, stream_context_create(['http' => $options]));
    if ($answer === false) throw new RuntimeException("$method $address failed");
    return json_decode($answer, true);
}`,
  },
]

/** The request in each language; GET requests that change state have no method in the client. */
export function codeSamples(endpoint: Endpoint, values: SampleValues = {}): readonly CodeSample[] {
  const sent = sampleSent(endpoint, values)
  const { method } = endpoint
  const address = addressOf(endpoint, values)
  const call = (body: string) => `"${method}", "${address}"${sent === null ? '' : `, ${body}`}`
  const [shell, client] = [curl(endpoint, address, sent), isGetAction(endpoint) ? [] : [typescript(endpoint, sent, values)]]
  const first = [{ label: 'curl', language: 'sh', code: shell }, ...client.map((code) => ({ label: 'TypeScript', language: 'ts', code }))]
  // The other languages read one document.
  if (endpoint.areLines) return first
  return [
    ...first,
    { label: 'Python', language: 'python', code: `print(call(${call(literal(sent, python))}))` },
    { label: 'Ruby', language: 'ruby', code: `puts call(${call(literal(sent, ruby))})` },
    { label: 'PHP', language: 'php', code: `print_r(call(${call(literal(sent, php)).replaceAll('"', "'")}));` },
  ]
}

/** Fills in the ids of the path by name; the default is 42. */
function addressOf(endpoint: Endpoint, values: SampleValues): string {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? 42))
  const needed = sampleQuery(endpoint, values)
  return `/api/${path}.json${needed === null ? '' : `?${new URLSearchParams(needed)}`}`
}

function curl({ method, access }: Endpoint, address: string, sent: unknown): string {
  const credentials = access === 'report' ? '-u "$KEY:"' : '-u "$KEY:$PASSWORD"'
  const isPlain = method === 'GET' || (method === 'POST' && sent !== null)
  const body = sent === null ? '' : ` \\\n  -H 'Content-Type: application/json' -d '${JSON.stringify(sent).replaceAll("'", "'\\''")}'`
  return `curl ${credentials}${isPlain ? '' : ` -X ${method}`} "$BASE${address}"${body}`
}

function typescript(endpoint: Endpoint, sent: unknown, values: SampleValues): string {
  const ids = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => String(values[name] ?? 42))
  const body = sent === null ? [] : [literal(endpoint.takes !== undefined ? sent : Object.values(sent as object)[0], javascript)]
  const needed = sampleQuery(endpoint, values)
  const query = needed === null ? [] : [literal(typedQuery(endpoint, needed), javascript)]
  const call = `client.${endpoint.id}(${[...ids, ...body, ...query].join(', ')})`
  const content = contentOf(endpoint)
  const isPaged = endpoint.query?.['after'] !== undefined
  if (endpoint.areLines) return `for await (const chunk of (await ${call}).body ?? []) process.stdout.write(chunk)`
  if (content === undefined) return `await ${call}`
  if (isPaged && isList(content.of)) return `for await (const ${content.of.item} of ${call}) console.log(${content.of.item}.id)`
  return `console.log(await ${call})`
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
