/** Failures as plain data, as one thread tells them to another. */

import { Failure } from './failures.ts'

export type SentFailure = Pick<Failure, 'code' | 'details'> | { readonly code: null; readonly stack: string }

export function sentFailure(error: unknown): SentFailure {
  if (error instanceof Failure) return { code: error.code, details: error.details }
  return { code: null, stack: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}

/** `what` failed is said where the failure itself has no words for the one who asked. */
export function failureOf(failure: SentFailure, what: string): Error {
  if (failure.code !== null) return new Failure(failure.code, failure.details)
  const error = new Error(what)
  error.stack = failure.stack
  return error
}
