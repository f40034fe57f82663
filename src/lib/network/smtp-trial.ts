/** Tries a mail server for the doctor: connects, logs in, and names the sender of a mail that is taken back before it has a recipient. */

import type { Socket } from 'node:net'
import { readSender } from './sender.ts'
import { type SmtpSettings, smtpOptions } from './smtp.ts'

/** Rejects with the words of the server or of TLS, and with the `command` that was refused. */
export async function trySender(settings: SmtpSettings, milliseconds: number): Promise<void> {
  const { default: SMTPTransport } = await import('nodemailer/lib/smtp-transport')
  const { default: SMTPConnection } = await import('nodemailer/lib/smtp-connection')
  const limits = { connectionTimeout: milliseconds, greetingTimeout: milliseconds, dnsTimeout: milliseconds, socketTimeout: milliseconds }
  const { options, auth } = new SMTPTransport({ ...smtpOptions(settings), ...limits })
  const connection = new SMTPConnection(options)
  const failed = new Promise<never>((_, reject) => connection.on('error', reject))
  failed.catch(() => {})
  const within = <T>(step: Promise<T>) => Promise.race([step, failed])
  try {
    await within(called((done) => connection.connect(done)))
    if (auth && connection.allowsAuth) await within(called((done) => connection.login(auth, done)))
    const { address } = readSender(settings.mailFrom ?? '') ?? {}
    if (address === undefined || !connection._socket) return
    const ask = commandsOn(connection._socket)
    await within(ask('MAIL FROM', `:<${address}>`))
    await within(ask('RSET'))
  } finally {
    connection.close()
  }
}

function called(work: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => work((error) => (error ? reject(error) : resolve())))
}

/** nodemailer sends a sender only together with recipients, so from here on this file speaks itself. */
function commandsOn(socket: Socket) {
  socket.removeAllListeners('data')
  return async (command: string, rest = '') => {
    const { promise, resolve } = Promise.withResolvers<string>()
    let answer = ''
    const read = (chunk: Buffer) => {
      answer += chunk
      if (/^\d{3}(?!-)[^\n]*\n/m.test(answer)) resolve(answer.trim())
    }
    socket.on('data', read)
    socket.write(`${command}${rest}\r\n`)
    const said = await promise
    socket.off('data', read)
    if (!said.startsWith('2')) throw Object.assign(new Error(said), { command })
  }
}
