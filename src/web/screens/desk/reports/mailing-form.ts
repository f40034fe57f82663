/** The fields of a report by mail: how often, to whom and about which sites. What was typed stays. */

import { type Html, html } from '../../../../lib/html.ts'
import { idIn } from '../../../../lib/text-kinds.ts'
import type { MailedCustomer } from '../../../../model/dashboard/desk/mailing.ts'
import type { ReportSchedule, ScheduleWishes } from '../../../../model/mail/schedules.ts'
import type { Release } from '../../../../resources/schedule.ts'
import { domainName } from '../../../components/names.ts'
import { breakable } from '../../../components/tables.ts'
import type { PersonPageRequest } from '../../../page-request.ts'
import { releaseChoices } from './run-texts.ts'

type Held = Pick<ReportSchedule, 'rhythm' | 'site_ids' | 'release' | 'recipients'>

export const freshMailing = { rhythm: 'monthly', site_ids: null, recipients: [] } as const

const rhythmChoices = {
  weekly: 'Every Monday, for the week before',
  monthly: 'On the first of a month, for the month before',
} as const

export function mailingFields({ form }: PersonPageRequest, { sites }: MailedCustomer, held: Held): Html {
  const isTyped = form.has('recipients')
  const rhythm = form.get('rhythm') ?? held.rhythm
  const release = form.get('release') ?? held.release
  const recipients = form.get('recipients') ?? held.recipients.map(({ email }) => email).join(', ')
  const chosen = isTyped ? form.getAll('site').map(idIn) : (held.site_ids ?? [])
  return html`
    <div class="field">
      <label for="rhythm">How often</label>
      <select id="rhythm" name="rhythm">
        ${Object.entries(rhythmChoices).map(([value, label]) => html`<option value="${value}"${value === rhythm ? html` selected` : null}>${label}</option>`)}
      </select>
    </div>
    <div class="field">
      <label for="recipients">Email addresses, separated by commas</label>
      <input id="recipients" name="recipients" autocomplete="off" value="${recipients}">
    </div>
    <div class="field">
      <label for="release">When it is due</label>
      <select id="release" name="release">
        ${Object.entries(releaseChoices).map(([value, label]) => html`<option value="${value}"${value === release ? html` selected` : null}>${label}</option>`)}
      </select>
    </div>
    ${sites === null ? html`<input type="hidden" name="sites" value="kept">` : siteChoice(sites, new Set(chosen))}
  `
}

function siteChoice(sites: NonNullable<MailedCustomer['sites']>, chosen: ReadonlySet<number>): Html | null {
  if (sites.length < 2) return null
  const boxes = sites.map(
    ({ id, domain }) => html`
      <label class="check">
        <input type="checkbox" name="site" value="${id}"${chosen.has(id) ? html` checked` : null}> ${breakable(domainName(domain))}
      </label>
    `,
  )
  return html`
    <details class="some-sites"${chosen.size > 0 ? html` open` : null}>
      <summary>Only some sites</summary>
      <p class="quiet small">Without a choice the mail is about every site, also about those to come.</p>
      <div class="boxes">${boxes}</div>
    </details>
  `
}

/** Where there are more sites than anybody chooses from, they stay as they are. */
export function wishesIn({ form }: PersonPageRequest): Partial<ScheduleWishes> & Pick<ScheduleWishes, 'rhythm' | 'recipients'> {
  const sites = form.getAll('site')
  return {
    // The model refuses any other word.
    rhythm: (form.get('rhythm') ?? '') as ScheduleWishes['rhythm'],
    recipients: (form.get('recipients') ?? '').split(/[\s,;]+/).filter(Boolean),
    ...(form.has('release') && { release: (form.get('release') ?? '') as Release }),
    ...(form.get('sites') !== 'kept' && { siteIds: sites.length === 0 ? null : sites.map(idIn) }),
  }
}
