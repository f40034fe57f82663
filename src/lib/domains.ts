/** Domain names as they are kept: lower case, punycode, without a final dot. */

import { domainToASCII } from 'node:url'
import { memo } from './memo.ts'

const shape = /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+(?:xn--[a-z0-9-]{1,59}|[a-z]{2,63})$/

/** The domain in its kept form, or undefined when the text is not one (an address, a URL, a single label). Most domains of a file were seen on the line before. */
export const readDomain = memo({ most: 10_000, longest: 260 }, keptForm)

/** With one of these it is more than a domain, and the conversion would drop the rest without a word. */
const more = /[/\\?#@:\s]/

function keptForm(text: string): string | undefined {
  if (more.test(text.trim())) return undefined
  const ascii = domainToASCII(text.trim()).toLowerCase().replace(/\.$/, '')
  return shape.test(ascii) ? ascii : undefined
}
