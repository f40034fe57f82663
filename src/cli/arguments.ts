/** Parses the value of an option by the word in its brackets: `<id>`, `<count>`, `<on|off>`. */

import { InvalidArgumentError } from 'commander'
import { workerSetting } from '../lib/setting-kinds.ts'
import { type TextKind, textKinds } from '../lib/text-kinds.ts'
import { keyScopes } from '../model/partners/keys/keys.ts'

type Reader = (text: string, before?: string | number) => string | number

const readers: Readonly<Record<string, Reader>> = {
  id: readerOf(textKinds.id),
  // A partner may be named, too.
  partner: (text) => textKinds.id.read(text) ?? text,
  count: (text) => (/^\d{1,9}$/.test(text) ? Number(text) : refuseText('It must be a whole number.')),
  'count|default': (text) =>
    text === 'default' ? text : /^\d{1,9}$/.test(text) ? Number(text) : refuseText('It must be a whole number or default.'),
  'count|auto': (text) => String(readerOf(workerSetting)(text)),
  scopes: (text) =>
    text
      .split(',')
      .map((word) => readerOf(textKinds.oneOf(...keyScopes))(word.trim()))
      .join(' '),
  key: publicPart,
  // The option may be repeated.
  'field=value': (text, before) => (before === undefined ? text : `${before}\n${text}`),
  date: readerOf(textKinds.day),
}

export function readerFor(flag: string): Reader {
  const [, kind = ''] = /<(.+)>/.exec(flag) ?? []
  return readers[kind] ?? (kind.includes('|') ? readerOf(textKinds.oneOf(...kind.split('|'))) : String)
}

/** A key is named by its beginning, `mq_AbC12345`; the rest is secret and must not be on a command line, where other users can read it. */
function publicPart(text: string): string {
  const [, named, rest] = /^(?:mq_)?([0-9A-Za-z]{8})(_.*)?$/.exec(text) ?? []
  if (named === undefined) return refuseText('It must be the public part of a key: 8 letters and digits.')
  return rest === undefined ? named : refuseText(`Name the key by its public part, ${named}, and keep the rest to yourself.`)
}

function readerOf(kind: Pick<TextKind<string | number>, 'says' | 'read'>): Reader {
  return (text) => kind.read(text) ?? refuseText(`It must be ${kind.says}.`)
}

function refuseText(sentence: string): never {
  throw new InvalidArgumentError(sentence)
}
