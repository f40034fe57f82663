/** Lists in pages: a cursor leads through them, and each record comes once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { baseUrl, type Reply, serviceOn } from '../support/service.ts'
import { xmlTexts } from '../support/xml.ts'

onEachEngine('lists', (place) => {
  const house = serviceOn(place)

  test('of more than one page are followed by Link, in either format, and hold each record once', async () => {
    const acme = await house.partner('Acme')
    const globex = await house.partner('Globex')
    const thirty = (kind: 'account' | 'business') => Array.from({ length: 30 }, () => ({ kind, name: 'One of many' }))
    for (let round = 0; round < 4; round++) {
      await acme.client.changeInBulk([...thirty('account'), ...thirty('business')], { atomic: true })
      await globex.client.changeInBulk(thirty('account').slice(20), { atomic: true })
    }
    for (const [name, expected] of [
      ['accounts', 121],
      ['businesses', 120],
    ] as const) {
      for (const extension of ['.json', '.xml', '']) {
        const ids: string[] = []
        let pages = 0
        for (let path: string | undefined = `/api/${name}${extension}`; path !== undefined; pages++) {
          const reply: Reply = await acme.get(path)
          assert.equal(reply.status, 200, path)
          assert.equal(reply.headers['content-type']?.includes('json'), extension === '.json')
          ids.push(...idsIn(name, reply))
          path = nextOf(reply)
        }
        assert.equal(pages, 2)
        assert.equal(ids.length, expected)
        assert.equal(new Set(ids).size, expected)
        assert.deepEqual(
          ids,
          ids.toSorted((a, b) => Number(a) - Number(b)),
        )
      }
    }
  })

  function idsIn(name: string, { headers, text }: Reply): string[] {
    if (!headers['content-type']?.includes('json')) return xmlTexts(text, `/${name}/*/id`)
    return (JSON.parse(text)[name] as { id: number }[]).map(({ id }) => String(id))
  }

  function nextOf({ headers }: Reply): string | undefined {
    const [, address] = /^<([^>]+)>; rel="next"$/.exec(String(headers.link ?? '')) ?? []
    assert.equal(address?.startsWith(baseUrl) ?? true, true)
    return address?.slice(baseUrl.length)
  }
})
