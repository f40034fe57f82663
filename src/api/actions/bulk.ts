/** Bulk: many creations and changes in one request, each answered at its index. */

import { readDraft } from '../../fields/read.ts'
import { member, type Node } from '../../lib/body/tree.ts'
import { Failure, type FieldError, invalid, refuse } from '../../lib/failures.ts'
import { textKinds } from '../../lib/text-kinds.ts'
import { workBudget } from '../../lib/work/budget.ts'
import { allOrNone, eachByItself, NotDone, type Verb, type VerbOutcome } from '../../model/core/batch.ts'
import type { PartnerCaller } from '../../model/core/caller.ts'
import { runIdempotently } from '../../model/core/idempotency.ts'
import { carriedOut, type ReadyChange } from '../../model/core/transaction.ts'
import { prepareAccountName, prepareOwnAccount } from '../../model/partners/accounts.ts'
import { prepareBusiness, prepareBusinessName } from '../../model/partners/businesses.ts'
import { prepareAddedSite, prepareSiteChange } from '../../model/partners/sites.ts'
import { prepareUserChange } from '../../model/people/user-changes.ts'
import { prepareUser } from '../../model/people/users.ts'
import { newAccount } from '../../resources/account.ts'
import {
  type BulkKind,
  type BulkResult,
  bulkKinds,
  mostNewPasswords,
  mostOperations,
  type OperationError,
  type OperationResult,
} from '../../resources/bulk.ts'
import { changedBusiness, newBusiness } from '../../resources/business.ts'
import { problems } from '../../resources/problem.ts'
import { changedSite, newSite } from '../../resources/site.ts'
import { changedUser, newUser } from '../../resources/user.ts'
import { PassingResult } from '../act.ts'
import type { Call } from '../endpoint.ts'
import { canonical, reachOf } from '../idempotency.ts'
import type { bulkFlags } from '../parameters.ts'
import { problemEntries } from '../problems.ts'
import { withUnheldFields } from '../unheld-fields.ts'

interface Done {
  readonly id: number
}

interface BulkVerbs {
  create(caller: PartnerCaller, sent: Node, externalId?: string): Promise<ReadyChange<Done>>
  change(caller: PartnerCaller, id: number, sent: Node): Promise<ReadyChange<Done>>
}

const verbs: Record<BulkKind, BulkVerbs> = {
  account: {
    create: (caller, sent, externalId) => prepareOwnAccount(caller, readDraft(newAccount, sent), externalId),
    change: (caller, id, sent) => prepareAccountName(caller, id, readDraft(newAccount, sent)),
  },
  user: {
    create: (caller, sent, externalId) => prepareUser(caller, readDraft(newUser, sent), externalId),
    change: (caller, id, sent) => prepareUserChange(caller, id, readDraft(changedUser, sent)),
  },
  business: {
    create: (caller, sent, externalId) => prepareBusiness(caller, readDraft(newBusiness, sent), externalId),
    change: (caller, id, sent) => prepareBusinessName(caller, id, readDraft(changedBusiness, sent)),
  },
  site: {
    create: (caller, sent, externalId) => prepareAddedSite(caller, readDraft(newSite, sent), externalId),
    change: (caller, id, sent) => prepareSiteChange(caller, id, readDraft(changedSite, sent)),
  },
}

export async function run({ caller, body, query, repeatKey, hasClientGone }: Call<typeof bulkFlags>): Promise<BulkResult> {
  const operations = operationsIn(body)
  const until = performance.now() + workBudget.push.deadlineSeconds * 1000
  const isOver = () => performance.now() >= until || hasClientGone()
  const timely = operations.map((sent) => inTime(operationOf(sent), isOver))
  if (query.atomic) refuseManyPasswords(operations)
  const result = query.atomic
    ? await allOrNone(caller, timely, (outcomes) => kept(resultOf(outcomes, operations)))
    : resultOf(await eachByItself(withoutRepeat(caller), repeatable(timely.map(carriedOut), operations, repeatKey)), operations)
  return kept(result)
}

/** Each operation counts as a write; a list that is refused as a whole counts as one. */
export function countsAs({ body }: Call<typeof bulkFlags>): number {
  const operations = member(body, 'operations')
  const count = operations?.kind === 'list' ? operations.children.length : 1
  return count > mostOperations ? 1 : count
}

/** 200 if all were done, 207 if some were, 422 if none was. */
export function statusOf({ done, refused }: BulkResult): number {
  return refused === 0 ? 200 : done === 0 ? 422 : 207
}

function operationsIn(body: Node): readonly Node[] {
  const operations = member(body, 'operations')
  const fault = (code: FieldError['code']) => invalid([{ field: 'operations', code, limit: mostOperations }])
  if (operations === undefined || operations.kind === 'null') return fault('blank')
  if (operations.kind !== 'list') return fault('invalid')
  return operations.children.length > mostOperations ? fault('too_many') : operations.children
}

