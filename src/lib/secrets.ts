/** Keys derived from the server secrets by purpose, so that a value made for one use means nothing in another; each value tells which secret made it. */

import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { memoByObject } from './memo.ts'

/**
 * What the keys are used for, and what becomes of a value once its secret is retired: `refused` like a forged one, or `accepted`,
 * because it only says what was so and lets nobody in. docs/decisions/2026-11-16-secret-rotation.md lists them one by one.
 */
const purposes = {
  check: 'refused',
  lookup: 'refused',
  session: 'refused',
  form: 'refused',
  etag: 'refused',
  confirmation: 'refused',
  projection: 'accepted',
  fingerprint: 'accepted',
  answer: 'accepted',
  audit: 'accepted',
  erasure: 'accepted',
  demo: 'accepted',
} as const

export type Purpose = keyof typeof purposes

/** A server secret with the number under which the database knows it. */
export interface NumberedSecret {
  readonly id: number
  readonly bytes: Uint8Array
  /** From this moment on values are made with it. */
  readonly startsAt: string
}

export interface Keyring {
  readonly current: NumberedSecret
  /** The current one first, then those that are announced or retiring. */
  readonly inUse: readonly NumberedSecret[]
  readonly retired: readonly NumberedSecret[]
  /** Secrets of the file that the database does not know: of a later time than a restored backup. */
  readonly unnumbered: readonly Uint8Array[]
}

export interface Secrets {
  /** Another object after each rotation: what is remembered of a secret can be kept by it. */
  readonly current: NumberedSecret
  /** HMAC-SHA-256 under the current secret, in hex; before it the number of the secret and a dot, unless it is the first. */
  hmac(purpose: Purpose, data: string | Uint8Array, digits?: number): string
  /** What `hmac` gives or gave under each secret in use, the current one first. */
  hmacsInUse(purpose: Purpose, data: string | Uint8Array, digits?: number): readonly string[]
  /** The hex alone, under the secret that was current at a time, retired or not. */
  hmacAt(time: string, purpose: Purpose, data: string | Uint8Array): string
  /** The hex alone, under every secret there is. */
  hmacsEver(purpose: Purpose, data: string | Uint8Array): readonly string[]
  /** Whether `hmac` made this value of this data, under a secret that still counts for the purpose. */
  isHmac(value: string, purpose: Purpose, data: string | Uint8Array, digits?: number): boolean
  /** Whether the secret that made the value is here, retired or not. */
  knows(value: string): boolean
  /** Whether that secret is in use: current, announced or retiring. */
  isInUse(value: string): boolean
  /** Encrypts with AES-256-GCM under the current secret; what comes out holds all that `decrypt` needs. */
  encrypt(purpose: Purpose, data: Uint8Array): Buffer
  /** Throws when the data was changed, or encrypted under a secret that does not count or for another purpose. */
  decrypt(purpose: Purpose, data: Uint8Array): Buffer
}

const fullDigits = 64
const firstId = 1
const nonceBytes = 12
const tagBytes = 16

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** The ring is asked for at every use, because a rotation replaces it while the process runs. */
export function secretsOn(ring: () => Keyring): Secrets {
  const counting = (purpose: Purpose) => (purposes[purpose] === 'refused' ? ring().inUse : everyNumbered(ring()))
  return {
    get current() {
      return ring().current
    },
    hmac: (purpose, data, digits) => taggedHmac(ring().current, purpose, data, digits),
    hmacsInUse: (purpose, data, digits) => ring().inUse.map((secret) => taggedHmac(secret, purpose, data, digits)),
    hmacAt: (time, purpose, data) => digest(currentAt(ring(), time).bytes, purpose, data),
    hmacsEver(purpose, data) {
      const known = everyNumbered(ring()).map(({ bytes }) => bytes)
      return [...known, ...ring().unnumbered].map((bytes) => digest(bytes, purpose, data))
    },
    isHmac(value, purpose, data, digits) {
      const maker = counting(purpose).find(({ id }) => id === numberOf(value))
      return maker !== undefined && sameText(value, taggedHmac(maker, purpose, data, digits))
    },
    knows: (value) => everyNumbered(ring()).some(({ id }) => id === numberOf(value)),
    isInUse: (value) => ring().inUse.some(({ id }) => id === numberOf(value)),
    encrypt: (purpose, data) => encryptWith(keyOf(ring().current.bytes, purpose), data),
    decrypt: (purpose, data) =>
      firstThatOpens(
        counting(purpose).map(({ bytes }) => keyOf(bytes, purpose)),
        data,
      ),
  }
}

