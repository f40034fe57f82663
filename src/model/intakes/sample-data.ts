/** Sample data for the first site of a customer, so that its pages can be seen filled: one file like any other, taken back by undoing it. */

import { notFound, refuse } from '../../lib/failures.ts'
import { dayNumber, dayText } from '../../lib/time/days.ts'
import type { StaffCaller } from '../core/caller.ts'
import { accountsWithin } from '../core/tenancy.ts'
import { findTarget } from '../imports/import.ts'
import type { IntakeRecord } from './intakes.ts'
import { createUploadFile, removeUpload } from './upload-files.ts'
import { createUpload, type UploadOptions } from './uploads.ts'

const days = 90
const phrases = ['near me', 'best in town', 'prices', 'reviews', 'opening hours', 'open on sunday', 'book online', 'phone number']
const words = [
  'Sample: friendly and quick, I would come again.',
  'Sample: good work at a fair price.',
  'Sample: I had to wait for a long time.',
  'Sample: they explained everything well.',
]

/** Refused for a customer with data of their own, which it would mix with. */
export async function storeSampleData(caller: StaffCaller, accountId: number): Promise<IntakeRecord> {
  const domain = await firstSite(caller, accountId)
  const { settings, clock } = caller.app
  const receiving = await createUploadFile(settings)
  try {
    await receiving.append(Buffer.from(sampleLines(domain, clock.now().slice(0, 10)).join('\n')))
    const file = await receiving.finish()
    const options: UploadOptions = {
      target: await findTarget(caller, { account: accountId }),
      words: {},
      createMissing: true,
      isDryRun: false,
      counts: 'daily',
    }
    return await createUpload(caller, file, 'Sample data', options)
  } catch (error) {
    await receiving.discard()
    await removeUpload(settings, receiving.name)
    throw error
  }
}

async function firstSite(caller: StaffCaller, accountId: number): Promise<string> {
  const { db } = caller.app.store
  const own = accountsWithin(caller, db).select('accounts.id').where('accounts.id', '=', accountId)
  const sites = db.selectFrom('sites').select(['id', 'domain']).where('account_id', 'in', own)
  const site = (await sites.orderBy('id').limit(1).executeTakeFirst()) ?? notFound('site')
  const figures = db.selectFrom('site_figures').select('site_id').where('account_id', '=', accountId)
  const measured = await figures.where('measured_on', 'is not', null).limit(1).executeTakeFirst()
  if (measured !== undefined) refuse('conflict', 'This customer has data already, with which the sample would mix.')
  return site.domain
}

/** The same for the same day: places that wave and slowly get better, and reviews of which most are good. */
function sampleLines(site: string, today: string): string[] {
  const last = dayNumber(today)
  const page = { site, source: 'google', page_url: `https://${site}/sample-reviews` }
  const lines: object[] = [{ type: 'page', ...page }]
  for (let ago = days - 1; ago >= 0; ago -= 1) {
    const day = dayText(last - ago)
    for (const [n, phrase] of phrases.entries()) {
      const rank = Math.max(1, Math.round(3 + n * 2 + ago / 12 + Math.sin(ago / 6 + n) * 2))
      lines.push({ type: 'ranking', site, phrase, search_engine: 'Google', locale: 'en-us', ranked_at: `${day} 04:00:00`, rank })
    }
    if (ago % 3 !== 0) continue
    const rating = ago % 15 === 0 ? 2 : 4 + (ago % 2)
    const detail = words[(ago / 3) % words.length]
    lines.push({ type: 'review', ...page, ref: `sample-${ago}`, rating, date: day, user: `Sample ${ago}`, detail })
    lines.push({ type: 'review_count', ...page, date: day, count: 1, rating_sum: rating })
  }
  return lines.map((line) => JSON.stringify(line))
}
