import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wordsFor } from '../../src/web/components/number-format.ts'
import { realHeaders } from '../hard/support/real-headers.ts'
import { onEngine } from '../support/engines.ts'
import { serviceOn } from '../support/service.ts'

onEngine('sqlite', 'languages of real browsers', (place) => {
  const service = serviceOn(place)

  test('a page answers whatever language the browser names', async () => {
    for (const language of realHeaders['accept-language'] ?? []) {
      const { status } = await service.stranger.get('/login', { headers: { 'accept-language': language, accept: 'text/html' } })
      assert.equal(status, 200, language)
    }
  })

  test('an address of slashes alone is not found', async () => {
    for (const path of ['//', '///', '//login']) {
      assert.equal((await service.stranger.get(path, { headers: { accept: 'text/html' } })).status, 404, path)
    }
  })

  test('a tag in an order of its own keeps its region', () => {
    const localeOf = (language: string) => wordsFor(language, 'UTC').locale
    assert.equal(localeOf('zh-CN-Hans'), 'en-CN')
    assert.equal(localeOf('ja-JP-JP'), 'en-JP')
    assert.equal(localeOf('no-NO-NY'), 'en-NO')
    assert.equal(localeOf('de'), 'en-DE')
    assert.equal(localeOf('i-klingon'), 'en-GB')
  })
})
