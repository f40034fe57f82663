/** Keys derived from the one server secret by purpose, so that a value made for one use means nothing in another. */

import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

export type Purpose =
  | 'check'
  | 'lookup'
  | 'projection'
  | 'fingerprint'
  | 'etag'
  | 'cursor'
  | 'session'
  | 'form'
  | 'audit'
  | 'erasure'
  | 'demo'
  | 'answer'

export interface Secrets {
  /** HMAC-SHA-256 under the key of this purpose, in hex. */
  hmac(purpose: Purpose, data: string | Uint8Array): string
  /** Encrypts with AES-256-GCM under the key of this purpose; what comes out holds all that `decrypt` needs. */
  encrypt(purpose: Purpose, data: Uint8Array): Buffer
  /** Throws when the data was changed, or encrypted under another secret or purpose. */
  decrypt(purpose: Purpose, data: Uint8Array): Buffer
}

const nonceBytes = 12
const tagBytes = 16

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export function secretsFrom(serverSecret: Uint8Array): Secrets {
  const keys = new Map<Purpose, Uint8Array>()
  const keyFor = (purpose: Purpose) => {
    const key = keys.get(purpose) ?? new Uint8Array(hkdfSync('sha256', serverSecret, '', `marquee:${purpose}`, 32))
    keys.set(purpose, key)
    return key
  }
  return {
    hmac: (purpose, data) => createHmac('sha256', keyFor(purpose)).update(data).digest('hex'),
    encrypt(purpose, data) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', keyFor(purpose), nonce)
      const hidden = [cipher.update(data), cipher.final()]
      return Buffer.concat([nonce, ...hidden, cipher.getAuthTag()])
    },
    decrypt(purpose, data) {
      const end = data.length - tagBytes
      const decipher = createDecipheriv('aes-256-gcm', keyFor(purpose), data.subarray(0, nonceBytes), { authTagLength: tagBytes })
      decipher.setAuthTag(data.subarray(end))
      return Buffer.concat([decipher.update(data.subarray(nonceBytes, end)), decipher.final()])
    },
  }
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