/** All passwords are hashed before the one transaction begins: more of them than are hashed in time are not begun. */
function refuseManyPasswords(operations: readonly Node[]): void {
  const count = operations.filter((sent) => sent.kind === 'map' && setsPassword(sent)).length
  if (count > mostNewPasswords) invalid([{ field: 'operations', code: 'too_many', limit: mostNewPasswords }])
}

function setsPassword(sent: Node): boolean {
  const { children } = sent
  const isGiven = (name: string) => children.some((child) => child.name === name && child.kind !== 'null')
  const isUser = children.some(({ name, text }) => name === 'kind' && text === 'user')
  return isUser && (isGiven('password') || !isGiven('id'))
}

/** A fault of an operation refuses only that operation. */
function operationOf(sent: Node): Verb<ReadyChange<Done>> {
  return async (caller) => {
    const { create, change } = verbs[kindOf(sent)]
    const id = idIn(sent)
    return id === undefined ? create(caller, sent, ownIdIn(sent)) : change(caller, id, sent)
  }
}

/** An invalid id becomes 0, which no record has. */
function idIn(sent: Node): number | undefined {
  const given = member(sent, 'id')
  return given === undefined || given.kind === 'null' ? undefined : (textKinds.id.read(given.text) ?? 0)
}

function kindOf(sent: Node): BulkKind {
  if (sent.kind !== 'map') return invalid([{ field: 'operations', code: 'invalid' }])
  const given = member(sent, 'kind')
  if (given === undefined || given.text.trim() === '') return invalid([{ field: 'kind', code: 'blank' }])
  return bulkKinds.find((kind) => kind === given.text) ?? invalid([{ field: 'kind', code: 'inclusion', words: bulkKinds }])
}

const ownName = textKinds.shortText(255)

function ownIdIn(sent: Node): string | undefined {
  const given = member(sent, 'external_id')
  if (given === undefined || given.kind === 'null') return undefined
  const name = given.kind === 'text' || given.kind === 'number' ? ownName.read(given.text) : undefined
  return name ?? invalid([{ field: 'external_id', code: 'invalid' }])
}

/** Refuses operations that would start too late, so that the answer is sent before the connection is cut; or for nobody, because the client has gone. */
function inTime<T>(verb: Verb<T>, isOver: () => boolean): Verb<T> {
  return async (caller) => (isOver() ? refuse('overloaded', 'There was no time left for this operation') : verb(caller))
}

/** Each operation is stored by itself, so that the repetition of an interrupted request does only what is left. */
function repeatable(all: readonly Verb<Done>[], sent: readonly Node[], key: string | undefined): readonly Verb<Done>[] {
  if (key === undefined) return all
  return all.map((verb, index) => async (caller) => {
    // No key that a client can send contains this separator.
    const request = {
      key: `${key}\u001f${index}`,
      operation: 'POST bulk',
      content: JSON.stringify([canonical(sent[index] as Node), ...reachOf(caller)]),
    }
    const answerOf = (result: unknown) => ({ status: 200, headers: {}, body: Buffer.from(String((result as Done).id)) })
    const { answer } = await runIdempotently(caller, request, verb, answerOf)
    return { id: Number(answer.body.toString()) }
  })
}

function withoutRepeat({ repeat: _whole, ...caller }: PartnerCaller): PartnerCaller {
  return caller
}

function resultOf(outcomes: readonly VerbOutcome<Done>[], operations: readonly Node[]): BulkResult {
  const results = outcomes.map((outcome, index) => resultAt(outcome, index, operations[index] as Node))
  const refused = results.filter(({ id }) => id === null).length
  return { received: results.length, done: results.length - refused, refused, results }
}

function resultAt(outcome: VerbOutcome<Done>, index: number, sent: Node): OperationResult {
  if ('value' in outcome) return { index, status: idIn(sent) === undefined ? 201 : 200, id: outcome.value.id, errors: [] }
  if (outcome.error instanceof NotDone) return { index, status: 424, id: null, errors: [undone] }
  const error = withUnheldFields(outcome.error, sent)
  if (!(error instanceof Failure)) throw error
  const errors = problemEntries(error).map(({ code, field, message }) => ({ code, field: field ?? '', message }))
  return { index, status: problems[error.code].status, id: null, errors }
}

const undone: OperationError = { code: 'not_done', field: '', message: 'Nothing was done, because another operation was refused' }

/** A repetition gets the same bytes, unless nothing was done or some operation may succeed next time. */
function kept(result: BulkResult): BulkResult {
  const isPassing = result.results.some(({ status }) => status === 429 || status >= 500)
  const isNothing = result.received > 0 && result.done === 0
  if (isPassing || isNothing) throw new PassingResult(result)
  return result
}
