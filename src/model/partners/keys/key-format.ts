/** The format of a partner's key and password: ASCII without a colon, with a checksum that tells a typo from a guess. */

import { createHash } from 'node:crypto'
import { randomBase62, toBase62 } from '../../../lib/secrets.ts'

/** 30 characters of base62 are 178 random bits. */
const randomLength = 30
const checksumLength = 6
const publicLength = 8

const keyShape = new RegExp(`^mq_([0-9A-Za-z]{${publicLength}})_[0-9A-Za-z]{${randomLength + checksumLength}}$`)

/** The public part is inside the key, so that whoever has the key can name it. */
export function makeKey(publicPart: string): string {
  return withChecksum(`mq_${publicPart}_${randomBase62(randomLength)}`)
}

const tokenShape = new RegExp(`^mqt_[0-9A-Za-z]{${publicLength}}_[0-9A-Za-z]{${randomLength + checksumLength}}$`)

/** Begins otherwise than a key, so that nobody takes one for the other. */
export function makeToken(publicPart: string): string {
  return withChecksum(`mqt_${publicPart}_${randomBase62(randomLength)}`)
}

export function isToken(text: string): boolean {
  return tokenShape.test(text) && withChecksum(text.slice(0, -checksumLength)) === text
}

export function makePublicPart(): string {
  return randomBase62(publicLength)
}

export function makePassword(): string {
  return withChecksum(`mqs_${randomBase62(randomLength)}`)
}

export function isKey(text: string): boolean {
  return keyShape.test(text) && withChecksum(text.slice(0, -checksumLength)) === text
}

function withChecksum(text: string): string {
  return text + toBase62(createHash('sha256').update(text).digest().subarray(0, 8), checksumLength)
}
