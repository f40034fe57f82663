/** The mail job: queues the reports that are due, and hands each waiting mail to the mail server once, over several connections on which partners take turns. */

import type { Log } from '../lib/log.ts'
import { type Mailer, type Message, mayHaveBeenTaken, openMailer, smtpServer, wasNotReached } from '../lib/network/smtp.ts'
import { openTakenRecipients, verdictOn } from '../lib/network/smtp-verdicts.ts'
import { workBudget } from '../lib/work/budget.ts'
import { type App, perApp } from '../model/core/app.ts'
import { isReportDue, queueDueReports } from '../model/mail/due-reports.ts'
import { mailPlaces } from '../model/mail/places.ts'
import {
  claimMail,
  isMailWaiting,
  type Mail,
  mailKinds,
  messageIdOf,
  settleAbandoned,
  settleFailed,
  settleRefused,
  settleSent,
  settleUncertain,
  settleUnknown,
  settleUnreached,
  type Turn,
} from '../model/mail/queue.ts'
import { refusalOf } from '../model/mail/suppressions.ts'
import { signedSenderOf } from '../model/partners/senders/mail-senders.ts'
import { placeOfMail } from '../model/partners/test-partners/test-mail.ts'

/** Composes a mail when it is sent; null if the recipient no longer wants it. */
export type Compose = (app: App, mail: Mail) => Promise<Message | null>

export async function isMailDue(app: App): Promise<boolean> {
  return (await isMailWaiting(app)) || (await isReportDue(app))
}

export async function deliverMail(app: App, log: Log, compose: Compose, signal: AbortSignal): Promise<void> {
  const abandoned = await settleAbandoned(app)
  if (abandoned > 0) log.error({ mails: abandoned }, 'mails were being sent when a process ended; they are not sent again')
  await queueDueReports(app)
  const mailer = await openMailer(app.settings, places)
  try {
    await sendInTurns({ app, log, compose, mailer }, signal)
  } finally {
    mailer.close()
  }
}

interface Desk {
  readonly app: App
  readonly log: Log
  readonly compose: Compose
  readonly mailer: Mailer
}

const { places, share } = workBudget.mail
/** The connections that reports leave to letters that a person waits for. */
const keptForPeople = 1
/** How often the queue is read again while a connection waits for the mail server. */
const againMilliseconds = 1000

/** Ends when no mail is due. A connection on which the mail server does not speak holds up its own mail only; meanwhile the others go on, with what is queued since. */
async function sendInTurns(desk: Desk, signal: AbortSignal): Promise<void> {
  const sending = new Map<Promise<void>, Mail>()
  let after = 0
  while (!signal.aborted) {
    const busy = [...sending.values()]
    const mail = busy.length < places ? await claimMail(desk.app, nextTurn(busy, after)) : null
    if (mail === null && busy.length === 0) break
    if (mail === null) await anyOf([...sending.keys()], sending.size < busy.length ? 0 : againMilliseconds)
    else {
      after = mail.partner_id
      await begin(desk, mail, sending)
    }
  }
  await Promise.all(sending.keys())
}

function nextTurn(sending: readonly Mail[], after: number): Turn {
  const isRoomForReports = sending.filter(({ kind }) => kind === 'report').length < places - keptForPeople
  const held = (partnerId: number) => sending.filter(({ partner_id }) => partner_id === partnerId).length
  const except = [...new Set(sending.map(({ partner_id }) => partner_id))].filter((id) => held(id) >= share)
  return { kinds: mailKinds.filter((kind) => kind !== 'report' || isRoomForReports), after, except }
}

/** One mail is composed at a time, since that is work of this machine; then it is sent beside others. */
async function begin(desk: Desk, mail: Mail, sending: Map<Promise<void>, Mail>): Promise<void> {
  const leave = await mailPlaces(desk.app).enter('mail', `partner ${mail.partner_id}`)
  const composed = desk.compose(desk.app, mail)
  const done = deliver(desk, mail, composed)
    // It stays `sending` and becomes uncertain, because the mail server may have it.
    .catch((error: unknown) => desk.log.error({ err: error, mail_id: mail.id }, 'what became of a mail could not be stored'))
    .finally(() => {
      sending.delete(done)
      leave()
    })
  sending.set(done, mail)
  await Promise.allSettled([composed])
}

async function deliver({ app, log, mailer }: Desk, mail: Mail, composed: Promise<Message | null>): Promise<void> {
  const failure = await composed.then((message) => message && send(app, mailer, mail, message)).then(() => null, asFailure)
  if (failure === null) return settleSent(app, mail)
  const { message: reason } = failure
  log.warn({ mail_id: mail.id, kind: mail.kind, attempts: mail.attempts, reason }, 'a mail was not sent')
  return settlerOf(app, mail, failure)(app, mail, reason)
}

function asFailure(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

/** Until one of them is done, or the time has passed. */
async function anyOf(works: readonly Promise<void>[], milliseconds: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, milliseconds)
  await Promise.race([...works, promise])
  clearTimeout(timer)
}

const takenRecipients = perApp(openTakenRecipients)

/** The mail goes nowhere, and no attempt changes that. */
class NobodyToMail extends Error {}

async function send(app: App, mailer: Mailer, mail: Mail, { subject, ...message }: Message): Promise<void> {
  const refusal = await refusalOf(app, mail)
  if (refusal !== null) throw new NobodyToMail(refusal)
  const { to, mark } = await placeOfMail(app, mail.partner_id, mail.recipient)
  if (to.length === 0) throw new NobodyToMail('This is a test, whose mails go to the admins of its partner alone, and there are none.')
  const sender = await signedSenderOf(app, mail.partner_id)
  const addressed = { to: [...to], subject: `${mark}${subject}`, messageId: messageIdOf(app, mail, sender) }
  await mailer.send({ ...message, ...addressed, sender })
  takenRecipients(app).add(smtpServer(app.settings), mail.recipient, app.clock.now())
}

function settlerOf(app: App, { recipient }: Mail, error: unknown): typeof settleRefused {
  if (error instanceof NobodyToMail) return settleFailed
  if (mayHaveBeenTaken(error)) return settleUncertain
  if (wasNotReached(error)) return settleUnreached
  const verdict = verdictOn(error)
  const takesOthers = takenRecipients(app).hasOther(smtpServer(app.settings), recipient, app.clock.now())
  return verdict === 'final' || (verdict === 'final where others are taken' && takesOthers) ? settleUnknown : settleRefused
}
