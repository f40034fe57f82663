/** The reports of one period, read before they go: how many are ready and held, and what is done with each. */

import { Failure, notFound } from '../../../../lib/failures.ts'
import { type Html, html } from '../../../../lib/html.ts'
import { ownEntry } from '../../../../lib/own-entry.ts'
import { idIn } from '../../../../lib/text-kinds.ts'
import { daysLater } from '../../../../lib/time/days.ts'
import type { StaffCaller } from '../../../../model/core/caller.ts'
import { listRun, type RunLine, runMails } from '../../../../model/dashboard/desk/report-run.ts'
import { type NamedPeriod, periodNamed, runningPeriod } from '../../../../model/mail/periods.ts'
import { type Decision, decideRun } from '../../../../model/mail/release.ts'
import { readyVersion, releaseReady } from '../../../../model/mail/release-ready.ts'
import { staffCallerOf } from '../../../../model/people/staff/staff-rules.ts'
import { choice, keptFields, leftOffPaper, matcherOf, pageLinks, showAllOnPhone, sliceOf } from '../../../components/components.ts'
import { framed, tokenField } from '../../../components/layout.ts'
import { sentenceOf } from '../../../error-page.ts'
import { hrefWith, type PageAnswer, type PersonPageRequest, redirect } from '../../../page-request.ts'
import { isReady, type RunStanding, runHtml, standingOf, standings } from './run-table.ts'
import { periodName } from './run-texts.ts'

const runsAtOnce = 100

/** Browsers send a form again whose answer does not come. */
const sendingMilliseconds = 10_000

const done: Readonly<Record<string, string>> = {
  all: 'Those that were ready are on their way; where there are very many, the next ones are sent in the same way.',
  none: 'None was ready any more; nothing is sent twice.',
  send: 'The report goes.',
  skip: 'The report is skipped; nobody gets it.',
  note: 'The sentence is saved.',
}

export async function showRun(request: PersonPageRequest): Promise<PageAnswer> {
  const [staff, period] = [staffCallerOf(request.loggedIn.person), periodOf(request)]
  const lines = await listRun(staff, period)
  const name = periodName(request.words, { rhythm: period.rhythm, period_from: period.from, period_to: period.to })
  const told = ownEntry(done, request.query.get('done'))
  const main = html`
    <p class="crumb"><a href="/desk/reports">Reports by mail</a></p>
    <h1>Reports of ${name}</h1>
    <p class="lead">${leadOf(request, period, lines)}</p>
    ${request.wrong === null ? null : html`<p class="notice wrong" role="alert">${request.wrong}</p>`}
    ${told && request.wrong === null ? html`<p class="notice" role="status">${told}</p>` : null}
    ${sendAllHtml(request, lines)}
    ${lines.length === 0 ? null : await listHtml(request, staff, period, lines)}
  `
  return { body: framed(request, { title: `Reports of ${name}`, main, printed: name }) }
}

export async function submitRun(request: PersonPageRequest): Promise<PageAnswer> {
  const { form } = request
  const [staff, period] = [staffCallerOf(request.loggedIn.person), periodOf(request)]
  try {
    if (form.get('do') === 'all') {
      const sent = await releaseReady(staff, period, form.get('was') ?? '', sendingMilliseconds)
      return redirect(hrefWith(request, { done: sent > 0 ? 'all' : 'none', page: null }))
    }
    const [decision, scheduleId] = [decisionIn(form), idIn(form.get('schedule') ?? '')]
    await decideRun(staff, { scheduleId, period }, decision, form.get('was') ?? '', form.get('sentence') ?? undefined)
    return redirect(`${hrefWith(request, { done: decision })}#report-${scheduleId}`)
  } catch (error) {
    if (!(error instanceof Failure) || !['conflict', 'validation_failed'].includes(error.code)) throw error
    return { wrong: sentenceOf(error), body: '' }
  }
}

function decisionIn(form: URLSearchParams): Decision {
  const word = form.get('do')
  return word === 'send' || word === 'skip' ? word : 'note'
}

