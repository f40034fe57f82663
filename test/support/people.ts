/** A small world to look at: people with different rights, and two sites with half a year of measurements and reviews. */
import { draftOf } from '../../src/fields/read.ts'
import { dayNumber, dayText } from '../../src/lib/time/days.ts'
import type { OperatorCaller } from '../../src/model/core/caller.ts'
import { readNdjson } from '../../src/model/imports/formats.ts'
import { importObservations } from '../../src/model/imports/import.ts'
import { createAccount } from '../../src/model/partners/accounts.ts'
import { createBusiness, deactivateBusiness } from '../../src/model/partners/businesses.ts'
import { createPartner } from '../../src/model/partners/partners.ts'
import { createSite } from '../../src/model/partners/sites.ts'
import { updateAbilities } from '../../src/model/people/abilities.ts'
import { createLoginLink } from '../../src/model/people/login-links.ts'
import { createOwner, createUser } from '../../src/model/people/users.ts'
import type { Ability } from '../../src/resources/ability.ts'
import { newBusiness } from '../../src/resources/business.ts'
import { newUser } from '../../src/resources/user.ts'

export const password = 'correct horse battery'

export interface PeopleWorld {
  readonly partnerId: number
  readonly accountId: number
  readonly chicago: number
  readonly evanston: number
  readonly closed: number
  readonly globexSite: number
  /** Ids by login. */
  readonly users: Readonly<Record<'dana-owner' | 'kim-one-site' | 'rosa-account' | 'lee-business' | 'newcomer' | 'gina-globex', number>>
}

export async function makePeople(operator: OperatorCaller): Promise<PeopleWorld> {
  const { partner } = await createPartner(operator, 'Acme')
  const accountId = (await createAccount(operator, partner.id, 'Harbor Dental')).id
  const business = async (name: string, account_id: number) =>
    (await createBusiness(operator, draftOf(newBusiness, { name, account_id }))).id
  const site = async (businessId: number, domain: string) => (await createSite(operator, businessId, domain)).id
  const [first, second, third] = [
    await business('Harbor Dental Chicago', accountId),
    await business('Harbor Dental Evanston', accountId),
    await business('Harbor Dental Old Town', accountId),
  ]
  const [chicago, evanston, closed] = [
    await site(first, 'chicago.harbor.example'),
    await site(second, 'evanston.harbor.example'),
    await site(third, 'oldtown.harbor.example'),
  ]
  const globex = await createPartner(operator, 'Globex')
  const globexSite = await site(await business('Globex Clinic', globex.account.id), 'globex.example')
  const person = async (login: string, account_id: number, abilities: readonly Ability[] = []) => {
    const { id } = await createUser(operator, draftOf(newUser, { login, email: `${login}@people.example`, password, account_id }))
    await updateAbilities(operator, id, { entries: abilities, faults: [] }, 'replace')
    return id
  }
  const owner = async (login: string, account_id: number) =>
    (await createOwner(operator, draftOf(newUser, { login, email: `${login}@people.example`, password, account_id }))).id
  const show = (scope_type: Ability['scope_type'], scope_id: number): Ability => ({ key: 'show', scope_type, scope_id })
  const users = {
    'dana-owner': await owner('dana-owner', accountId),
    'kim-one-site': await person('kim-one-site', accountId, [show('Site', chicago)]),
    'rosa-account': await person('rosa-account', accountId, [show('Account', accountId)]),
    'lee-business': await person('lee-business', accountId, [show('Business', second)]),
    newcomer: await person('newcomer', accountId),
    'gina-globex': await owner('gina-globex', globex.account.id),
  }
  await deactivateBusiness(operator, third)
  return { partnerId: partner.id, accountId, chicago, evanston, closed, globexSite, users }
}

/** Half a year of everything for the three sites of the account; without the lines that a database cannot hold. */
export async function measurePeople(operator: OperatorCaller, partnerId: number, isHeld = (_line: string) => true): Promise<void> {
  const today = operator.app.clock.now().slice(0, 10)
  const lines = [
    ...measurements('chicago.harbor.example', today, 12, -0.3),
    ...measurements('evanston.harbor.example', today, 6, 0.4),
    ...measurements('oldtown.harbor.example', today, 20, 0),
  ]
  const bytes = (async function* () {
    yield Buffer.from(
      lines
        .map((line) => JSON.stringify(line))
        .filter(isHeld)
        .join('\n'),
    )
  })()
  const summary = await importObservations(operator, { partnerId }, readNdjson(bytes), { createMissing: true })
  if (summary.refused > 0) throw new Error(JSON.stringify(summary.faults.slice(0, 3)))
}

const phrases = [
  'dentist near me',
  'teeth whitening',
  'emergency dentist',
  'dental implants',
  'invisalign',
  'root canal',
  'pediatric dentist',
  'dental cleaning',
]
const engines = [
  ['Google', 'en-us'],
  ['Bing', 'en-us'],
] as const

