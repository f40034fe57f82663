/** The mail job: queues the reports that are due, and hands each waiting mail to the mail server once. */

import type { Log } from '../lib/log.ts'
import { type Message, mayHaveBeenTaken, sendMail, smtpServer } from '../lib/network/smtp.ts'
import { openTakenRecipients, verdictOn } from '../lib/network/smtp-verdicts.ts'
import { type App, perApp } from '../model/core/app.ts'
import { isReportDue, queueDueReports } from '../model/mail/due-reports.ts'
import { mailPlaces } from '../model/mail/places.ts'
import {
  claimMail,
  isMailWaiting,
  type Mail,
  messageIdOf,
  settleAbandoned,
  settleFailed,
  settleRefused,
  settleSent,
  settleUncertain,
} from '../model/mail/queue.ts'

/** Composes a mail when it is sent; null if the recipient no longer wants it. */
export type Compose = (app: App, mail: Mail) => Promise<Message | null>

export async function isMailDue(app: App): Promise<boolean> {
  return (await isMailWaiting(app)) || (await isReportDue(app))
}

export async function deliverMail(app: App, log: Log, compose: Compose, signal: AbortSignal): Promise<void> {
  const abandoned = await settleAbandoned(app)
  if (abandoned > 0) log.error({ mails: abandoned }, 'mails were being sent when a process ended; they are not sent again')
  await queueDueReports(app)
  // The place is taken before the mail is claimed, because a claimed mail must be sent.
  const next = () => mailPlaces(app).pass('mail', 'job', () => deliverNext(app, log, compose))
  while (!signal.aborted && (await next()));
}

/** False if no mail is waiting. */
async function deliverNext(app: App, log: Log, compose: Compose): Promise<boolean> {
  const mail = await claimMail(app)
  if (mail !== null) await deliver(app, log, compose, mail)
  return mail !== null
}

async function deliver(app: App, log: Log, compose: Compose, mail: Mail): Promise<void> {
  try {
    const message = await compose(app, mail)
    if (message !== null) await send(app, mail, message)
    await settleSent(app, mail)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    log.warn({ mail_id: mail.id, kind: mail.kind, attempts: mail.attempts, reason }, 'a mail was not sent')
    await settlerOf(app, mail, error)(app, mail, reason)
  }
}

const takenRecipients = perApp(openTakenRecipients)

async function send(app: App, mail: Mail, message: Message): Promise<void> {
  await sendMail(app.settings, { ...message, to: mail.recipient, messageId: messageIdOf(app, mail) })
  takenRecipients(app).add(smtpServer(app.settings), mail.recipient, app.clock.now())
}

function settlerOf(app: App, { recipient }: Mail, error: unknown): typeof settleRefused {
  if (mayHaveBeenTaken(error)) return settleUncertain
  const verdict = verdictOn(error)
  const takesOthers = takenRecipients(app).hasOther(smtpServer(app.settings), recipient, app.clock.now())
  return verdict === 'final' || (verdict === 'final where others are taken' && takesOthers) ? settleFailed : settleRefused
}
