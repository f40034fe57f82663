/** A real mail server for tests: keeps what it is given, parsed by a second program. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  readonly to: string
  /** The sender of the envelope. */
  readonly sender: string
  /** The bytes as they came. */
  readonly raw: Buffer
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
  readonly attachments: readonly { readonly type: string; readonly cid: string; readonly content: Buffer }[]
}

export interface Mailbox {
  readonly url: string
  /** The mails that came for an address since it was asked last. */
  take(address: string): ReceivedMail[]
  close(): Promise<void>
}

export async function openMailbox(): Promise<Mailbox> {
  let received: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const to = envelope.rcptTo.map(({ address }) => address).join()
        const sender = envelope.mailFrom === false ? '' : envelope.mailFrom.address
        void parsed({ to, sender, raw: Buffer.concat(chunks) }).then((mail) => {
          received.push(mail)
          done()
        }, done)
      })
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    take(address) {
      const own = received.filter(({ to }) => to === address)
      received = received.filter(({ to }) => to !== address)
      return own
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

async function parsed(came: Pick<ReceivedMail, 'to' | 'sender' | 'raw'>): Promise<ReceivedMail> {
  const mail = await PostalMime.parse(came.raw, { attachmentEncoding: 'arraybuffer' })
  return {
    ...came,
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    html: mail.html ?? '',
    headers: Object.fromEntries(mail.headers.map(({ key, value }) => [key, value])),
    attachments: mail.attachments.map(({ mimeType, contentId, content }) => ({
      type: mimeType,
      cid: (contentId ?? '').replace(/^<|>$/g, ''),
      content: Buffer.from(content as ArrayBuffer),
    })),
  }
}
