/** The codes of a second factor: six digits that an app makes every 30 seconds (TOTP, RFC 6238), and recovery codes for whoever has lost the app. */

import { createHash, randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

const recoveryCodes = 10
const recoveryBytes = 10
const groupLength = 4
/** A clock may be off by one step, either way. */
const toleratedSteps = 1

export function newKey(): string {
  return new Secret({ size: 20 }).base32
}

/** What an app reads from the QR code. */
export function keyUri(key: string, issuer: string, label: string): string {
  return totpOf(key, { issuer, label }).toString()
}

/** The time step of a code that is right now; null if it is not. */
export function stepOf(key: string, code: string, now: string): number | null {
  const digits = code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(digits)) return null
  const totp = totpOf(key)
  const timestamp = Date.parse(now)
  const delta = totp.validate({ token: digits, timestamp, window: toleratedSteps })
  return delta === null ? null : totp.counter({ timestamp }) + delta
}

function totpOf(key: string, named: { issuer?: string; label?: string } = {}): TOTP {
  return new TOTP({ ...named, secret: Secret.fromBase32(key), algorithm: 'SHA1', digits: 6, period: 30 })
}

export function newRecoveryCodes(): readonly string[] {
  return Array.from({ length: recoveryCodes }, () => {
    const letters = new Secret({ buffer: new Uint8Array(randomBytes(recoveryBytes)).buffer }).base32.toLowerCase()
    return (letters.match(new RegExp(`.{${groupLength}}`, 'g')) ?? []).join('-')
  })
}

/** Plain SHA-256 is enough for 80 random bits. Blanks, hyphens and capitals do not matter. */
export function hashRecoveryCode(code: string): string {
  return createHash('sha256')
    .update(code.toLowerCase().replace(/[^a-z2-7]/g, ''))
    .digest('hex')
}
