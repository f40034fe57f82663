/** Hashes people's passwords with Argon2id, a few at a time with a bounded queue; the value that the interface shows of a password cannot be cracked. */

import { type Argon2Parameters, argon2, randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { primary } from '../../lib/processes/primary.ts'
import { shareConcurrency } from '../../lib/processes/shared-limit.ts'
import { type Secrets, sameText } from '../../lib/secrets.ts'
import { workBudget } from '../../lib/work/budget.ts'
import type { QueueCounts } from '../../lib/work/concurrency.ts'
import type { UserPasswordRow } from '../../store/rows/tables.ts'

export interface Passwords {
  /** Returns the verifier to store: a PHC string. */
  hash(password: string, party?: string): Promise<string>
  verify(password: string, verifier: string, party?: string): Promise<boolean>
  /** Takes as long as a real check and fails, so that an unknown user is not answered sooner. */
  verifyNobody(password: string, party?: string): Promise<false>
  /** 40 hex characters that change with the password and reveal nothing without the server secret. */
  projection(userId: number, password: Pick<UserPasswordRow, 'verifier' | 'changed_at'>): string
  readonly pool: QueueCounts
}

interface Cost {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
}

const cost: Cost = { memory: 19_456, passes: 2, parallelism: 1 }
const tagLength = 32
// Hashing shares four threads with file access and compression, so some are left free.
const maxAtOnce = Math.min(workBudget.login.places, availableParallelism())
const { queue: waiting, patienceSeconds, share } = workBudget.login
const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

export function openPasswords(secrets: Secrets, workers = 1): Passwords {
  const inside = Math.max(maxAtOnce, Math.min(workers, availableParallelism()))
  // The pool serves parties in turn, so that a party with many hashes does not delay the others.
  const pool = shareConcurrency(primary, 'hashes', { inside, insidePerParty: share, ranks: { hash: { inside, waiting, patienceSeconds } } })
  const tag = (password: string, salt: Uint8Array, { memory, passes, parallelism }: Cost, party: string) =>
    pool.pass('hash', party, () => digest({ message: password, nonce: salt, memory, passes, parallelism, tagLength }))
  return {
    pool: pool.counts.hash,
    async hash(password, party = '') {
      const salt = randomBytes(16)
      return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${unpadded(salt)}$${unpadded(await tag(password, salt, cost, party))}`
    },
    async verify(password, verifier, party = '') {
      const [, memory, passes, parallelism, salt = '', expected = ''] = phc.exec(verifier) ?? []
      const paid = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
      return sameText(unpadded(await tag(password, Buffer.from(salt, 'base64'), paid, party)), expected)
    },
    async verifyNobody(password, party = '') {
      await tag(password, randomBytes(16), cost, party)
      return false
    },
    // Uses the secret of the day the password was set, so that a rotation does not look like a new password.
    projection: (userId, { verifier, changed_at }) => secrets.hmacAt(changed_at, 'projection', `${userId}:${verifier}`).slice(0, 40),
  }
}

const digest = promisify<Argon2Parameters, Buffer>((parameters, done) => argon2('argon2id', parameters, done))

function unpadded(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '')
}
