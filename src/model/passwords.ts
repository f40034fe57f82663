/** People's passwords: Argon2id, a few at a time, with a queue that ends; what the interface shows of them cannot be cracked. */

import { type Argon2Parameters, argon2, randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { refuse } from '../lib/failures.ts'
import { type Secrets, sameText } from '../lib/secrets.ts'

export interface Passwords {
  /** The verifier to store: a PHC string. */
  hash(password: string): Promise<string>
  verify(password: string, verifier: string): Promise<boolean>
  /** Costs what a real check costs and fails: an unknown user must not answer sooner. */
  verifyNobody(password: string): Promise<false>
  /** 40 hex characters that change with the password and mean nothing without the server secret. */
  projection(userId: number, verifier: string): string
}

interface Cost {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
}

const cost: Cost = { memory: 19_456, passes: 2, parallelism: 1 }
const tagLength = 32
// Hashing shares four threads with file access and compression: leave them some.
const maxAtOnce = Math.min(2, availableParallelism())
const maxWaiting = 64
const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

export function openPasswords(secrets: Secrets): Passwords {
  const inTurn = turnstile()
  const tag = (password: string, salt: Uint8Array, { memory, passes, parallelism }: Cost) =>
    inTurn(() => digest({ message: password, nonce: salt, memory, passes, parallelism, tagLength }))
  const verifyAgainst = async (password: string, salt: Uint8Array, paid: Cost, expected: string) =>
    sameText(unpadded(await tag(password, salt, paid)), expected)
  return {
    async hash(password) {
      const salt = randomBytes(16)
      return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${unpadded(salt)}$${unpadded(await tag(password, salt, cost))}`
    },
    async verify(password, verifier) {
      const [, memory, passes, parallelism, salt = '', expected = ''] = phc.exec(verifier) ?? []
      const paid = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
      return verifyAgainst(password, Buffer.from(salt, 'base64'), paid, expected)
    },
    async verifyNobody(password) {
      await tag(password, randomBytes(16), cost)
      return false
    },
    projection: (userId, verifier) => secrets.hmac('projection', `${userId}:${verifier}`).slice(0, 40),
  }
}

const digest = promisify<Argon2Parameters, Buffer>((parameters, done) => argon2('argon2id', parameters, done))

function unpadded(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '')
}

/** Lets `maxAtOnce` in, has `maxWaiting` wait, and turns the rest away. */
function turnstile(): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let inside = 0
  return async (work) => {
    if (inside === maxAtOnce) {
      if (waiting.length >= maxWaiting) refuse('overloaded', 'Too many passwords are being checked', { 'Retry-After': '2' })
      await new Promise<void>((enter) => waiting.push(enter))
    } else {
      inside += 1
    }
    try {
      return await work()
    } finally {
      // Whoever waits longest takes over the place.
      const next = waiting.shift()
      if (next === undefined) inside -= 1
      else next()
    }
  }
}
