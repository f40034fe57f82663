/** Tells the admins of a partner by mail that the record which proves a host of theirs is missing: once each time that it goes, and only after a second look, because zones are edited. */

import { notFound } from '../../lib/failures.ts'
import { sendsMail } from '../../lib/network/smtp.ts'
import type { App } from '../core/app.ts'
import { type NamedHost, proofRecordOf } from '../partners/hosts/named-hosts.ts'
import { foldEmail } from './addresses.ts'
import { type NewMail, queueMail } from './queue.ts'

export interface MissingHostPayload {
  readonly partner_id: number
  readonly host_name: string
}

export interface MissingHost extends Pick<NamedHost, 'host_name' | 'for_pages' | 'record'> {
  readonly missingSince: string
}

export async function tellMissingHosts(app: App): Promise<void> {
  if (!sendsMail(app.settings)) return
  const mails = await mailsToAdmins(app)
  const keys = mails.map(({ key }) => key)
  const known = keys.length === 0 ? [] : await app.store.db.selectFrom('mails').select('key').where('key', 'in', keys).execute()
  const isKnown = new Set(known.map(({ key }) => key))
  const news = mails.filter(({ key }) => !isKnown.has(key))
  for (const mail of news) await app.store.write((tx) => queueMail(tx, app, mail))
}

/** What is wrong now, for the mail; there is nothing to tell once the record is back or the host is given up. */
export async function readMissingHost(app: App, { partner_id, host_name }: MissingHostPayload): Promise<MissingHost> {
  const hosts = missing(app).select(['host_name', 'token', 'for_pages', 'missing_since'])
  const host = await hosts.where('named_hosts.partner_id', '=', partner_id).where('host_name', '=', host_name).executeTakeFirst()
  if (!host?.missing_since) return notFound('host')
  return { host_name, for_pages: host.for_pages, record: proofRecordOf(host), missingSince: host.missing_since }
}

const mostAtOnce = 200

async function mailsToAdmins(app: App): Promise<NewMail[]> {
  const told = await missing(app)
    .innerJoin('staff', 'staff.partner_id', 'named_hosts.partner_id')
    .innerJoin('users', 'users.id', 'staff.user_id')
    .where('staff.role', '=', 'admin')
    .where('users.state', 'not in', ['suspended', 'deleted'])
    .select(['named_hosts.partner_id', 'host_name', 'missing_since', 'users.id', 'users.email', 'users.account_id'])
    .orderBy('missing_since', 'desc')
    .limit(mostAtOnce)
    .execute()
  return told.map(({ partner_id, host_name, missing_since, id, email, account_id }) => {
    const payload: MissingHostPayload = { partner_id, host_name }
    const key = `host_missing:${partner_id}:${host_name}:${missing_since}:${id}`
    return { key, kind: 'host_missing', account_id, recipient: foldEmail(email), payload }
  })
}

/** Those in use that were proved once, and seen without their record twice. */
function missing({ store }: App) {
  return store.db
    .selectFrom('named_hosts')
    .innerJoin('partners', 'partners.id', 'named_hosts.partner_id')
    .where('partners.state', '=', 'active')
    .where((row) => row.or([row('for_pages', '=', 'served'), row('for_frames', '=', 1)]))
    .where('seen', '=', 'absent')
    .where('proved_at', 'is not', null)
    .whereRef('looked_at', '>', 'missing_since')
}
