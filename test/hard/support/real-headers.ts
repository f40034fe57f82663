/** Header values as browsers, proxies, scripts and scanners really send them, and the same values broken. */
import type { Chance } from './random.ts'

/** By name, most of them seen in the logs of public servers; a browser's settings can make any of the odd ones. */
export const realHeaders: Readonly<Record<string, readonly string[]>> = {
  'accept-language': [
    'en-US,en;q=0.9',
    'de-DE,de;q=0.8,en;q=0.5',
    'ja-JP-JP',
    'no-NO-NY',
    'zh-CN-Hans',
    'zh-Hans-CN;q=1',
    'zh-TW-Hant,en',
    'sr-SP-Latn',
    'sr-Latn-RS',
    'th-TH-TH',
    'az-AZ-Cyrl',
    'i-klingon',
    'i-default',
    'x-pig-latin',
    'en_US',
    'C',
    'POSIX',
    '*',
    '*;q=0.5',
    'en-',
    '-en',
    'en-US-u-hc-h12',
    'en-u',
    'de-1996',
    'sl-rozaj-biske-1994',
    'es-419',
    'es-MX,es-419;q=0.9',
    'hy-Latn-IT-arevela',
    'qaa-Qaaa-QM-x-southern',
    'a-DE',
    'abcdefghi',
    'en-GB-oed',
    'mn-Cyrl-MN',
    'fil',
    'root',
    'und',
    'und-ZZ',
    'de-419-DE',
    'ar-EG-u-nu-latn',
    'ar-a-aaa-b-bbb-a-ccc',
    'en;q=abc',
    'en;q=1.0000001',
    ',en',
    ';',
    'xx-XX',
    'tlh',
    'nb-NO,no;q=0.8,nn;q=0.6',
    'pt_BR',
    'iw',
    'zz-ZZ-zzzz-zz',
    'en-US,en-US,en-US,en-US,en-US,en-US',
  ],
  accept: [
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
    'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2',
    '*/*',
    'application/json, text/plain, */*',
    'application/signed-exchange;v=b3;q=0.7',
    'text/html;level=1;q=',
    'text/*;q=0.3, text/html;q=0.7',
    'image/*',
    '',
  ],
  'accept-encoding': [
    'gzip, deflate, br, zstd',
    'gzip;q=1.0, identity; q=0.5, *;q=0',
    'identity',
    'br;q=1.0, gzip;q=0.8, *;q=0.1',
    'x-gzip',
    '',
    'gzip,',
    '*;q=0',
  ],
  'user-agent': [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    'curl/8.5.0',
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    '() { :; }; echo x',
    '-',
    '',
  ],
  cookie: [
    '__Host-session=x',
    '__Host-session=',
    '__Host-session',
    '__Host-session=a; __Host-session=b',
    '__Host-visit=%00',
    '__Host-theme=dark; __Host-visit=abcdefghijklmnopqrstuv',
    '; ; =',
    '_ga=GA1.2.3.4; __Host-theme=\u00e9',
    'a=b'.repeat(500),
    '$Version=1; a="b"; $Path=/',
  ],
  'sec-fetch-site': ['none', 'same-origin', 'same-site', 'cross-site', 'x', ''],
  'sec-fetch-mode': ['navigate', 'cors', 'no-cors'],
  'sec-purpose': ['prefetch', 'prefetch;prerender', 'x'],
  purpose: ['prefetch', 'preview'],
  origin: ['null', 'http://127.0.0.1', 'https://evil.example', 'file://', 'http://', '//', 'x', 'http://[::1', 'http://a:99999'],
  referer: ['http://127.0.0.1/', 'about:blank', 'x', 'http://[', '/'],
  host: [
    '127.0.0.1',
    'localhost',
    'marquee.test',
    '127.0.0.1:99999',
    '[::1]',
    '[::',
    'a..b',
    '-',
    'LOCALHOST',
    'localhost.',
    '127.1',
    '0x7f.1',
    'a:b:c',
    ':80',
    '[::1]:x',
  ],
  'x-forwarded-for': ['1.2.3.4', 'unknown', '1.2.3.4, 5.6.7.8', '::1', '[::1]:80', '1.2.3.4:80', "'; drop", ',,,'],
  'x-forwarded-proto': ['https', 'http', 'https,http', 'ftp', ''],
  'x-request-id': ['x', '\u00e9', 'a'.repeat(300), '../../x'],
  forwarded: ['for=1.2.3.4;proto=https', 'for="[::1]"'],
  'if-none-match': ['*', '"x"', 'W/"x"', 'x', '"x', ',', '""'],
  'if-modified-since': ['Sat, 29 Oct 1994 19:43:31 GMT', 'x', '0'],
  range: ['bytes=0-', 'bytes=0-0,-1', 'bytes=-1', 'x'],
  connection: ['keep-alive', 'close', 'Upgrade', 'keep-alive, x'],
  'upgrade-insecure-requests': ['1'],
  upgrade: ['h2c', 'websocket'],
  expect: ['100-continue', 'x', '200-ok'],
  te: ['trailers', 'trailers, deflate', 'x'],
  dnt: ['1'],
  traceparent: ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', '00-0-0-0', 'x'],
  'idempotency-key': ['"x"', 'x', '"', '""', 'a b', 'x'.repeat(300)],
}

const names = Object.keys(realHeaders)

/** A few of them at once, most as they are. */
export function someRealHeaders(chance: Chance): Record<string, string> {
  const headers: Record<string, string> = {}
  for (let count = chance.whole(5); count > 0; count -= 1) {
    const name = chance.pick(names)
    const value = chance.pick(realHeaders[name] ?? [''])
    headers[name] = chance.next() < 0.8 ? value : scrambled(value, chance)
  }
  return headers
}

function scrambled(value: string, chance: Chance): string {
  const at = chance.whole(value.length + 1)
  const extra = chance.pick(['', ',', ';', '"', '-', '=', '\t', '\u00ff', value, ' '])
  return chance.next() < 0.5 ? value.slice(0, at) : `${value.slice(0, at)}${extra}${value.slice(at)}`
}
