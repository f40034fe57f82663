/** The sender of mails as operators write it, `reports@example.com` or `Marquee <reports@example.com>`, read into name and address. */

import { domainToASCII } from 'node:url'

export interface Sender {
  readonly name: string | null
  /** The bare address: mail servers take nothing else for the sender of the envelope. */
  readonly address: string
}

export function readSender(given: string): Sender | undefined {
  const [, before = '', inBrackets] = /^(.*)<([^<>]*)>$/s.exec(given.trim()) ?? []
  const name = readName(before.trim())
  const address = readAddress(inBrackets ?? given.trim())
  return name === undefined || address === undefined ? undefined : { name: name === '' ? null : name, address }
}

/** A name may be quoted, and must be where it has quotes inside. */
function readName(given: string): string | undefined {
  const [, quoted] = /^"((?:[^"\\]|\\.)*)"$/s.exec(given) ?? []
  const name = quoted === undefined ? given : quoted.replace(/\\(.)/gs, '$1').trim()
  const isBroken = /[\p{Cc}<>]/u.test(name) || (quoted === undefined && name.includes('"'))
  return isBroken ? undefined : name
}

/** The domain is written as mail servers do, without letters beyond ASCII. */
function readAddress(given: string): string | undefined {
  const [, user = '', domain = ''] = /^([\w.!#$%&'*+/=?^`{|}~-]{1,64})@([^\s@]{1,253})$/.exec(given) ?? []
  const plain = domainToASCII(domain)
  return user !== '' && /^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(plain) ? `${user}@${plain}` : undefined
}
