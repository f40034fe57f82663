/** Brand: how pages and mails look to the people of a partner, or of one of its accounts. */

import { type RecordOf, type RequestOf, string } from '../fields/shape.ts'

// biome-ignore format: a table reads by its columns
export const brandRecord = {
  name:        string('what pages and mails call the service'),
  sender_name: string('the sender of mails'),
  support:     string('an email address or an https address, for those who need help', { nullable: true }),
  accent:      string('a colour such as #0a7d5b; null: the colour of the service', { nullable: true }),
  host_name:   string('where the pages are; null: at the address of the service', { nullable: true }),
  logo:        string('where the picture is; null: has none', { nullable: true }),
  dark_logo:   string('where the picture for dark pages is; null: has none', { nullable: true }),
  favicon:     string('where the picture is; null: has none', { nullable: true }),
}

export type BrandRecord = RecordOf<typeof brandRecord>

/** A picture of 200 KB in base64. */
const longestPicture = 273_072

const isColor = (text: string) => /^#[0-9a-f]{6}$/i.test(text)
const isBase64 = (text: string) => text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text)

/** An email address or a page. */
export function isSupportAddress(text: string): boolean {
  const isMail = /^[^\s@<>"(),:;\\]+@[^\s@<>"(),:;\\]+\.[^\s@<>"(),:;\\.]+$/.test(text)
  return isMail || (URL.parse(text)?.protocol === 'https:' && !/[\s<>"]/.test(text))
}

// biome-ignore format: a table reads by its columns
export const changedBrand = {
  name:        string('what pages and mails call the service; blank: the name below it in line', { trim: true, line: 'asked', blank: 'kept', max: 100 }),
  sender_name: string('the sender of mails; blank: as the name', { trim: true, line: 'asked', blank: 'kept', max: 100 }),
  support:     string('an email address or an https address; blank takes it away', { trim: true, blank: 'kept', max: 254, test: isSupportAddress }),
  accent:      string('a colour such as #0a7d5b; blank takes it away', { trim: true, blank: 'kept', test: isColor }),
  logo:        string('a PNG, JPEG or WebP of at most 200 KB, in base64; blank takes it away', { trim: true, blank: 'kept', max: longestPicture, test: isBase64 }),
  dark_logo:   string('the same for dark pages', { trim: true, blank: 'kept', max: longestPicture, test: isBase64 }),
  favicon:     string('a PNG, JPEG, WebP or ICO of at most 200 KB, in base64; blank takes it away', { trim: true, blank: 'kept', max: longestPicture, test: isBase64 }),
}

export type ChangedBrand = RequestOf<typeof changedBrand>