/** One secret and no other: for a process that needs no rotation. */
export function secretsFrom(serverSecret: Uint8Array): Secrets {
  const current = { id: firstId, bytes: serverSecret, startsAt: '' }
  const ring = { current, inUse: [current], retired: [], unnumbered: [] }
  return secretsOn(() => ring)
}

/** Shown to the database to tell secrets apart. */
export function proofOf(secret: Uint8Array): string {
  return digest(secret, 'check', 'marquee')
}

/** The number of the secret that made a value; values of the first carry none, because there was no second when they were made. */
export function numberOf(value: string): number {
  const [, number] = /^(\d{1,9})\./.exec(value) ?? []
  return number === undefined ? firstId : Number(number)
}

export function hexOf(value: string): string {
  return value.slice(value.indexOf('.') + 1)
}

function taggedHmac({ id, bytes }: NumberedSecret, purpose: Purpose, data: string | Uint8Array, digits = fullDigits): string {
  const hex = digest(bytes, purpose, data).slice(0, digits)
  return id === firstId ? hex : `${id}.${hex}`
}

function everyNumbered({ inUse, retired }: Keyring): readonly NumberedSecret[] {
  return [...inUse, ...retired]
}

function currentAt(ring: Keyring, time: string): NumberedSecret {
  const known = inOrder(ring)
  return known.findLast(({ startsAt }) => startsAt <= time) ?? known[0] ?? ring.current
}

const inOrder = memoByObject((ring: Keyring) => everyNumbered(ring).toSorted((a, b) => a.id - b.id))

function digest(secret: Uint8Array, purpose: Purpose, data: string | Uint8Array): string {
  return createHmac('sha256', keyOf(secret, purpose)).update(data).digest('hex')
}

const keysOf = memoByObject((_secret: Uint8Array) => new Map<Purpose, Uint8Array>())

function keyOf(secret: Uint8Array, purpose: Purpose): Uint8Array {
  const keys = keysOf(secret)
  const key = keys.get(purpose) ?? new Uint8Array(hkdfSync('sha256', secret, '', `marquee:${purpose}`, 32))
  keys.set(purpose, key)
  return key
}

function encryptWith(key: Uint8Array, data: Uint8Array): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const hidden = [cipher.update(data), cipher.final()]
  return Buffer.concat([nonce, ...hidden, cipher.getAuthTag()])
}

/** The cipher itself tells whether a key fits. */
function firstThatOpens(keys: readonly Uint8Array[], data: Uint8Array): Buffer {
  for (const key of keys) {
    try {
      return decryptWith(key, data)
    } catch {
      // The next secret may be the one.
    }
  }
  throw new Error('The data was changed, or encrypted under a secret that is not here.')
}

function decryptWith(key: Uint8Array, data: Uint8Array): Buffer {
  const end = data.length - tagBytes
  const decipher = createDecipheriv('aes-256-gcm', key, data.subarray(0, nonceBytes), { authTagLength: tagBytes })
  decipher.setAuthTag(data.subarray(end))
  return Buffer.concat([decipher.update(data.subarray(nonceBytes, end)), decipher.final()])
}

/** Random characters 0-9, A-Z, a-z, each worth 5.95 bits; bytes that would favour some characters are drawn again. */
export function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) if (byte < 248 && text.length < length) text += alphabet[byte % 62]
  }
  return text
}

export function toBase62(bytes: Uint8Array, length: number): string {
  let rest = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
  let text = ''
  for (; text.length < length; rest /= 62n) text = alphabet[Number(rest % 62n)] + text
  return text
}

/** Equality in a time that does not tell where two texts differ. */
export function sameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
