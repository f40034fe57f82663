/** Checks the signature of a mail as its receivers do (RFC 6376, relaxed), with the text records that a DNS has. */
import { createHash, verify } from 'node:crypto'

/** The domain that has signed the mail, and what it has signed; throws where the signature is none. */
export function signedBy(mail: Buffer, records: ReadonlyMap<string, readonly string[]>): { domain: string; headers: string[] } {
  const text = mail.toString('latin1')
  const end = text.indexOf('\r\n\r\n')
  const headers = text.slice(0, end).split(/\r\n(?![ \t])/)
  const signature = headers.find((line) => /^dkim-signature:/i.test(line)) ?? ''
  const tags = new Map(
    unfolded(signature.slice(signature.indexOf(':') + 1))
      .split(';')
      .map((tag): [string, string] => [tag.slice(0, tag.indexOf('=')).trim(), tag.slice(tag.indexOf('=') + 1).trim()]),
  )
  const body = relaxedBody(text.slice(end + 4))
  if (createHash('sha256').update(body, 'latin1').digest('base64') !== plain(tags.get('bh'))) throw new Error('the text is another one')
  const names = (tags.get('h') ?? '').split(':').map((name) => name.trim().toLowerCase())
  const left = [...headers]
  const signed = names.flatMap((name) => {
    const at = left.findLastIndex((line) => line.toLowerCase().startsWith(`${name}:`))
    return at < 0 ? [] : left.splice(at, 1).map(relaxed)
  })
  const unsigned = relaxed(signature).replace(/(;|\s|:)(b=)[^;]*/, '$1$2')
  const domain = tags.get('d') ?? ''
  const [record = ''] = records.get(`${tags.get('s')}._domainkey.${domain}`) ?? []
  const key = Buffer.from(plain(/p=([^;]*)/.exec(record)?.[1]), 'base64')
  const said = Buffer.from([...signed, unsigned].join('\r\n'), 'latin1')
  const isTrue = verify('sha256', said, { key, format: 'der', type: 'spki' }, Buffer.from(plain(tags.get('b')), 'base64'))
  if (!isTrue) throw new Error('the signature is of another key or another head')
  return { domain, headers: names }
}

function unfolded(text: string): string {
  return text.replace(/\r\n[ \t]+/g, ' ')
}

function plain(text = ''): string {
  return text.replace(/\s/g, '')
}

function relaxed(line: string): string {
  const at = line.indexOf(':')
  return `${line.slice(0, at).trim().toLowerCase()}:${unfolded(line.slice(at + 1))
    .replace(/[ \t]+/g, ' ')
    .trim()}`
}

function relaxedBody(text: string): string {
  const lines = text.split('\r\n').map((line) => line.replace(/[ \t]+/g, ' ').replace(/ $/, ''))
  return `${lines.join('\r\n').replace(/(\r\n)+$/, '')}\r\n`
}
