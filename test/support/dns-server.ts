/** A name server of this machine that knows only what it is told: text records, and addresses. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { after, before } from 'node:test'

export interface DnsServer {
  /** The texts of each name. */
  readonly records: Map<string, readonly string[]>
  /** The addresses of each name, or what says them anew each time that its IPv4 addresses are asked for. */
  readonly addresses: Map<string, readonly string[] | (() => readonly string[])>
  /** The names that were asked for. */
  readonly asked: string[]
  isSilent: boolean
}

const types = { address: 1, text: 16, addressV6: 28 }
const answered = 0x8180
const absent = 0x8183

/** Started before the first test of the file; its address goes into the settings of the services that begin after it. */
export function dnsServer(env: Record<string, string>): DnsServer {
  const server: DnsServer = { records: new Map(), addresses: new Map(), asked: [], isSilent: false }
  const socket = createSocket('udp4')
  socket.on('message', (message, from) => {
    const name = nameIn(message)
    server.asked.push(name)
    if (!server.isSilent) socket.send(answerTo(message, dataOf(server, name, typeIn(message))), from.port, from.address)
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

function typeIn(message: Buffer): number {
  return message.readUInt16BE(message.indexOf(0, 12) + 1)
}

/** Null where nothing is known of the name, and an empty list where it has no records of this type. */
function dataOf({ records, addresses }: DnsServer, name: string, type: number): readonly Buffer[] | null {
  const texts = records.get(name)
  if (type === types.text) return texts?.map(textData) ?? null
  const known = addresses.get(name)
  if (known === undefined) return null
  if (typeof known === 'function') return type === types.address ? known().map(bytesOfV4) : []
  return type === types.address
    ? known.filter((one) => !one.includes(':')).map(bytesOfV4)
    : known.filter((one) => one.includes(':')).map(bytesOfV6)
}

/** A text of more than 255 letters is written in parts. */
function textData(text: string): Buffer {
  const parts = text.match(/.{1,255}/gs) ?? ['']
  return Buffer.concat(parts.flatMap((part) => [Buffer.from([part.length]), Buffer.from(part)]))
}

function bytesOfV4(address: string): Buffer {
  return Buffer.from(address.split('.').map(Number))
}

/** The part before `::` fills the front, the one after it the end; the last 32 bits may be written as an IPv4 address. */
function bytesOfV6(address: string): Buffer {
  const plain = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...parts) => {
    const [a = 0, b = 0, c = 0, d = 0] = parts.slice(0, 4).map(Number)
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
  })
  const [front = [], end = []] = plain
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':').map((word) => Number.parseInt(word, 16))))
  const words = [...front, ...Array.from({ length: 8 - front.length - end.length }, () => 0), ...end]
  return Buffer.from(words.flatMap((word) => [word >> 8, word & 255]))
}

function answerTo(message: Buffer, data: readonly Buffer[] | null): Buffer {
  const question = message.subarray(12, message.indexOf(0, 12) + 5)
  const head = Buffer.alloc(12)
  head.writeUInt16BE(message.readUInt16BE(0), 0)
  head.writeUInt16BE(data === null ? absent : answered, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(data?.length ?? 0, 6)
  return Buffer.concat([head, question, ...(data ?? []).map((one) => recordOf(typeIn(message), one))])
}

/** The name is that of the question, to which it points. */
function recordOf(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}
