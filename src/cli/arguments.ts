/** Reads what stands behind a flag by the word in its brackets: `<id>`, `<count>`, `<on|off>`. */

import { InvalidArgumentError } from 'commander'
import { isDay } from '../lib/days.ts'
import { keyScopes } from '../model/partners/keys.ts'

type Reader = (text: string) => string | number

const readers: Readonly<Record<string, Reader>> = {
  id: (text) =>
    /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text))
      ? Number(text)
      : refuseText('It must be an id: a whole number from 1.'),
  count: (text) => (/^\d{1,9}$/.test(text) ? Number(text) : refuseText('It must be a whole number.')),
  'count|default': (text) =>
    text === 'default' ? text : /^\d{1,9}$/.test(text) ? Number(text) : refuseText('It must be a whole number or default.'),
  scopes: (text) =>
    text
      .split(',')
      .map((word) => oneOf(keyScopes)(word.trim()))
      .join(' '),
  key: publicPart,
  date: (text) => (isDay(text) ? text : refuseText('It must be a date like 2027-01-31.')),
}

export function readerFor(flag: string): Reader {
  const [, kind = ''] = /<(.+)>/.exec(flag) ?? []
  return readers[kind] ?? (kind.includes('|') ? oneOf(kind.split('|')) : String)
}

/** `mq_AbC12345` is how a key begins; the rest of it has no business on a command line, where others can read it. */
function publicPart(text: string): string {
  const [, named, rest] = /^(?:mq_)?([0-9A-Za-z]{8})(_.*)?$/.exec(text) ?? []
  if (named === undefined) return refuseText('It must be the public part of a key: 8 letters and digits.')
  return rest === undefined ? named : refuseText(`Name the key by its public part, ${named}, and keep the rest to yourself.`)
}

function oneOf(words: readonly string[]): Reader {
  return (text) => (words.includes(text) ? text : refuseText(`It must be one of ${words.join(', ')}.`))
}

function refuseText(sentence: string): never {
  throw new InvalidArgumentError(sentence)
}