/** One that is over, or the one that ends next. */
function periodOf({ app, params }: PersonPageRequest): NamedPeriod {
  const period = periodNamed(params['period'] ?? '') ?? notFound('page')
  const running = runningPeriod(period.rhythm, app.clock.now().slice(0, 10))
  return period.to <= running.to ? period : notFound('page')
}

function leadOf({ app, words }: PersonPageRequest, { rhythm, to }: NamedPeriod, lines: readonly RunLine[]): string {
  if (lines.length === 0) return 'No report is about this period.'
  const isAhead = to >= app.clock.now().slice(0, 10)
  const counted = countsOf(lines).map(([standing, count]) => `${words.whole(count)} ${standings[standing].counted}`)
  const due = isAhead
    ? `Due on ${words.day(daysLater(to, 1))}, as things are: `
    : `${words.count(lines.length, 'report')} every ${rhythm === 'weekly' ? 'week' : 'month'}: `
  return `${due}${counted.join(', ')}.`
}

function countsOf(lines: readonly RunLine[]): [RunStanding, number][] {
  const counts = Map.groupBy(lines, standingOf)
  return (Object.keys(standings) as RunStanding[]).flatMap((standing): [RunStanding, number][] => {
    const count = counts.get(standing)?.length ?? 0
    return count === 0 ? [] : [[standing, count]]
  })
}

function sendAllHtml(request: PersonPageRequest, lines: readonly RunLine[]): Html | null {
  const ready = lines.filter(isReady).toSorted((a, b) => a.schedule_id - b.schedule_id)
  if (ready.length === 0) return null
  return html`
    <form method="post" action="${hrefWith(request, { done: null })}" class="bar-row no-print">
      ${tokenField(request)}
      <input type="hidden" name="was" value="${readyVersion(ready)}">
      <button class="button" name="do" value="all">${ready.length === 1 ? 'Send the one that is ready' : `Send the ${request.words.whole(ready.length)}`}</button>
      <span class="quiet">What is held stays held.</span>
    </form>
  `
}

async function listHtml(request: PersonPageRequest, staff: StaffCaller, period: NamedPeriod, lines: readonly RunLine[]): Promise<Html> {
  const some = found(request, lines)
  const order = Object.keys(standings)
  const inOrder = some.toSorted((a, b) => order.indexOf(standingOf(a)) - order.indexOf(standingOf(b)))
  const slice = sliceOf(request, 'page', inOrder, runsAtOnce)
  const mails = await runMails(
    staff,
    slice.items.map(({ schedule_id }) => schedule_id),
    period,
  )
  return html`
    <form class="filters no-print" action="${request.path}">
      ${keptFields(request, ['q', 'page', 'done'])}
      <label for="narrow">
        Search by customer
        <input id="narrow" type="search" name="q" value="${request.query.get('q')}" autocomplete="off">
      </label>
      <button class="button soft">Search</button>
      ${standingChoices(request, lines)}
    </form>
    <p class="quiet small" role="status">${some.length < lines.length ? `${some.length} of ${lines.length} shown` : ''}</p>
    ${slice.items.length > 0 ? runHtml(request, period, slice.items, mails) : html`<p class="quiet">No report fits.</p>`}
    ${showAllOnPhone(request, slice.items.length, '#run')}
    ${pageLinks(request, 'page', slice, 'run')}
    ${leftOffPaper(request.words, slice.items.length, some.length, 'reports', 'the print view')}
  `
}

function found({ query }: PersonPageRequest, lines: readonly RunLine[]): RunLine[] {
  const [chosen, isSought] = [query.get('show') ?? '', matcherOf((query.get('q') ?? '').trim())]
  const isChosen = (line: RunLine) => !Object.hasOwn(standings, chosen) || standingOf(line) === chosen
  return lines.filter((line) => isChosen(line) && isSought(line.customer))
}

function standingChoices(request: PersonPageRequest, lines: readonly RunLine[]): Html {
  const chosen = request.query.get('show')
  const to = (show: string | null) => hrefWith(request, { show, page: null, done: null })
  return html`
    <nav class="segments" aria-label="Which reports">
      ${choice(to(null), `All ${lines.length}`, !chosen)}
      ${countsOf(lines).map(([standing, count]) => choice(to(standing), `${standings[standing].label} ${count}`, chosen === standing))}
    </nav>
  `
}
