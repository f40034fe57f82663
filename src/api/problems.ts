/** Translates every failure for the API into a status and a body in XML or JSON. */

import { xmlDeclaration } from '../fields/to-xml.ts'
import { Failure, type FieldError } from '../lib/failures.ts'
import { escapeAttribute, escapeText, scrub } from '../lib/xml/xml.ts'
import { fieldErrorSentence, fullSentence, problems } from '../resources/problem.ts'

export interface ProblemBody {
  readonly status: number
  readonly contentType: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

interface Asked {
  readonly format: 'xml' | 'json'
  readonly requestId: string
  readonly baseUrl: string
  /** The key of the record in the body, for pointers such as `/user/email`. */
  readonly root?: string
  /** The `Authorization` of the request. */
  readonly authorization?: string | undefined
}

export function problemBody(failure: Failure, asked: Asked): ProblemBody {
  const { status } = problems[failure.code]
  const headers = failure.code === 'unauthorized' ? { ...challengeTo(asked), ...failure.details.headers } : (failure.details.headers ?? {})
  const written =
    asked.format === 'json'
      ? { contentType: 'application/problem+json; charset=utf-8', body: json(failure, asked) }
      : { contentType: 'application/xml; charset=utf-8', body: xml(failure) }
  return { status, headers, ...written }
}

/** An error that is not a Failure is a bug: the client gets the request id and nothing else. */
export function asFailure(error: unknown): Failure {
  return error instanceof Failure ? error : new Failure('internal')
}

const basicChallenge = 'Basic realm="Marquee", charset="UTF-8"'
const bearerChallenge = 'Bearer realm="Marquee", error="invalid_token"'

/** Only who tried Bearer is told of it: old clients get the bytes that they know. */
function challengeTo({ authorization = '' }: Asked): Record<string, string> {
  return { 'www-authenticate': /^bearer /i.test(authorization) ? `${basicChallenge}, ${bearerChallenge}` : basicChallenge }
}

function xml(failure: Failure): string {
  const lines = problemEntries(failure).map(({ code, field, message }) => {
    const named = field === null ? '' : ` field="${escapeAttribute(field)}"`
    return `  <error code="${code}"${named}>${escapeText(message)}</error>\n`
  })
  return `${xmlDeclaration}<errors>\n${lines.join('')}</errors>\n`
}

function json(failure: Failure, { requestId, baseUrl, root }: Asked): string {
  const { status, title } = problems[failure.code]
  const details = problemEntries(failure).map(({ code, field, pointer, message }) => ({
    code,
    ...(field !== null && { field, pointer: pointer ?? pointerTo(root, field) }),
    message,
  }))
  const problem = {
    type: `${baseUrl}/docs/errors#${failure.code}`,
    title,
    status,
    code: failure.code,
    request_id: requestId,
    errors: byField(failure),
    details,
  }
  return stringify(problem)
}

/** A list is its own root: in the body it is directly under its name. */
function pointerTo(root: string | undefined, field: string): string {
  return root === field ? `/${field}` : `/${root}/${field}`
}

export interface ProblemEntry {
  readonly code: string
  readonly field: string | null
  readonly pointer?: string | undefined
  readonly message: string
}

/** One entry per field, or one for the whole request. */
export function problemEntries(failure: Failure): ProblemEntry[] {
  const faults = failure.details.faults
  if (faults === undefined) return [{ code: failure.code, field: null, message: sentence(failure) }]
  return faults.map((fault) => ({ code: fault.code, field: fault.field, pointer: fault.pointer, message: fullSentence(fault) }))
}

/** For the log of requests: what is wrong with which fields or parameters, or what was not found, and never what was sent. */
export function plainSentence({ details: { faults, noun, sentence, isPlain } }: Failure): string | undefined {
  if (isPlain) return sentence
  if (noun !== undefined) return `${noun.charAt(0).toUpperCase()}${noun.slice(1)} not found`
  const named = faults?.filter(({ field, unheld }) => unheld === undefined && /^[a-z_]{1,40}$/.test(field))
  return named === undefined ? undefined : [...new Set(named.slice(0, mostFaults).map(fullSentence))].join('; ')
}

const mostFaults = 5

function byField(failure: Failure): Record<string, string[]> {
  const faults = failure.details.faults
  if (faults === undefined) return { base: [sentence(failure)] }
  const fields = Map.groupBy(faults, ({ field }: FieldError) => field)
  return Object.fromEntries([...fields].map(([field, its]) => [field, its.map(fieldErrorSentence)]))
}

function sentence({ code, details }: Failure): string {
  const noun = details.noun
  if (noun !== undefined) return `${noun.charAt(0).toUpperCase()}${noun.slice(1)} not found`
  return details.sentence ?? problems[code].sentence
}

/** Sentences may quote what a client sent, so their texts are scrubbed too. */
function stringify(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? scrub(part) : part))
}
