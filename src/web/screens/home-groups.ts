/** The sites of the home page added up by account or by business, each group with a trend of its own. */

import { type Html, html } from '../../lib/html.ts'
import type { HomeLine } from '../../model/dashboard/home.ts'
import { notDue } from '../../model/dashboard/slots.ts'
import { sparkline } from '../charts/sparkline.ts'
import { changeHtml, choice, ofAll } from '../components/components.ts'
import { pointsChange } from '../components/number-format.ts'
import { hrefWith, type PersonPageRequest } from '../page-request.ts'

const kinds = {
  account: { label: 'Account', nameOf: ({ site }: HomeLine) => site.account_name, idOf: ({ site }: HomeLine) => String(site.account_id) },
  business: {
    label: 'Business',
    nameOf: ({ site }: HomeLine) => site.business_name,
    idOf: ({ site }: HomeLine) => `${site.account_id} ${site.business_name}`,
  },
} as const

type GroupKind = keyof typeof kinds

/** Only what there are several of. */
function kindsIn(lines: readonly HomeLine[]): GroupKind[] {
  return (Object.keys(kinds) as GroupKind[]).filter((kind) => new Set(lines.map(kinds[kind].idOf)).size > 1)
}

function chosenIn({ query }: PersonPageRequest): GroupKind | null {
  return (Object.keys(kinds) as GroupKind[]).find((kind) => kind === query.get('group')) ?? null
}

export function groupChoices(request: PersonPageRequest, lines: readonly HomeLine[]): Html | null {
  const [known, chosen] = [kindsIn(lines), chosenIn(request)]
  if (known.length === 0 && chosen === null) return null
  const to = (group: string | null) => hrefWith(request, { group, page: null })
  return html`
    <div class="labelled">
      <span id="choose-group">Added up by</span>
      <nav class="segments" aria-labelledby="choose-group">
        ${choice(to(null), 'Nothing', chosen === null)}
        ${known.map((kind) => choice(to(kind), kinds[kind].label, kind === chosen))}
      </nav>
    </div>
  `
}

/** Above the list of sites; null where nothing is to be added up. */
export function groupsHtml(request: PersonPageRequest, lines: readonly HomeLine[]): Html | null {
  const chosen = chosenIn(request)
  if (chosen === null || lines.length === 0) return null
  const { label, idOf, nameOf } = kinds[chosen]
  const groups = [...Map.groupBy(lines, idOf).values()].map((some) => ({ name: nameOf(some[0] as HomeLine), lines: some }))
  const inOrder = groups.toSorted((a, b) => needing(b.lines) - needing(a.lines) || (a.name < b.name ? -1 : 1))
  return html`
    <section class="card list" aria-label="Groups">
      <table id="groups" class="stacks">
        <caption class="sr">Sites added up by ${label.toLowerCase()}</caption>
        <thead>
          <tr>
            <th scope="col">${label}</th>
            <th scope="col" class="n">Sites</th>
            <th scope="col" class="n">Need attention</th>
            <th scope="col" class="n">Visibility</th>
            <th scope="col" class="n">In the top 10</th>
            <th scope="col" class="hide-m">Visibility trend</th>
            <th scope="col" class="n">New reviews</th>
          </tr>
        </thead>
        <tbody>${inOrder.map(({ name, lines: some }) => groupHtml(request, name, some))}</tbody>
      </table>
    </section>
    <p class="note">Visibility of a group is the average over all its keywords, each on its engines.</p>
  `
}

function groupHtml(request: PersonPageRequest, name: string, lines: readonly HomeLine[]): Html {
  const { words } = request
  const now = lines.map(({ standings }) => standings.now)
  const compared = lines.flatMap(({ standings }) => standings.compared ?? [])
  const visibility = meanOf(now)
  const known = lines.flatMap(({ newReviews }) => newReviews ?? [])
  const total = (of: (one: (typeof now)[number]) => number) => sum(now.map(of))
  return html`
    <tr>
      <th scope="row"><a class="rowlink" href="${hrefWith(request, { q: name, group: null, page: null })}" dir="auto">${name}</a></th>
      <td class="n" data-l="Sites">${words.whole(lines.length)}</td>
      <td class="n" data-l="Need attention">${words.whole(needing(lines))}</td>
      <td class="n" data-l="Visibility">
        ${visibility === null ? html`<span class="quiet">not measured</span>` : words.decimal(visibility)}
        ${changeHtml(pointsChange(words, meanOf(compared.map((one) => one.now)), meanOf(compared.map(({ before }) => before))), 'only if any')}
      </td>
      <td class="n" data-l="In the top 10">${
        visibility === null
          ? null
          : ofAll(
              words,
              total((one) => one.keywordsTop10),
              total((one) => one.keywords),
            )
      }</td>
      <td class="hide-m">${sparkline(trendOf(lines), 'visibility')}</td>
      <td class="n" data-l="New reviews">${known.length === 0 ? null : words.whole(sum(known))}</td>
    </tr>
  `
}

function needing(lines: readonly HomeLine[]): number {
  return lines.filter(({ reasons }) => reasons.length > 0).length
}

/** Over all pairs of keyword and engine, as the visibility of a site is. */
function meanOf(standings: readonly { readonly pairs: number; readonly visibility: number | null }[]): number | null {
  const pairs = sum(standings.map((one) => one.pairs))
  return pairs === 0 ? null : sum(standings.map((one) => (one.visibility ?? 0) * one.pairs)) / pairs
}

/** The average of the sites in each part of the period, weighted by what is measured of each. */
function trendOf(lines: readonly HomeLine[]): (number | null)[] {
  const parts = Math.max(...lines.map(({ slots }) => slots.length))
  return Array.from({ length: parts }, (_, part) => {
    const measured = lines.flatMap(({ slots, standings }) => {
      const visibility = slots[part] ?? null
      return visibility === null || visibility === notDue ? [] : [{ pairs: Math.max(1, standings.now.pairs), visibility }]
    })
    return measured.length === 0 && lines.some(({ slots }) => slots[part] === notDue) ? notDue : meanOf(measured)
  })
}

function sum(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0)
}
