/** The period picker: days up to today, calendar months and years, a custom period, and the comparison. */

import { type Html, html } from '../../lib/html.ts'
import { type ChosenPeriod, calendarPresets, comparisons, dayPresets } from '../../model/dashboard/periods/chosen-period.ts'
import { hrefWith, type PageRequest } from '../page-request.ts'
import { choice } from './components.ts'
import { isOfPeriod } from './period.ts'

const noSpan = { days: null, period: null, from: null, to: null, page: null, links: null }

export function periodPicker(request: PageRequest, period: ChosenPeriod, choices?: Html): Html {
  const links = dayPresets.map((days) => dayChoice(request, days, period.preset === String(days)))
  return html`
    <div class="bar-row period">
      <nav class="segments" aria-label="Period">
        ${links}
        ${moreChoices(request, period)}
      </nav>
      ${choices}
    </div>
    ${period.complaint ? html`<p class="notice wrong" role="alert">${period.complaint}</p>` : null}
  `
}

function dayChoice(request: PageRequest, days: number, isChosen: boolean): Html {
  return html`
    <a href="${hrefWith(request, { ...noSpan, days: String(days) })}" aria-label="${days} days"${isChosen ? html` aria-current="true"` : null}>
      ${days}<span class="hide-s"> days</span>
    </a>
  `
}

/** Says which days are shown and compared, and in which time zone. */
export function describe({ words }: PageRequest, { from, to, before, zone }: ChosenPeriod): string {
  const compared = before ? `, compared with ${words.span(before.from, before.to)}` : ''
  return `${words.span(from, to)}${compared}. Days in ${zone === 'UTC' ? 'UTC' : zone.replaceAll('_', ' ')}.`
}

function moreChoices(request: PageRequest, period: ChosenPeriod): Html {
  const isMore = period.preset === null || period.preset in calendarPresets
  const calendar = Object.entries(calendarPresets).map(([name, label]) =>
    choice(hrefWith(request, { ...noSpan, period: name }), label, period.preset === name),
  )
  const compared = Object.entries(comparisons).map(([name, label]) =>
    choice(hrefWith(request, { compare: name === 'before' ? null : name, page: null, links: null }), label, period.compare === name),
  )
  return html`
    <details class="custom">
      <summary${isMore ? html` aria-current="true"` : null}>More</summary>
      <div class="drop">
        <p class="quiet small">Calendar</p>
        <div class="choices">${calendar}</div>
        ${ownDays(request, period)}
        <p class="quiet small">Compared with</p>
        <div class="choices">${compared}</div>
      </div>
    </details>
  `
}

function ownDays(request: PageRequest, { from, to }: ChosenPeriod): Html {
  const kept = [...request.query].filter(([name]) => name === 'compare' || (!isOfPeriod(name) && name !== 'page' && name !== 'links'))
  return html`
    <form action="${request.path}">
      ${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
      <label>From<input type="date" name="from" value="${from}" required></label>
      <label>To<input type="date" name="to" value="${to}" required></label>
      <button class="button">Show</button>
    </form>
  `
}
