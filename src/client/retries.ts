/** When a request is retried, and how long the client waits before that. */

import { retryAfterSeconds } from './errors.ts'

export interface RetryRules {
  /** How often a request is sent again after the first time. */
  readonly retries: number
  /** The longest wait: a longer `Retry-After` ends the call with the error. */
  readonly maxDelaySeconds: number
}

const passing: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504])
const firstDelaySeconds = 0.25

/**
 * The seconds to wait before the next attempt; null if the answer is final. Every request of this client may be repeated: it reads, it only tries something
 * out, it has an Idempotency-Key, or it pushes records, which are known by their own keys.
 */
export function secondsBeforeRetry(attempt: number, answer: Response | null, { retries, maxDelaySeconds }: RetryRules): number | null {
  if (attempt >= retries || (answer !== null && !mayPass(answer))) return null
  const told = answer === null ? null : retryAfterSeconds(answer)
  if (told === null) return Math.min(maxDelaySeconds, jittered(firstDelaySeconds * 2 ** attempt))
  return told <= maxDelaySeconds ? told : null
}

/** 409 with `Retry-After` means that the first request with the same Idempotency-Key is still running. */
function mayPass({ status, headers }: Response): boolean {
  return passing.has(status) || (status === 409 && headers.has('retry-after'))
}

/** Random between half and all of it, so that clients that failed together do not retry together. */
function jittered(seconds: number): number {
  return seconds * (0.5 + Math.random() / 2)
}

/** Rejects as soon as the caller aborts. */
export function wait(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const timer = setTimeout(finish, seconds * 1000)
    signal?.addEventListener('abort', abandon, { once: true })
    function finish(): void {
      signal?.removeEventListener('abort', abandon)
      resolve()
    }
    function abandon(): void {
      clearTimeout(timer)
      reject(signal?.reason)
    }
  })
}
