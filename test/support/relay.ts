/** A network between a client and a server: it can be frozen, so that nothing is refused and nothing is answered any more, and it can be long, so that every answer comes later. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface Relay {
  readonly port: number
  freeze(): void
  close(): Promise<void>
}

export async function relayTo(port: number, delayMilliseconds = 0): Promise<Relay> {
  const sockets = new Set<Socket>()
  let isFrozen = false
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        near.destroy()
        far.destroy()
      })
    }
    near.on('data', (data) => isFrozen || far.write(data))
    const answer = (data: Buffer) => isFrozen || near.destroyed || near.write(data)
    // Timers of one length end in the order in which they began.
    far.on('data', (data: Buffer) => (delayMilliseconds === 0 ? answer(data) : setTimeout(answer, delayMilliseconds, data)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    freeze: () => {
      isFrozen = true
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
