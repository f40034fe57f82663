/** What a person dismisses on the list of sites, and shows again. */

import { type Html, html } from '../../lib/html.ts'
import { idIn } from '../../lib/text-kinds.ts'
import { dismiss, seenIn, seenText } from '../../model/dashboard/attention/dismissals.ts'
import type { HomeLine } from '../../model/dashboard/home.ts'
import type { ChosenPeriod } from '../../model/dashboard/periods/chosen-period.ts'
import { tokenField } from '../components/layout.ts'
import { type PageAnswer, type PersonPageRequest, redirect } from '../page-request.ts'
import { reasonText } from './reasons.ts'

export async function submitAttention(request: PersonPageRequest): Promise<PageAnswer> {
  const { form, query, params } = request
  await dismiss(request.loggedIn.person, idIn(params['site_id']), Number(form.get('days')), seenIn(form.get('seen') ?? ''))
  return redirect(query.size === 0 ? '/' : `/?${query}`)
}

/** The reasons of a site with a way to dismiss them, and what was dismissed with a way back. */
export function attentionHtml(request: PersonPageRequest, line: HomeLine, { days }: ChosenPeriod): Html | null {
  const { words } = request
  const { site, reasons, dismissed } = line
  if (reasons.length + dismissed.length === 0) return null
  const mayDismiss = request.loggedIn.view === null || request.loggedIn.view === undefined
  const form = (seen: string, label: string) => html`
    <form method="post" class="inline no-print" action="/sites/${site.id}/attention${request.query.size === 0 ? null : `?${request.query}`}">
      ${tokenField(request)}
      <input type="hidden" name="days" value="${days}">
      <input type="hidden" name="seen" value="${seen}">
      <button class="plain" aria-label="${label}: ${site.domain}">${label}</button>
    </form>
  `
  const told = reasons.map((reason) => reasonText(words, reason)).join(' · ')
  return html`
    ${reasons.length === 0 ? null : html`<small class="reasons">${told}${mayDismiss ? form(seenText([...reasons, ...dismissed]), 'Dismiss') : null}</small>`}
    ${dismissed.length === 0 ? null : html`<small class="quiet">Dismissed: ${dismissed.map((reason) => reasonText(words, reason)).join(' · ')}${mayDismiss ? form('', 'Show again') : null}</small>`}
  `
}
