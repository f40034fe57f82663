/** Keys derived from the server secrets by purpose, so that a value made for one use means nothing in another; each value tells which secret made it. */

import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { memoByObject } from './memo.ts'

/**
 * What the keys are used for, and whether a value is still accepted once its secret is retired. A value is `accepted` only if it grants nobody access.
 * docs/decisions/2026-11-16-secret-rotation.md lists the purposes one by one.
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
  sealed: 'accepted',
  audit: 'accepted',
  erasure: 'accepted',
  demo: 'accepted',
} as const

export type Purpose = keyof typeof purposes

/** A server secret with the number under which the database knows it. */
export interface NumberedSecret {
  readonly id: number
  readonly bytes: Uint8Array
  /** New values are made with this secret from this time on. */
  readonly startsAt: string
}

export interface Keyring {
  readonly current: NumberedSecret
  /** The current secret first, then those that are announced or retiring. */
  readonly inUse: readonly NumberedSecret[]
  readonly retired: readonly NumberedSecret[]
  /** Secrets in the file that the database does not know, because the database was restored from an older backup. */
  readonly unnumbered: readonly Uint8Array[]
}

export interface Secrets {
  /** A new object after each rotation, so that caches can use it as a key. */
  readonly current: NumberedSecret
  /** HMAC-SHA-256 under the current secret, in hex, prefixed by the number of the secret and a dot unless it is the first secret. */
  hmac(purpose: Purpose, data: string | Uint8Array, digits?: number): string
  /** What `hmac` returns under each secret in use, the current one first. */
  hmacsInUse(purpose: Purpose, data: string | Uint8Array, digits?: number): readonly string[]
  /** The hex digits without a prefix, under the secret that was current at that time, retired or not. */
  hmacAt(time: string, purpose: Purpose, data: string | Uint8Array): string
  /** The hex digits without a prefix, under every known secret. */
  hmacsEver(purpose: Purpose, data: string | Uint8Array): readonly string[]
  /** Whether `hmac` made this value from this data, under a secret that is still accepted for the purpose. */
  isHmac(value: string, purpose: Purpose, data: string | Uint8Array, digits?: number): boolean
  /** Whether the secret that made the value is known, retired or not. */
  knows(value: string): boolean
  /** Whether that secret is in use: current, announced or retiring. */
  isInUse(value: string): boolean
  /** Encrypts with AES-256-GCM under the current secret; the result contains everything that `decrypt` needs. */
  encrypt(purpose: Purpose, data: Uint8Array): Buffer
  /** Throws when the data was changed, was encrypted for another purpose, or its secret is no longer accepted. */
  decrypt(purpose: Purpose, data: Uint8Array): Buffer
}

const fullDigits = 64
const firstId = 1
const nonceBytes = 12
const tagBytes = 16

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** The keyring is read at every use, because a rotation replaces it while the process runs. */
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

/** Secrets with a single server secret, for a process that needs no rotation. */
export function secretsFrom(serverSecret: Uint8Array): Secrets {
  const current = { id: firstId, bytes: serverSecret, startsAt: '' }
  const ring = { current, inUse: [current], retired: [], unnumbered: [] }
  return secretsOn(() => ring)
}

/** A value stored in the database to tell secrets apart without storing them. */
export function proofOf(secret: Uint8Array): string {
  return digest(secret, 'check', 'marquee')
}

/** The number of the secret that made a value. Values of the first secret have no prefix, because there was no second when they were made. */
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

const keysOf = memoByObject((_secret: Uint8Array) => new Map<Purpose, KeyObject>())

/** Key objects, because an HMAC whose key is given as bytes takes seven times as long. */
function keyOf(secret: Uint8Array, purpose: Purpose): KeyObject {
  const keys = keysOf(secret)
  const key = keys.get(purpose) ?? createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `marquee:${purpose}`, 32)))
  keys.set(purpose, key)
  return key
}

function encryptWith(key: KeyObject, data: Uint8Array): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const hidden = [cipher.update(data), cipher.final()]
  return Buffer.concat([nonce, ...hidden, cipher.getAuthTag()])
}

/** Tries each key; authenticated encryption fails under a wrong one. */
function firstThatOpens(keys: readonly KeyObject[], data: Uint8Array): Buffer {
  for (const key of keys) {
    try {
      return decryptWith(key, data)
    } catch {
      // Another secret may fit.
    }
  }
  throw new Error('The data was changed, or encrypted under a secret that is not here.')
}

function decryptWith(key: KeyObject, data: Uint8Array): Buffer {
  const end = data.length - tagBytes
  const decipher = createDecipheriv('aes-256-gcm', key, data.subarray(0, nonceBytes), { authTagLength: tagBytes })
  decipher.setAuthTag(data.subarray(end))
  return Buffer.concat([decipher.update(data.subarray(nonceBytes, end)), decipher.final()])
}

/** Random characters 0-9, A-Z, a-z, each worth 5.95 bits; bytes that would make some characters more likely are drawn again. */
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

/** Compares in constant time, so that the duration does not reveal where two texts differ. */
export function sameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
