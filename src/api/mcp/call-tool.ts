/** Calls a tool: turns its arguments into a request to the API and the answer into the result. A write needs a dry run first. */

import type { Exchange } from '../../http/exchange.ts'
import { nearest } from '../../lib/nearest-name.ts'
import type { PartnerCaller } from '../../model/core/caller.ts'
import { isRepeatable } from '../idempotency.ts'
import { confirmationOf, confirms } from './confirmation.ts'
import type { AskInside, InnerAnswer, InnerRequest } from './in-process.ts'
import { usualLimits } from './listed.ts'
import type { Tool } from './tool.ts'
import { findTool } from './tools.ts'

/** The result as the protocol defines it; a type and not an interface, because the library needs an index signature. */
export type ToolResult = { content: { type: 'text'; text: string }[]; structuredContent?: Record<string, unknown>; isError?: boolean }

type Arguments = Readonly<Record<string, unknown>>

/** The context of a call: the caller, its request, and the function that calls the API. */
export interface ToolCaller {
  readonly caller: PartnerCaller
  readonly exchange: Exchange
  readonly ask: AskInside
}

export async function callTool(by: ToolCaller, name: string, given: Arguments = {}): Promise<ToolResult> {
  const tool = findTool(by.caller.scopes, name)
  if (tool === undefined) return failed(`There is no tool ${name.slice(0, 100)} for this key.`)
  const fault = faultIn(tool, given) ?? unconfirmed(by.caller, tool, given)
  if (fault !== null) return failed(fault)
  const answer = await by.ask(requestOf(by, tool, given), by.exchange)
  return resultOf(by.caller, tool, given, answer)
}

/** Checks only the names, and whether a value can be part of a URL; the API itself checks the values. */
function faultIn(tool: Tool, given: Arguments): string | null {
  const known = Object.keys(tool.description.inputSchema['properties'] as object)
  const strange = Object.keys(given).find((name) => !known.includes(name))
  if (strange !== undefined) return unknownArgument(strange, known)
  const missing = tool.inPath.find((name) => given[name] === undefined)
  if (missing !== undefined) return `The argument ${missing} is missing.`
  const wrong = [...tool.inPath, ...tool.inQuery].find((name) => typeof given[name] === 'object')
  return wrong === undefined ? null : `The argument ${wrong} must be text, a number, true or false.`
}

function unknownArgument(name: string, known: readonly string[]): string {
  const meant = nearest(name, known)
  return `There is no argument ${name.slice(0, 60)}; ${meant === undefined ? `this tool takes ${known.join(', ')}` : `did you mean ${meant}?`}`
}

/** Why a write may not be done yet; null if it may. */
function unconfirmed(caller: PartnerCaller, tool: Tool, given: Arguments): string | null {
  if (!tool.endpoint.changes || isDryRun(given) || caller.mayWriteDirectly) return null
  if (confirms(caller, tool.name, bare(given), given['confirm'])) return null
  return given['confirm'] === undefined
    ? 'This tool changes something. Call it with dry_run: true first, look at what it answers, then call it again with the value for confirm.'
    : 'This confirm is of other arguments or more than ten minutes old. Call the tool with dry_run: true again.'
}

function isDryRun({ dry_run }: Arguments): boolean {
  return dry_run === true || dry_run === 'true' || dry_run === 1
}

/** The arguments without `dry_run` and `confirm`. */
function bare({ dry_run: _how, confirm: _by, ...asked }: Arguments): Arguments {
  return asked
}

function requestOf({ exchange, caller }: ToolCaller, tool: Tool, given: Arguments): InnerRequest {
  const { endpoint, inBody } = tool
  const sent = inBody === null ? undefined : given[inBody.name]
  const body = inBody?.isWrapped ? { [inBody.name]: sent } : sent
  return {
    method: endpoint.method,
    address: addressOf(tool, given),
    headers: {
      authorization: exchange.request.headers.authorization ?? '',
      ...(inBody !== null && { 'content-type': inBody.isText ? 'application/octet-stream' : 'application/json' }),
      ...(isRepeatable(endpoint) && !isDryRun(given) && !caller.mayWriteDirectly && { 'idempotency-key': `mcp-${given['confirm']}` }),
    },
    ...(inBody !== null && { body: inBody.isText ? String(body ?? '') : JSON.stringify(body ?? null) }),
  }
}

function addressOf({ name: tool, endpoint, inQuery }: Tool, asked: Arguments): string {
  const given: Arguments = tool in usualLimits ? { limit: usualLimits[tool], ...asked } : asked
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(given[name])))
  const query = inQuery.filter((name) => given[name] !== undefined && given[name] !== null)
  const search = new URLSearchParams(query.map((name): [string, string] => [name, String(given[name])]))
  return `/api/${path}.json${query.length === 0 ? '' : `?${search}`}`
}

function resultOf(caller: PartnerCaller, tool: Tool, given: Arguments, { status, headers, text }: InnerAnswer): ToolResult {
  if (text === null) return failed('The answer is too large for a tool. Ask for less: fewer accounts or sites, or fewer days.')
  if (status >= 400) return { ...said(text), isError: true }
  const next = /[?&]after=([^&>]+)/.exec(String(headers['link'] ?? ''))?.[1]
  return withStructure(
    text,
    ...(next === undefined ? [] : [`The list goes on: call again with after: ${JSON.stringify(decodeURIComponent(next))}`]),
    ...(isDryRun(given) && tool.endpoint.changes
      ? [headers['retry-after'] === undefined ? afterDryRun(caller, tool, given) : unfinished]
      : []),
  )
}

/** The answer twice, as the protocol wants it: for those who read data, and for those who only read text. */
function withStructure(text: string, ...more: readonly string[]): ToolResult {
  const structured: unknown = JSON.parse(text)
  return { ...said(text, ...more), structuredContent: structured as Record<string, unknown> }
}

const unfinished = 'Nothing was changed. What it would do is still being worked out: call again with the same arguments and dry_run: true.'

function afterDryRun(caller: PartnerCaller, tool: Tool, given: Arguments): string {
  const confirm = caller.mayWriteDirectly ? '' : ` and with confirm: "${confirmationOf(caller, tool.name, bare(given))}"`
  return `Nothing was changed. To do it, call again with the same arguments, without dry_run${confirm}.`
}

function said(...texts: readonly string[]): ToolResult {
  return { content: texts.map((text) => ({ type: 'text', text })) }
}

function failed(sentence: string): ToolResult {
  return { ...said(sentence), isError: true }
}
