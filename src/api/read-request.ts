/** From the bytes of a body to its record: XML, JSON or a form, with or without its root. */

import type { IncomingMessage } from 'node:http'
import { isList, xmlFieldName } from '../fields/shape.ts'
import { readBody } from '../http/body.ts'
import { readForm } from '../lib/body/form-reader.ts'
import { readJson } from '../lib/body/json-reader.ts'
import { readMultipart } from '../lib/body/multipart-reader.ts'
import { type BodyLimits, branch, member, type Node } from '../lib/body/tree.ts'
import { readXml } from '../lib/body/xml-reader.ts'
import { refuse } from '../lib/failures.ts'
import { endOfSlice } from '../lib/work/slices.ts'
import type { BodyRules } from './endpoint.ts'

const maxDepth = 8

export const emptyBody: Node = branch('', 'map', [])

export interface ReadBody {
  readonly record: Node
  readonly isJson: boolean
}

export async function readRequest(request: IncomingMessage, rules: BodyRules): Promise<ReadBody> {
  const bytes = await readBody(request, rules.maxBytes)
  // Bodies that arrive together are not all read in one turn.
  await endOfSlice()
  const language = languageOf(request, bytes)
  const isEmpty = firstByte(bytes) === undefined
  const record = isEmpty ? emptyBody : recordIn(language, await treeOf(language, bytes, request, rules), rules)
  // Checking the entries of a long list is a piece of work of its own.
  await endOfSlice()
  return { record, isJson: language === 'json' }
}

type Language = 'xml' | 'json' | 'form' | 'multipart'

type BodyReader = (bytes: Uint8Array, limits: BodyLimits, contentType: string) => Promise<Node>

const languages: Record<Language, BodyReader> = {
  xml: readXml,
  json: readJson,
  form: readForm,
  multipart: readMultipart,
}

const mediaTypes: readonly (readonly [RegExp, Language])[] = [
  [/^(?:application|text)\/xml$|^application\/x-xml$|^[a-z]+\/[\w.-]+\+xml$/, 'xml'],
  [/^application\/json$|^text\/x-json$|^[a-z]+\/[\w.-]+\+json$/, 'json'],
  [/^application\/x-www-form-urlencoded$|^$/, 'form'],
  [/^multipart\/form-data$/, 'multipart'],
]

function treeOf(language: Language, bytes: Buffer, { headers }: IncomingMessage, { maxElements }: BodyRules): Promise<Node> {
  return languages[language](bytes, { depth: maxDepth, elements: maxElements }, headers['content-type'] ?? '')
}

/** The oldest clients post XML with HTTP libraries that label it as a form, or not at all, so a form may be anything. */
function languageOf(request: IncomingMessage, bytes: Buffer): Language {
  const encoding = request.headers['content-encoding'] ?? 'identity'
  if (encoding.toLowerCase() !== 'identity')
    refuse('unsupported_media_type', `The body is compressed with ${encoding.slice(0, 100)}; this address takes bodies as they are`)
  const type = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const named = mediaTypes.find(([pattern]) => pattern.test(type))?.[1]
  if (named !== undefined) return named === 'form' ? sniffed(bytes) : named
  return bytes.length === 0 ? 'form' : refuseType(type)
}

function refuseType(type: string): never {
  const taken = 'application/xml, application/json, application/x-www-form-urlencoded or multipart/form-data'
  return refuse('unsupported_media_type', `The body is ${type.slice(0, 100)}; this address takes ${taken}`)
}

function sniffed(bytes: Buffer): Language {
  const first = firstByte(bytes)
  return first === '<' ? 'xml' : first === '{' ? 'json' : 'form'
}

/** The first character that is neither white space nor a byte order mark. */
function firstByte(bytes: Buffer): string | undefined {
  return /[^ \t\r\n]/.exec(bytes.toString('latin1').replace(/^\xef\xbb\xbf/, ''))?.[0]
}

function recordIn(language: Language, tree: Node, rules: BodyRules): Node {
  return language === 'xml' ? underXmlRoot(tree, rules.root) : underKey(tree, rules)
}

/** `<abilities type="array">` is the list itself; it is put under its own name, as in JSON. */
function underXmlRoot(tree: Node, root: string): Node {
  if (tree.name !== root) refuse('malformed_body', `The root element must be <${xmlFieldName(root)}>`)
  if (tree.kind === 'list') return branch('', 'map', [tree])
  return tree.kind === 'map' ? tree : emptyBody
}

/** A record may be under its root or not; a list must be named. */
function underKey(tree: Node, { root, of }: BodyRules): Node {
  if (tree.kind !== 'map') refuse('malformed_body', `The body must be an object${isList(of) ? ` that holds a list under "${root}"` : ''}`)
  const wrapped = isList(of) ? undefined : member(tree, root)
  return wrapped?.kind === 'map' ? wrapped : tree
}
