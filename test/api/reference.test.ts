/** The reference: served to anyone, readable without a script, and every address in it leads somewhere. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { endpoints } from '../../src/api/endpoints.ts'
import { docsPages } from '../../src/api/reference/documentation/docs-pages.ts'
import { guides } from '../../src/api/reference/documentation/guides.ts'
import { headingOf } from '../../src/api/reference/pages.ts'
import { resourceOf, resources } from '../../src/api/reference/resources.ts'
import { xmlSchemas } from '../../src/api/reference/schemas.ts'
import { anchorOf } from '../../src/lib/document.ts'
import { problems } from '../../src/resources/problem.ts'
import { onEachEngine } from '../support/engines.ts'
import { baseUrl, type Reply, serviceOn } from '../support/service.ts'

onEachEngine('the reference', (place) => {
  const house = serviceOn(place, { MARQUEE_SECURITY_CONTACT: 'mailto:security@marquee.test' })
  let pages: Record<string, Reply>

  before(async () => {
    pages = Object.fromEntries(await Promise.all(Object.keys(docsPages()).map(async (path) => [path, await house.stranger.get(path)])))
  })

  test('serves the committed OpenAPI documents, byte for byte', async () => {
    for (const name of ['openapi.json', 'openapi-xml.json']) {
      const { status, headers, text } = await house.stranger.get(`/${name}`)
      assert.equal(status, 200)
      assert.equal(headers['content-type'], 'application/json; charset=utf-8')
      assert.equal(text, readFileSync(join(import.meta.dirname, '..', '..', name), 'utf8'))
    }
  })

  test('has a page for each resource and each guide, with every endpoint on one of them', () => {
    for (const name of Object.keys(resources)) assert.equal(pages[`/docs/${name}`]?.status, 200, name)
    for (const slug of Object.keys(guides)) assert.equal(pages[`/docs/guides/${slug}`]?.status, 200, slug)
    for (const endpoint of endpoints) {
      const page = pages[`/docs/${resourceOf(endpoint)}`]?.text ?? ''
      assert.ok(page.includes(`id="${anchorOf(headingOf(endpoint))}"`), endpoint.path)
    }
  })

  test('tells programs where to look: llms.txt, schemas, and security.txt where the operator named a contact', async () => {
    const llms = await house.stranger.get('/llms.txt')
    assert.match(llms.text, /^# Marquee\n\n> /)
    for (const [, path = ''] of llms.text.matchAll(/\]\((\/[^)]+)\)/g)) assert.equal((await house.stranger.get(path)).status, 200, path)
    for (const name of xmlSchemas().keys()) assert.equal((await house.stranger.get(`/schema/${name}.xsd`)).status, 200, name)
    const security = await house.stranger.get('/.well-known/security.txt')
    assert.match(
      security.text,
      /^Contact: mailto:security@marquee\.test\nExpires: 20\d\d-.*Z\nCanonical: http:\/\/marquee\.test\/\.well-known\/security\.txt\n/,
    )
  })

  test('finds every heading of every page in the index of the search', async () => {
    const index = (await house.stranger.get('/docs/search.json')).json() as { path: string; heading: string }[]
    for (const [path, { text }] of Object.entries(pages)) {
      const anchors = [...text.matchAll(/<h[23] id="([^"]+)"/g)]
        .map(([, id]) => `${path}#${id}`)
        .filter((target) => !target.endsWith('#try-it'))
      for (const target of anchors)
        assert.ok(
          index.some((entry) => entry.path === target),
          target,
        )
    }
  })

  test('comes under a policy that lets nothing in, and needs nothing of what it keeps out', () => {
    for (const { status, headers, text } of Object.values(pages)) {
      assert.equal(status, 200)
      assert.match(String(headers['content-security-policy']), /^default-src 'none'; style-src 'self';/)
      assert.doesNotMatch(
        text,
        /<script(?! src="\/docs\/reference\.js" defer><\/script>)|<style|\sstyle=|\son\w+=|https?:\/\/(?!marquee\.example)[\w.]*\/[^\s"<&]*\.(js|css)\b/,
      )
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
        const reply = file === '' ? pages[path] : (pages[file] ?? (await house.stranger.get(file)))
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
