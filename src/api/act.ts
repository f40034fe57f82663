/** Runs the action of a record endpoint once and sends its result; a dry run gets the same answer and changes nothing. */

import type { Exchange } from '../http/exchange.ts'
import { send } from '../http/send.ts'
import type { PartnerCaller } from '../model/core/caller.ts'
import { type KeptAnswer, runIdempotently } from '../model/core/idempotency.ts'
import type { Call, RecordEndpoint } from './endpoint.ts'
import { mediaTypes } from './format.ts'
import { repeatable } from './idempotency.ts'

/** Thrown with a result that is sent but not stored for a repetition, because a repetition may succeed. */
export class PassingResult extends Error {
  readonly result: unknown

  constructor(result: unknown) {
    super('This result is not kept.')
    this.result = result
  }
}

export async function act(endpoint: RecordEndpoint<unknown>, call: Call, exchange: Exchange): Promise<void> {
  if (call.format === 'csv' && endpoint.table !== undefined) return endpoint.table(call, exchange)
  try {
    await actOnce(endpoint, call, exchange)
  } catch (error) {
    if (!(error instanceof PassingResult)) throw error
    sendAnswer(exchange, written(endpoint, call, error.result))
  }
}

async function actOnce(endpoint: RecordEndpoint<unknown>, call: Call, exchange: Exchange): Promise<void> {
  if (endpoint.takesDryRun && call.query['dry_run'] === true) return tryOut(endpoint, call, exchange)
  const asked = repeatable(endpoint, call, exchange.request)
  if (asked === null) return sendAnswer(exchange, written(endpoint, call, await endpoint.act(call)))
  const answerOf = (result: unknown): KeptAnswer => kept(written(endpoint, call, result))
  const doing = (caller: PartnerCaller) => endpoint.act({ ...call, caller, repeatKey: asked.key })
  const { answer, isReplay } = await runIdempotently(call.caller, asked, doing, answerOf)
  sendAnswer(exchange, { ...answer, headers: { ...answer.headers, 'idempotency-replayed': String(isReplay) } })
}

/** Answers as if it had been done, but stores nothing for a repetition and sends no Location header, because no record was created. */
async function tryOut(endpoint: RecordEndpoint<unknown>, call: Call, exchange: Exchange): Promise<void> {
  const { act: tried, answer } = endpoint.preview ?? endpoint
  const result = await tried({ ...call, caller: { ...call.caller, isDryRun: true } })
  const { status, headers, body } = written({ answer }, call, result)
  const { location: _none, ...rest } = headers
  sendAnswer(exchange, { status, headers: { ...rest, 'dry-run': 'true' }, body })
}

interface Written extends Omit<KeptAnswer, 'body'> {
  /** Text if possible, because Node sends text in one packet with the head. */
  readonly body: string | Buffer
}

function written({ answer }: Pick<RecordEndpoint<unknown>, 'answer'>, call: Call, result: unknown): Written {
  const headers = { ...answerHeaders[call.format], ...answer.headers?.(result, call) }
  const write = (call.isBrief && answer.writeBrief) || answer.write
  return { status: answer.statusOf?.(result) ?? answer.status, headers, body: write(result, call.format) }
}

function kept(answer: Written): KeptAnswer {
  return { ...answer, body: Buffer.from(answer.body) }
}

function sendAnswer(exchange: Exchange, { status, headers, body }: Written): void {
  send(exchange, status, headers, body)
}

const answerHeaders = {
  xml: { 'content-type': mediaTypes.xml, 'cache-control': 'no-store', vary: 'Accept, Authorization' },
  json: { 'content-type': mediaTypes.json, 'cache-control': 'no-store', vary: 'Accept, Authorization' },
  csv: { 'content-type': mediaTypes.csv, 'cache-control': 'no-store', vary: 'Accept, Authorization' },
} as const
