/** A mail server that accepts every connection and speaks only on some: the others are held in silence until they are closed. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface SilentMailServer {
  readonly port: number
  /** How many connections were open at the same time at most, and how many in all. */
  readonly counts: { readonly most: number; readonly all: number }
  /** How many of the next connections are held in silence. */
  holdNext(connections: number): void
  /** Closes the connections that are held; returns how many. */
  closeHeld(): number
  close(): Promise<void>
}

/** Speaks by the mail server at another port. */
export async function openSilentMailServer(port: number): Promise<SilentMailServer> {
  const held = new Set<Socket>()
  const open = new Set<Socket>()
  const counts = { most: 0, all: 0 }
  let toHold = 0
  const server = createServer((client) => {
    open.add(client)
    counts.all++
    counts.most = Math.max(counts.most, open.size)
    client.on('error', () => {})
    client.on('close', () => open.delete(client) && held.delete(client))
    if (toHold > 0) {
      toHold--
      held.add(client)
      client.resume()
    } else speak(client, port)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    counts,
    holdNext: (connections) => {
      toHold = connections
    },
    closeHeld() {
      const all = [...held]
      for (const client of all) client.destroy()
      return all.length
    },
    async close() {
      for (const client of open) client.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function speak(client: Socket, port: number): void {
  const server = connect(port, '127.0.0.1')
  server.on('error', () => client.destroy())
  client.pipe(server).pipe(client)
  client.on('close', () => server.destroy())
}
