/** Small multipart forms: fields come as in any form, and everything else is refused with a sentence. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readMultipart } from '../../../src/lib/body/multipart-reader.ts'
import { member, type Node } from '../../../src/lib/body/tree.ts'
import { Failure } from '../../../src/lib/failures.ts'
import { letsOthersWork } from '../../support/turns.ts'

const type = 'multipart/form-data; boundary=xYz'

function part(head: string, text: string): string {
  return `--xYz\r\n${head}\r\n\r\n${text}\r\n`
}

const field = (name: string, text: string) => part(`Content-Disposition: form-data; name="${name}"`, text)

function read(body: string, contentType = type): Promise<Node> {
  return readMultipart(Buffer.from(body), { depth: 8, elements: 64 }, contentType)
}

function textOf(tree: Node, ...path: string[]): string | undefined {
  return path.reduce<Node | undefined>((node, name) => node && member(node, name), tree)?.text
}

describe('a multipart form', () => {
  test('is read as a form, under its root and with everything that may stand in a text', async () => {
    const text = 'a&b=c%20\r\n--xY\r\nñ'
    const tree = await read(
      `${field('user[email]', 'dana@example.com')}${field('user[account-id]', '7')}${field('user[name]', text)}--xYz--\r\n`,
    )
    assert.equal(textOf(tree, 'user', 'email'), 'dana@example.com')
    assert.equal(textOf(tree, 'user', 'account_id'), '7')
    assert.equal(textOf(tree, 'user', 'name'), text)
  })

  test('may have a boundary in quotes, a type for each field, and no fields at all', async () => {
    const body = '--a b\r\ncontent-type: text/plain; charset=utf-8\r\nCONTENT-DISPOSITION: form-data; name="x"\r\n\r\n1\r\n--a b--'
    assert.equal(textOf(await read(body, 'multipart/form-data; boundary="a b"'), 'x'), '1')
    assert.deepEqual((await read('--xYz--\r\n')).children, [])
  })

  const refused: readonly (readonly [what: string, body: string, code: string, contentType?: string])[] = [
    ['a file', `${part('Content-Disposition: form-data; name="f"; filename="a.png"', 'x')}--xYz--`, 'unsupported_media_type'],
    ['a file of no name', `${part('Content-Disposition: form-data; name="f"; filename=""', '')}--xYz--`, 'unsupported_media_type'],
    ['no boundary', '--xYz--', 'malformed_body', 'multipart/form-data'],
    ['a boundary of 71 characters', '--xYz--', 'malformed_body', `multipart/form-data; boundary=${'x'.repeat(71)}`],
    ['an end that is missing', field('a', '1'), 'malformed_body'],
    ['a part without a name', `${part('Content-Disposition: form-data', '1')}--xYz--`, 'malformed_body'],
    ['a part without a head', '--xYz\r\n1\r\n--xYz--', 'malformed_body'],
    ['bytes that are no UTF-8', `${field('a', '1')}\u0000`, 'malformed_body'],
  ]
  for (const [what, body, code, contentType] of refused) {
    test(`with ${what} is refused`, async () => {
      await assert.rejects(
        () => read(body, contentType),
        (error) => error instanceof Failure && error.code === code,
      )
    })
  }

  test('lets others work while it is read', async () => {
    const many = `${field('a[][b]', '1').repeat(50_000)}--xYz--`
    await letsOthersWork(() => readMultipart(Buffer.from(many), { depth: 8, elements: 60_000 }, type))
  })
})
