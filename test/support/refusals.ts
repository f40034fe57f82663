/** What every refusal of the API looks like, in either format. */
import assert from 'node:assert/strict'
import { baseUrl, type Client, type Question, type Reply } from './service.ts'
import { xmlTexts } from './xml.ts'

export interface Detail {
  readonly code: string
  readonly field?: string
  readonly pointer?: string
  readonly message: string
}

interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly code: string
  readonly request_id: string
  readonly errors: Readonly<Record<string, readonly string[]>>
  readonly details: readonly Detail[]
}

/** The entries of an error body, after its shape has been checked. */
export function refusal(reply: Reply, status: number): readonly Detail[] {
  assert.equal(reply.status, status, reply.text)
  assert.match(reply.headers['x-request-id'] as string, /^[0-9a-f-]{36}$/)
  assert.equal(reply.headers['cache-control'], 'no-store')
  assert.doesNotMatch(reply.text, /\bat .*\.ts:\d|select |insert |node_modules/)
  return reply.headers['content-type'] === 'application/xml; charset=utf-8' ? fromXml(reply) : fromJson(reply)
}

export function codes(reply: Reply, status: number): string[] {
  return refusal(reply, status).map(({ code, field }) => (field === undefined ? code : `${field} ${code}`))
}

/** Asks with both extensions: both formats refuse alike, with the same sentences. */
export async function refusedInBoth(
  client: Client,
  method: string,
  path: string,
  status: number,
  expected: string[],
  question: Question = {},
): Promise<Reply> {
  const [file = '', query] = path.split('?')
  const search = query === undefined ? '' : `?${query}`
  const replies = [await client.ask(method, `${file}.xml${search}`, question), await client.ask(method, `${file}.json${search}`, question)]
  for (const reply of replies) assert.deepEqual(codes(reply, status), expected, reply.text)
  const [inXml, inJson] = replies.map((reply) => refusal(reply, status).map(({ message }) => message))
  assert.deepEqual(inXml, inJson)
  return replies[0] as Reply
}

function fromXml({ text }: Reply): Detail[] {
  assert.match(
    text,
    /^<\?xml version="1.0" encoding="UTF-8"\?>\n<errors>\n( {2}<error code="[a-z_]+"( field="[a-z_]+")?>[^<]+<\/error>\n)+<\/errors>\n$/,
  )
  const [messages, errors] = [xmlTexts(text, '/errors/error'), text.matchAll(/<error code="([a-z_]+)"(?: field="([a-z_]+)")?>/g)]
  return [...errors].map(([, code = '', field], index) => ({ code, ...(field !== undefined && { field }), message: messages[index] ?? '' }))
}

function fromJson({ status, headers, json }: Reply): readonly Detail[] {
  assert.equal(headers['content-type'], 'application/problem+json; charset=utf-8')
  const problem = json() as Problem
  assert.deepEqual(Object.keys(problem), ['type', 'title', 'status', 'code', 'request_id', 'errors', 'details'])
  assert.equal(problem.status, status)
  assert.equal(problem.request_id, headers['x-request-id'])
  assert.equal(problem.type, `${baseUrl}/docs/errors#${problem.code}`)
  assert.deepEqual(Object.values(problem.errors).flat().length, problem.details.length)
  for (const { field, pointer } of problem.details) {
    if (field !== undefined) assert.ok(field in problem.errors && pointer?.startsWith('/'))
  }
  return problem.details
}