/** 200 days: trends that wave, days without measurement, a keyword that drops out; links, figures and reviews. */
function measurements(site: string, today: string, base: number, trend: number): object[] {
  const last = dayNumber(today)
  const days = Array.from({ length: 200 }, (_, index) => dayText(last - 199 + index))
  const rivals = ['rival-smiles.example', 'tooth-and-co.example']
  const lines: object[] = rivals.map((competitor) => ({ type: 'competitor', site, competitor }))
  lines.push({ type: 'location', site })
  for (const [k, phrase] of phrases.entries()) {
    for (const [e, [search_engine, locale]] of engines.entries()) {
      for (const [c, competitor] of [undefined, ...rivals].entries()) {
        for (const [d, day] of days.entries()) {
          if (d > 150 && d < 157) continue
          const value = base * (1 + k / 3) + (trend * base * d) / 200 + Math.sin(d / 9 + k + c) * 2 + e * 2 + c * 4
          const rank = k === 7 && d > 170 ? null : Math.max(1, Math.round(value))
          lines.push({
            type: 'ranking',
            site,
            ...(competitor && { competitor }),
            phrase,
            search_engine,
            locale,
            ranked_at: `${day} 04:05:06`,
            rank,
          })
        }
      }
    }
  }
  for (const [c, competitor] of [undefined, ...rivals].entries()) {
    for (const [d, day] of days.entries()) {
      if (d % 7 === 0)
        lines.push({
          type: 'snapshot',
          site,
          ...(competitor && { competitor }),
          day,
          download_time: 0.6 + Math.sin(d / 20) / 5,
          pages_indexed_in_google: 300 + d,
          pages_indexed_in_bing: 210 + d,
          pages_indexed_in_yahoo: 180,
          domain_authority: 38 + c,
          backlink_count: 1200 + d * 2 - c * 300,
          domain_count: 140 + c,
          domain_age: 2900 + d + c * 900,
        })
    }
  }
  for (const [d, day] of days.entries())
    for (let n = 0; n < d % 3; n++)
      lines.push({
        type: 'backlink',
        site,
        source_url: `https://blog-${d}-${n}.example/post`,
        found_on: day,
        link_strength: (d * 7 + n * 13) % 100,
        domain_authority: (d + n) % 80,
        anchor_text: ['good dentists', 'Harbor Dental', 'طبيب أسنان'][d % 3],
      })
  for (const source of ['google', 'bing', 'facebook']) {
    const page_url = `https://${source}.example/${site}`
    lines.push({ type: 'page', site, source, page_url, match_confidence: source === 'bing' ? 65 : 95, last_updated: today })
    for (const competitor of rivals)
      lines.push({ type: 'page', site, competitor, source, page_url: `https://${source}.example/${competitor}` })
    for (const [d, day] of days.entries()) {
      const ratings = Array.from(
        { length: (d + source.length) % 3 },
        (_, n) => 5 - ((d * 3 + n + source.length) % 7 === 0 ? 4 : (d + n) % 2),
      )
      for (const [n, rating] of ratings.entries())
        lines.push({
          type: 'review',
          site,
          source,
          page_url,
          ref: `${source}-${d}-${n}`,
          rating,
          date: day,
          user: `Reader ${d}`,
          header: headers[d % headers.length],
          detail: texts[(d + n) % texts.length],
          url: `${page_url}/r/${d}`,
        })
      if (ratings.length > 0)
        lines.push({
          type: 'review_count',
          site,
          source,
          page_url,
          date: day,
          count: ratings.length,
          rating_sum: ratings.reduce((sum, one) => sum + one, 0),
        })
      for (const competitor of rivals)
        lines.push({
          type: 'review_count',
          site,
          competitor,
          source,
          page_url: `https://${source}.example/${competitor}`,
          date: day,
          count: 1,
          rating_sum: 3 + (d % 3),
        })
    }
  }
  return lines
}

const headers = ['Gentle and quick', 'Waited an hour', '', 'مريح جدا']
const texts = [
  'They explained everything before they began, and it did not hurt at all. The front desk found me an appointment on the same day.',
  'My appointment was at nine and I was called at ten. Nobody said sorry.',
  '⭐️⭐️⭐️⭐️⭐️ would come again 😀',
  'خدمة ممتازة والطاقم لطيف جدا، أنصح بهم.',
  'Is it <b>really</b> this simple? & yes, it was. "Great" <script>alert(1)</script>',
  `${'A long story about a long afternoon, with many details about the waiting room, the magazines and the plant in the corner. '.repeat(8)}In the end all was well.`,
]

/** What stands at the end of a login link. */
export async function loginToken(operator: OperatorCaller, userId: number): Promise<string> {
  return (await createLoginLink(operator, userId)).url.split('/').at(-1) ?? ''
}
