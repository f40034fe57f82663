/** Large bodies that arrive together are read one in each turn of the event loop, so that others are answered in between. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'node:test'
import type { BodyRules } from '../../src/api/endpoint.ts'
import { readRequest } from '../../src/api/read-request.ts'
import { list } from '../../src/fields/shape.ts'
import { newAbility } from '../../src/resources/ability.ts'

const rules: BodyRules = { root: 'abilities', of: list('ability', newAbility), maxBytes: 262_144, maxElements: 8_000 }
const body = `<abilities type="array">${'<ability/>'.repeat(7_900)}</abilities>`
const head = `POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/xml\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n`
const clients = 6

test('bodies that arrive together are not all read in one turn', async (context) => {
  let turn = 0
  const immediate = () => {
    turn += 1
    next = setImmediate(immediate)
  }
  let next = setImmediate(immediate)
  const turns: number[] = []
  const server = createServer(async (request, response) => {
    await readRequest(request, rules)
    turns.push(turn)
    response.end()
  })
  context.after(() => {
    clearImmediate(next)
    server.close()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const sockets = Array.from({ length: clients }, () => connect(port, '127.0.0.1'))
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  for (const socket of sockets) socket.write(head + body.slice(0, -1))
  while ((await connections(server)) < clients) await new Promise(setImmediate)
  const answered = sockets.map((socket) => once(socket.resume(), 'close'))
  for (const socket of sockets) socket.write(body.slice(-1))
  await Promise.all(answered)
  // A fast machine may read two of them in a slice.
  assert.ok(new Set(turns).size >= clients / 2, `read in the turns ${turns}`)
})

function connections(server: ReturnType<typeof createServer>): Promise<number> {
  return new Promise((resolve, reject) => server.getConnections((error, number) => (error ? reject(error) : resolve(number))))
}
