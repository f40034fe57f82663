/** Normalizes domain names: lower case, punycode, without a final dot. */

import { domainToASCII } from 'node:url'
import { memo } from './memo.ts'

const shape = /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+(?:xn--[a-z0-9-]{1,59}|[a-z]{2,63})$/

/**
 * Returns the normalized domain, or undefined when the text is not one (an address, a URL, a single label). Memoized, because consecutive lines of a file
 * mostly repeat a domain.
 */
export const readDomain = memo({ most: 10_000, longest: 260 }, keptForm)

/** A text with one of these characters is more than a domain, and domainToASCII would silently drop the rest. */
const more = /[/\\?#@:\s]/

function keptForm(text: string): string | undefined {
  if (more.test(text.trim())) return undefined
  const ascii = domainToASCII(text.trim()).toLowerCase().replace(/\.$/, '')
  return shape.test(ascii) ? ascii : undefined
}
