/** Reads a small form sent as `multipart/form-data`, as browsers and some HTTP libraries do: fields only, no files. */

import { refuse } from '../failures.ts'
import { decodeBody } from './body-text.ts'
import { formOf } from './form-reader.ts'
import type { BodyLimits, Node } from './tree.ts'

/** RFC 2046 allows up to 70 of these characters. */
const boundaryIn = /;\s*boundary=(?:"([\w'()+,./:=? -]{1,70})"|([\w'()+,./:=?-]{1,70}))\s*(?:;|$)/i

export async function readMultipart(bytes: Uint8Array, limits: BodyLimits, contentType: string): Promise<Node> {
  const [, quoted, bare] = boundaryIn.exec(contentType) ?? []
  const boundary = quoted ?? bare ?? refuse('malformed_body', 'The multipart form names no boundary.')
  const [preamble, ...parts] = `\r\n${decodeBody(bytes)}`.split(`\r\n--${boundary}`)
  const isWhole = preamble !== undefined && /^--\s*$/.test(parts.at(-1) ?? '')
  if (!isWhole) refuse('malformed_body', 'The multipart form does not end with its boundary.')
  return formOf(parts.slice(0, -1), fieldIn, limits)
}

function fieldIn(part: string): [name: string, text: string] {
  const end = part.indexOf('\r\n\r\n')
  if (!/^[ \t]*\r\n/.test(part) || end === -1) refuse('malformed_body', 'A part of the multipart form has no head.')
  const disposition = /^content-disposition:(.*)$/im.exec(part.slice(0, end))?.[1] ?? ''
  if (/;\s*filename\*?=/i.test(disposition)) refuse('unsupported_media_type', 'The multipart form holds a file; fields only are taken')
  const [, name] = /;\s*name="((?:[^"\\\r\n]|\\.)*)"/i.exec(disposition) ?? []
  if (name === undefined) refuse('malformed_body', 'A part of the multipart form has no name.')
  return [name.replace(/\\(.)/g, '$1'), part.slice(end + 4)]
}
