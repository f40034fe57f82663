/** Failures that the code states by a code such as `not_found`; resources/problem.ts has the sentence and the status for each code. */

export type FieldErrorCode =
  | 'blank'
  | 'not_an_integer'
  | 'too_short'
  | 'too_long'
  | 'invalid'
  | 'inclusion'
  | 'taken'
  | 'does_not_exist'
  | 'too_many'
  | 'not_one_line'

/** One broken rule on one field of a request; `pointer` tells which field when its name alone does not. */
export interface FieldError {
  readonly field: string
  readonly code: FieldErrorCode
  readonly limit?: number
  /** The least and the greatest number. */
  readonly range?: readonly [number, number]
  /** The allowed values. */
  readonly words?: readonly string[]
  /** The character that the database cannot hold. */
  readonly unheld?: string
  readonly pointer?: string
}

export type FailureCode =
  | 'validation_failed'
  | 'malformed_body'
  | 'bad_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'not_acceptable'
  | 'conflict'
  | 'gone'
  | 'precondition_failed'
  | 'too_large'
  | 'unsupported_media_type'
  | 'expectation_failed'
  | 'misdirected'
  | 'idempotency_mismatch'
  | 'too_many_requests'
  | 'overloaded'
  | 'unavailable'
  | 'internal'

interface Details {
  /** What was looked for and not found, e.g. `business`. */
  readonly noun?: string
  /** A sentence that is more specific than the code's own. */
  readonly sentence?: string
  /** Whether the sentence names nothing that was sent or is stored, but what the API itself is made of, so that a log may keep it. */
  readonly isPlain?: true
  readonly faults?: readonly FieldError[]
  /** A character that the database cannot hold; the doors name the fields that have it. */
  readonly unheld?: string
  /** For the log only, never part of an answer. */
  readonly logged?: LoggedReason
  /** Headers the answer must carry: `Allow`, `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Why a request was refused, and whose key it came with, as far as that is known. */
export interface LoggedReason {
  readonly reason: string
  readonly key?: string
  readonly partner_id?: number
}

export class Failure extends Error {
  readonly code: FailureCode
  readonly details: Details

  constructor(code: FailureCode, details: Details = {}) {
    super(details.sentence ?? code)
    this.code = code
    this.details = details
  }
}

export function notFound(noun: string): never {
  throw new Failure('not_found', { noun })
}

/** Whether the failure says that the name is already taken. */
export function saysTaken(error: unknown): boolean {
  return error instanceof Failure && (error.details.faults ?? []).some(({ code }) => code === 'taken')
}

/** For a database in another encoding than UTF-8. */
export function unheldFailure(character: string): Failure {
  return new Failure('validation_failed', {
    sentence: `The database cannot hold the character ${shownCharacter(character)}`,
    unheld: character,
  })
}

/** `日 (U+65E5)`; of a control character the number alone. */
export function shownCharacter(character: string): string {
  const number = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
  return /\p{Cc}/u.test(character) ? number : `${character} (${number})`
}

/** Undefined for any other error. */
export function unheldCharacter(error: unknown): string | undefined {
  return error instanceof Failure ? error.details.unheld : undefined
}

export function invalid(faults: readonly FieldError[]): never {
  throw new Failure('validation_failed', { faults })
}

/** With a sentence that names nothing that was sent or is stored. */
export function refusePlainly(code: FailureCode, sentence: string): never {
  throw new Failure(code, { sentence, isPlain: true })
}

export function refuse(code: FailureCode, sentence?: string, headers?: Record<string, string>): never {
  throw new Failure(code, { ...(sentence !== undefined && { sentence }), ...(headers && { headers }) })
}
