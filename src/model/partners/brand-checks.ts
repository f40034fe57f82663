/** Checks the parts of a brand, and refuses bad ones with a sentence that says what is wanted. */

import { refuse } from '../../lib/failures.ts'
import { isOneLine } from '../../lib/one-line.ts'
import { isSupportAddress } from '../../resources/brand.ts'
import type { BrandPictureRow } from '../../store/rows/people.ts'

export type PictureKind = 'logo' | 'dark logo' | 'favicon'

type PictureType = BrandPictureRow['type']

const maxPictureBytes = 200 * 1024
const maxNameLetters = 100
const maxSupportLetters = 254

export function checkedName(what: 'name' | 'sender name', given: string): string {
  const name = given.trim()
  const isLine = name !== '' && [...name].length <= maxNameLetters && isOneLine(name)
  return isLine ? name : refuse('bad_request', `The ${what} is one line of 1 to ${maxNameLetters} characters`)
}

export function checkedHost(given: string): string {
  const host = URL.parse(`http://${given.trim()}`)?.hostname ?? ''
  const isName = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/.test(host)
  if (host === 'localhost' || host.endsWith('.localhost'))
    refuse('bad_request', `${host} leads every browser to its own machine: give a name under which people can reach this service`)
  if (isName && host === given.trim().toLowerCase()) return host
  return refuse('bad_request', 'The host is a name such as reports.acme.example, without https://, port or path, and no IP address')
}

export function checkedAccent(given: string): string {
  if (!/^#[0-9a-f]{6}$/i.test(given)) refuse('bad_request', 'The accent colour is written as # and six hexadecimal digits, such as #0a7d5b')
  return given.toLowerCase()
}

export function checkedSupport(given: string): string {
  const support = given.trim()
  if (isSupportAddress(support) && support.length <= maxSupportLetters) return support
  return refuse(
    'bad_request',
    'The support address is an email address such as help@acme.example, or a page such as https://acme.example/help',
  )
}

export function checkedPicture(kind: PictureKind, bytes: Uint8Array): PictureType {
  const types = kind === 'favicon' ? 'a PNG, JPEG, WebP or ICO' : 'a PNG, JPEG or WebP'
  const type = pictureType(Buffer.from(bytes))
  const isFit = type !== undefined && (type !== 'image/x-icon' || kind === 'favicon') && bytes.length <= maxPictureBytes
  return isFit ? type : refuse('bad_request', `The ${kind} is ${types} of at most ${maxPictureBytes / 1024} KB`)
}

/** Detected by content, never by name: an SVG could contain a script. */
function pictureType(bytes: Buffer): PictureType | undefined {
  if (bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))) return 'image/png'
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'image/jpeg'
  if (bytes.subarray(0, 4).equals(Buffer.from([0, 0, 1, 0]))) return 'image/x-icon'
  return bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP' ? 'image/webp' : undefined
}
