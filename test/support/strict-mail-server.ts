/** A real mail server for tests that refuses what it is told to refuse, in its own words, and remembers what it took. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

type Words = (address: string) => string | null

export interface Refusals {
  /** The whole answer, such as `550 5.1.1 No such user`; null takes the address. */
  sender?: Words
  recipient?: Words
  mail?: Words
}

export interface StrictMailServer {
  readonly port: number
  /** Changed while it runs. */
  readonly refuses: Refusals
  /** The senders of envelopes, and what the mails say in From. */
  readonly senders: string[]
  readonly froms: string[]
  readonly recipients: string[]
  close(): Promise<void>
}

export async function openStrictMailServer(options: SMTPServerOptions = {}): Promise<StrictMailServer> {
  const refuses: Refusals = {}
  const [senders, froms, recipients]: string[][] = [[], [], []]
  const server = new SMTPServer({
    authOptional: true,
    hideENHANCEDSTATUSCODES: true,
    disableReverseLookup: true,
    ...(options.key === undefined && { disabledCommands: ['STARTTLS'] }),
    ...options,
    onMailFrom({ address }, _, done) {
      senders?.push(address)
      done(refusal(refuses.sender?.(address)))
    },
    onRcptTo: ({ address }, _, done) => done(refusal(refuses.recipient?.(address))),
    onData(stream, { envelope }, done) {
      let text = ''
      stream.on('data', (chunk: Buffer) => {
        text += chunk
      })
      stream.on('end', () => {
        const refused = refusal(refuses.mail?.(text))
        if (!refused) {
          froms?.push(/^From: (.*)$/m.exec(text)?.[1] ?? '')
          recipients?.push(...envelope.rcptTo.map(({ address }) => address))
        }
        done(refused)
      })
    },
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    port,
    refuses,
    senders: senders ?? [],
    froms: froms ?? [],
    recipients: recipients ?? [],
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

function refusal(words: string | null | undefined): Error | null {
  if (!words) return null
  const [, code, message] = /^(\d{3}) (.*)$/s.exec(words) ?? []
  return Object.assign(new Error(message), { responseCode: Number(code) })
}
