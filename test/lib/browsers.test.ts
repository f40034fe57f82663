/** What browsers call themselves, in words. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browserName } from '../../src/lib/network/browsers.ts'

test('a browser is named with its system, and what is none is not guessed', () => {
  const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
  const named: Readonly<Record<string, string | null>> = {
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`]: 'Edge on Windows',
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/142.0.0.0 Safari/537.36`]: 'Chrome on Windows',
    [`Mozilla/5.0 (Linux; Android 16) ${webkit} SamsungBrowser/29.0 Chrome/140.0.0.0 Mobile Safari/537.36`]: 'Samsung Internet on Android',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15':
      'Safari on Mac',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0 Mobile/15E148 Safari/604.1':
      'Chrome on iPhone',
    'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0': 'Firefox on Linux',
    'curl/8.17.0': null,
    '': null,
  }
  assert.deepEqual(Object.fromEntries(Object.keys(named).map((agent) => [agent, browserName(agent)])), named)
  assert.equal(browserName(undefined), null)
})
