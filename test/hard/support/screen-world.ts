/** Everything there is to look at: people, sites of every shape, links, schedules and mails, on a service of its own. */
import { draftOf } from '../../../src/fields/read.ts'
import { deliverMail } from '../../../src/jobs/mail.ts'
import { openLog } from '../../../src/lib/log.ts'
import { dayNumber, dayText } from '../../../src/lib/time/days.ts'
import type { OperatorCaller } from '../../../src/model/core/caller.ts'
import { addAnnotation } from '../../../src/model/dashboard/annotations.ts'
import { renewFigures } from '../../../src/model/dashboard/desk/site-figures.ts'
import { readNdjson } from '../../../src/model/imports/formats.ts'
import { importObservations } from '../../../src/model/imports/import.ts'
import { sendAgain } from '../../../src/model/mail/due-reports.ts'
import { confirmRecipient, recipientToken } from '../../../src/model/mail/recipients.ts'
import { createSchedule } from '../../../src/model/mail/schedules.ts'
import { createAccount } from '../../../src/model/partners/accounts.ts'
import { createBusiness } from '../../../src/model/partners/businesses.ts'
import { createPartner } from '../../../src/model/partners/partners.ts'
import { createSite } from '../../../src/model/partners/sites.ts'
import { createShareLink } from '../../../src/model/people/share-links.ts'
import { createOwner } from '../../../src/model/people/users.ts'
import { newBusiness } from '../../../src/resources/business.ts'
import { newUser } from '../../../src/resources/user.ts'
import { composeByReaders } from '../../../src/web/letters/letter-work.ts'
import { freshPlace } from '../../support/engines.ts'
import { openMailbox } from '../../support/mailbox.ts'
import { deepWorld, type Line, manySites, oddWorlds } from '../../support/page-worlds.ts'
import { makePeople, measurePeople, password } from '../../support/people.ts'
import { staffIn } from '../../support/sample-world.ts'
import { startTestService } from '../../support/service.ts'

export async function openScreenWorld() {
  const [place, mailbox] = [await freshPlace('sqlite'), await openMailbox()]
  const service = await startTestService(place, { MARQUEE_SMTP_URL: mailbox.url, MARQUEE_MAIL_FROM: 'reports@service.example' })
  const { operator, url } = service
  const today = new Date().toISOString().slice(0, 10)
  const people = await makePeople(operator)
  await measurePeople(operator, people.partnerId)
  const odd = await makeOddSites(operator, today)
  const partner = await service.app.store.db
    .selectFrom('partners')
    .select('account_id')
    .where('id', '=', people.partnerId)
    .executeTakeFirstOrThrow()
  await staffIn(service, people.partnerId, partner.account_id ?? 0, 'quay')
  await renewFigures(service.app, AbortSignal.timeout(120_000))
  await addAnnotation(operator, people.chicago, { day: dayText(dayNumber(today) - 40), text: 'Moved to the new address' })
  const share = (label: string, given: string | null) => createShareLink(operator, people.chicago, { label, days: 30, password: given })
  const recipients = ['dana-owner@people.example', 'friend@else.example']
  const schedule = await createSchedule(operator, people.accountId, { rhythm: 'monthly', siteIds: null, recipients })
  const oddSchedule = await createSchedule(operator, odd.accountId, {
    rhythm: 'monthly',
    siteIds: null,
    recipients: ['odd-owner@people.example', 'unsure@else.example', 'fan@else.example'],
  })
  const tokens = oddSchedule.recipients.map(({ id }) => recipientToken(operator.app, id))
  await confirmRecipient(operator.app, tokens[2] ?? '')
  const deliver = () => deliverMail(service.app, openLog('error'), composeByReaders, new AbortController().signal)
  await deliver()
  return {
    service,
    operator,
    url,
    today,
    people,
    mailbox,
    odd: odd.sites,
    links: { shared: await share('The landlord', null), locked: await share('The bank', 'open sesame') },
    schedule: schedule.id,
    tokens: { asked: tokens[1] ?? '', confirmed: tokens[2] ?? '' },
    /** The mail with the report of the last month. */
    async reportTo(who: 'dana' | 'odd') {
      await sendAgain(operator, (who === 'dana' ? schedule : oddSchedule).id)
      await deliver()
      return mailbox.take(`${who}-owner@people.example`).at(-1) ?? missing(who)
    },
    async close() {
      await service.stop()
      await mailbox.close()
      await place.remove()
    },
  }
}

function missing(who: string): never {
  throw new Error(`No mail came to ${who}`)
}

async function makeOddSites(operator: OperatorCaller, today: string) {
  const worlds = oddWorlds(today)
  const { partner } = await createPartner(operator, 'Odd')
  const [account, many] = [await createAccount(operator, partner.id, 'Odd worlds'), await createAccount(operator, partner.id, 'Many')]
  const sites = new Map<string, number>()
  for (const domain of [...Object.keys(worlds), 'deep.example']) {
    const business = await createBusiness(operator, draftOf(newBusiness, { name: `Business of ${domain}`, account_id: account.id }))
    sites.set(domain, (await createSite(operator, business.id, domain)).id)
  }
  const take = async (accountId: number, batches: Iterable<readonly Line[]>) => {
    const bytes = (async function* () {
      for (const lines of batches) yield Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    })()
    await importObservations(operator, { partnerId: partner.id, accountId }, readNdjson(bytes), { createMissing: true })
  }
  await take(account.id, [Object.values(worlds).flat()])
  await take(account.id, deepWorld(today))
  await take(many.id, [manySites(today)])
  for (const [login, account_id] of [
    ['odd-owner', account.id],
    ['many-owner', many.id],
  ] as const)
    await createOwner(operator, draftOf(newUser, { login, email: `${login}@people.example`, password, account_id }))
  return { sites, accountId: account.id }
}
