/** What hangs below the things of an account, by the columns that name them. */
import type { App } from '../../../src/model/core/app.ts'
import type { HeldSite, Holding } from './holding.ts'
import type { Named } from './recipe.ts'
import { suppressedPerson, type World } from './world.ts'

/** Where the rows of a file are that brings a site with everything. */
export const stored = [
  ...([
    'businesses',
    'sites',
    'locations',
    'intake_steps',
    'intake_directory_steps',
    'subjects',
    'keywords',
    'ranking_months',
    'ranked_urls',
  ] as const),
  ...([
    'ranked_url_months',
    'click_count_months',
    'backlinks',
    'snapshots',
    'pages',
    'reviews',
    'review_count_months',
    'own_figure_months',
    'average_position_months',
    'periods',
  ] as const),
]

function ofKeywords(named: { keyword_id: readonly number[] }): Named {
  return {
    ranking_months: named,
    ranked_url_months: named,
    click_count_months: named,
    average_position_months: named,
    periods: named,
  }
}

export function withinAccount({ store }: App, accountId: number) {
  const versions: Named = { measured_versions: { account_id: accountId } }
  const idsOf = async (table: 'keywords' | 'pages', subjects: readonly number[]) => {
    const rows = store.db
      .selectFrom(table as 'keywords')
      .select('id')
      .where('account_id', '=', accountId)
      .where('subject_id', 'in', [0, ...subjects])
    return (await rows.execute()).map(({ id }) => id)
  }
  const keywords = (ids: readonly number[]): Named => {
    const months = { keyword_id: ids }
    return { ...versions, keywords: { id: ids }, ...ofKeywords(months) }
  }
  const pages = (ids: readonly number[]): Named => ({
    ...versions,
    pages: { id: ids },
    reviews: { page_id: ids },
    review_count_months: { page_id: ids },
  })
  const subjects = async (ids: readonly number[]): Promise<Named> => {
    const own = { subject_id: ids }
    const figures = { ranked_urls: own, backlinks: own, snapshots: own, own_figure_months: own }
    return { ...keywords(await idsOf('keywords', ids)), ...pages(await idsOf('pages', ids)), ...figures, subjects: { id: ids } }
  }
  /** What other values for the site itself change. */
  const changed = ({ keywords: ids, pages, own }: HeldSite): Named => {
    const months = { keyword_id: ids }
    const figures = { reviews: { page_id: pages }, own_figure_months: { subject_id: own } }
    return { ...ofKeywords(months), ...figures }
  }
  return {
    keywords,
    pages,
    /** Own figures are those of a site and never of a competitor. */
    competitor: async (id: number): Promise<Named> => {
      const { own_figure_months: _, ...named } = await subjects([id])
      return { ...named, old_ids: { kind: 'competitor', new_id: id } }
    },
    subjects,
    changed,
    /** What a file changes that has other values for the first site, and brings a new one. */
    imported: ({ sites: [first] }: Holding): Named => ({ ...versions, accounts: { id: accountId }, ...(first && changed(first)) }),
    /** One of three schedules is for all sites, one goes on with another site, and one was for the middle site alone. */
    leftSchedules: ({ schedules }: Holding): Named => ({
      report_schedules: { id: schedules.slice(1).map(({ id }) => id) },
      report_recipients: { schedule_id: schedules[2]?.id ?? 0 },
      report_runs: { schedule_id: schedules[2]?.id ?? 0 },
    }),
    /** What the later intake of the account created and changed, and its steps. */
    undone: async ({ late, sites, intakes }: Holding): Promise<Named> => {
      const [created, steps] = [await subjects(late.subjects), { intake_id: intakes[1] ?? 0 }]
      const months = { keyword_id: [...(await idsOf('keywords', late.subjects)), ...(sites[1]?.keywords ?? [])] }
      const reviews = { page_id: [...(await idsOf('pages', late.subjects)), ...(sites[1]?.pages ?? [])] }
      const figures = { reviews, own_figure_months: { subject_id: [...late.subjects, sites[1]?.own ?? 0] } }
      const changed = { ...ofKeywords(months), ...figures }
      const directory = {
        accounts: { id: accountId },
        sites: { id: late.id },
        businesses: { name: late.domain },
        locations: { site_id: late.id },
        site_figures: { site_id: late.id },
      }
      return {
        ...created,
        ...changed,
        ...directory,
        intakes: { id: intakes[1] ?? 0 },
        plain_series: steps,
        intake_steps: steps,
        intake_directory_steps: steps,
      }
    },
    site: async (site: HeldSite): Promise<Named> => {
      const [own, all] = [{ site_id: site.id }, await subjects(site.subjects)]
      const oldIds = [
        { kind: ['site', 'copied site'], new_id: site.id },
        { kind: 'competitor', new_id: site.rivals },
      ]
      const directory = {
        accounts: { id: accountId },
        sites: { id: site.id },
        locations: own,
        plain_series: own,
        share_links: own,
        read_tokens: own,
        site_figures: own,
        data_source_sites: own,
        annotations: own,
        review_marks: own,
        old_ids: oldIds,
      }
      const people = {
        abilities: { scope_type: 'Site', scope_id: site.id },
        users: { current_site_id: site.id },
        external_ids: { kind: 'site', record_id: site.id },
      }
      return { ...all, ...directory, ...people }
    },
  }
}

/** The reports by mail to the middle person of the target, from the partner's own accounts. */
export function mailed({ target: { accountId: account_id, people } }: World): Named {
  const email = people[1]?.email ?? ''
  return { report_recipients: { email, account_id }, mails: { recipient: email, account_id } }
}

/** From every partner's accounts. */
export function mailedByAll({ target: { people } }: World): Named {
  const email = people[1]?.email ?? ''
  return { report_recipients: { email }, mails: { recipient: email }, suppressions: { address: suppressedPerson } }
}

/** What an erased person leaves behind changed: their own row, and everything that speaks of them; mail that came after a deletion stays. */
export function traceless({ target, acme, traces }: World): Named {
  const person = target.people[1]
  const own = { user_id: person?.id ?? 0 }
  const rows = {
    abilities: own,
    account_editors: own,
    user_passwords: own,
    user_names: own,
    login_networks: own,
    sessions: own,
    login_links: own,
    pending_logins: own,
    email_changes: own,
    second_factors: own,
    recovery_codes: own,
    preferences: own,
    people_invitations: { invited_by: own.user_id },
    suppressions: { address: suppressedPerson, partner_id: acme.id },
  }
  const answers = { partner_id: acme.id, key: traces.answers }
  const external = { kind: 'user', record_id: own.user_id }
  return {
    ...rows,
    users: { id: own.user_id },
    external_ids: external,
    idempotency_records: answers,
    audit_details: { entry_id: traces.entries },
  }
}
