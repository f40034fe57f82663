/** A name server of this machine that knows text records only: those that it is told. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { after, before } from 'node:test'

export interface DnsServer {
  /** The texts of each name. */
  readonly records: Map<string, readonly string[]>
  /** The names that were asked for. */
  readonly asked: string[]
  isSilent: boolean
}

const textType = 16
const answered = 0x8180
const absent = 0x8183

/** Started before the first test of the file; its address goes into the settings of the services that begin after it. */
export function dnsServer(env: Record<string, string>): DnsServer {
  const server: DnsServer = { records: new Map(), asked: [], isSilent: false }
  const socket = createSocket('udp4')
  socket.on('message', (message, from) => {
    const name = nameIn(message)
    server.asked.push(name)
    if (!server.isSilent) socket.send(answerTo(message, server.records.get(name) ?? []), from.port, from.address)
  })
  before(async () => {
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
    env['MARQUEE_DNS_SERVERS'] = `127.0.0.1:${socket.address().port}`
  })
  after(() => socket.close())
  return server
}

function nameIn(message: Buffer): string {
  const labels: string[] = []
  for (let at = 12; message.readUInt8(at) > 0; at += message.readUInt8(at) + 1)
    labels.push(message.toString('latin1', at + 1, at + 1 + message.readUInt8(at)))
  return labels.join('.').toLowerCase()
}

function answerTo(message: Buffer, texts: readonly string[]): Buffer {
  const question = message.subarray(12, message.indexOf(0, 12) + 5)
  const head = Buffer.alloc(12)
  head.writeUInt16BE(message.readUInt16BE(0), 0)
  head.writeUInt16BE(texts.length === 0 ? absent : answered, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(texts.length, 6)
  return Buffer.concat([head, question, ...texts.map(recordSaying)])
}

/** The name is that of the question, to which it points. */
function recordSaying(text: string): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(textType, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(text.length + 1, 10)
  head.writeUInt8(text.length, 12)
  return Buffer.concat([head, Buffer.from(text)])
}
