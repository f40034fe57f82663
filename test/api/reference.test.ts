/** The reference: served to anyone, readable without a script, and every address in it leads somewhere. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { problems } from '../../src/resources/problem.ts'
import { onEachEngine } from '../support/engines.ts'
import { baseUrl, type Reply, serviceOn } from '../support/service.ts'

onEachEngine('the reference', (place) => {
  const house = serviceOn(place)
  let pages: Record<string, Reply>

  before(async () => {
    pages = Object.fromEntries(await Promise.all(['/docs', '/docs/errors'].map(async (path) => [path, await house.stranger.get(path)])))
  })

  test('serves the committed OpenAPI document, byte for byte', async () => {
    const { status, headers, text } = await house.stranger.get('/openapi.json')
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'application/json; charset=utf-8')
    assert.equal(text, readFileSync(join(import.meta.dirname, '..', '..', 'openapi.json'), 'utf8'))
  })

  test('comes under a policy that lets nothing in, and needs nothing of what it keeps out', () => {
    for (const { status, headers, text } of Object.values(pages)) {
      assert.equal(status, 200)
      assert.match(String(headers['content-security-policy']), /^default-src 'none'; style-src 'self';/)
      assert.doesNotMatch(text, /<script|<style|\sstyle=|\son\w+=|https?:\/\/(?!marquee\.example)[\w.]*\/.*\.(js|css)/)
    }
  })

  test('has an anchor for the type of every problem', () => {
    for (const code of Object.keys(problems)) assert.ok(pages['/docs/errors']?.text.includes(`id="${code}"`), code)
  })

  test('has what the type of a real problem points at', async () => {
    const { type } = (await house.stranger.get('/api/users.json')).json() as { type: string }
    const [path = '', anchor] = type.slice(baseUrl.length).split('#')
    assert.ok((await house.stranger.get(path)).text.includes(`id="${anchor}"`))
  })

  test('leads nowhere in vain', async () => {
    for (const [path, { text }] of Object.entries(pages)) {
      const targets = new Set([...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, target = '']) => target))
      assert.ok(targets.size > 3)
      for (const target of targets) {
        const [file = '', anchor] = target.split('#')
        const reply = file === '' ? pages[path] : await house.stranger.get(file)
        assert.equal(reply?.status, 200, `${path} links to ${target}`)
        if (anchor) assert.ok(reply.text.includes(`id="${anchor}"`), `${path} links to ${target}`)
      }
    }
  })

  test('names each thing on a page once', () => {
    for (const { text } of Object.values(pages)) {
      const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
      assert.deepEqual(
        ids.filter((id, index) => ids.indexOf(id) !== index),
        [],
      )
    }
  })

  test('answers HEAD without a body', async () => {
    const head = await house.stranger.ask('HEAD', '/docs')
    assert.equal(head.status, 200)
    assert.equal(head.text, '')
  })
})
