/** Generates measurements of the demo world up to today: half a year in the first run, and what is new since in later ones. */

import { dayNumber, dayText } from '../lib/time/days.ts'
import type { OperatorCaller } from '../model/core/caller.ts'
import { readStoredValue, setStoredValue } from '../model/core/stored-values.ts'
import { addAnnotation } from '../model/dashboard/annotations.ts'
import { countTaken, importObservations } from '../model/imports/import.ts'
import type { ImportLine } from '../model/imports/import-line.ts'
import { createAccount } from '../model/partners/accounts.ts'
import { chance, seedOf } from './chance.ts'
import type { Trade } from './phrases.ts'
import { type DemoIds, idOf } from './read.ts'
import { reputationOf } from './reputation.ts'
import { backlinksOf, type DemoDays, type DemoSubject, figuresOf, improved, type Line, phrasesOf, rankingsOf } from './search.ts'
import { accounts, businesses, demoPartner, rivalPartner, sites } from './world.ts'

const measuredDays = 180
const keywordsOfSite = 25
const keywordsOfCompetitor = 8
const competitorsOfSite = 3
const arrivalsPerBatch = 500
/** The day of the first run. */
const storyDay = 'demo_told'

interface MeasuredSite {
  readonly account: number
  readonly site: string
  readonly business: string
  readonly trade: Trade
}

/** `scale` is the number of copies of the sites; those after the first are in accounts of their own. */
export async function measureDemo(
  caller: OperatorCaller,
  ids: DemoIds,
  scale = 1,
  tell: (progress: string) => void = () => {},
): Promise<void> {
  for (const partner of [demoPartner, rivalPartner])
    await measure(caller, ids, { partnerId: idOf(ids.partners, partner), name: partner }, sitesOf(ids, partner), tell)
  for (let copy = 2; copy <= scale; copy++) {
    const account = ids.accounts.get(copyName(copy)) ?? (await createAccount(caller, idOf(ids.partners, demoPartner), copyName(copy))).id
    await measure(caller, ids, { partnerId: idOf(ids.partners, demoPartner), name: copyName(copy) }, copyOf(ids, copy, account), tell)
  }
}

async function measure(
  caller: OperatorCaller,
  ids: DemoIds,
  { partnerId, name }: { readonly partnerId: number; readonly name: string },
  measured: readonly MeasuredSite[],
  tell: (progress: string) => void,
): Promise<void> {
  const { store, clock } = caller.app
  const fact = `demo_measured ${name}`
  const last = dayNumber(clock.now().slice(0, 10))
  const known = await readStoredValue(store.db, fact)
  const told = await readStoredValue(store.db, storyDay)
  const first = known === undefined ? last - measuredDays + 1 : dayNumber(known) + 1
  const days = { first, last, told: told === undefined ? last : dayNumber(told) }
  if (days.first > last) return
  tell(`measuring ${name}: sites ${measured.length}, days ${last - days.first + 1}`)
  const summary = await importObservations(caller, { partnerId }, arrivalsOf(measured, days), { createMissing: true })
  countTaken(caller, { partnerId }, summary)
  await store.write(async (tx) => {
    await setStoredValue(tx, fact, dayText(last))
    await setStoredValue(tx, storyDay, dayText(days.told))
  })
  const site = ids.sites.get(improved.site)
  if (told === undefined && site !== undefined)
    await addAnnotation(caller, site, { day: dayText(last - improved.daysAgo), text: improved.note })
  const made = Object.entries(summary.kinds).filter(([, { created }]) => created > 0)
  tell(`measured ${made.map(([kind, { created }]) => `${created.toLocaleString('en-US')} ${kind.replace('_', ' ')}s`).join(', ')}`)
}

export function sitesOf(ids: DemoIds, partner: string): MeasuredSite[] {
  const ofPartner = accounts.filter((account) => account.partner === partner).map(({ name }) => name)
  return sites.flatMap(({ business, domain, trade }) => {
    const account = businesses.find(({ name }) => name === business)?.account ?? ''
    return ofPartner.includes(account) ? [{ account: idOf(ids.accounts, account), site: domain, business, trade }] : []
  })
}

function copyName(copy: number): string {
  return `Demo Copy ${copy}`
}

function copyOf(ids: DemoIds, copy: number, account: number): MeasuredSite[] {
  return sitesOf(ids, demoPartner).map(({ site, trade }, i) => ({
    account,
    site: `copy${copy}.${site}`,
    business: `Business ${copy}-${i + 1}`,
    trade,
  }))
}

async function* arrivalsOf(measured: readonly MeasuredSite[], days: DemoDays): AsyncGenerator<ImportLine[]> {
  let batch: ImportLine[] = []
  let line = 0
  for (const record of linesOf(measured, days)) {
    line++
    if (batch.push({ line, record }) < arrivalsPerBatch) continue
    yield batch
    batch = []
  }
  yield batch
}

export function* linesOf(measured: readonly MeasuredSite[], days: DemoDays): Generator<Line> {
  for (const { account, site, business, trade } of measured) {
    yield { type: 'site', account, site, business }
    yield* subjectLines({ account, site }, trade, keywordsOfSite, days)
    for (const competitor of competitorsOf(site, trade))
      yield* subjectLines({ account, site, competitor }, trade, keywordsOfCompetitor, days)
  }
}

/** A competitor is measured for the first of the site's own phrases. */
function* subjectLines(subject: DemoSubject, trade: Trade, keywords: number, days: DemoDays): Generator<Line> {
  for (const phrase of phrasesOf(subject.site, trade, keywords)) yield* rankingsOf(subject, phrase, days)
  yield* figuresOf(subject, days)
  yield* backlinksOf(subject, days)
  yield* reputationOf(subject, trade, days)
}

const rivalNames = ['bright', 'north', 'prime', 'metro', 'royal', 'corner', 'lakeside', 'union'] as const

function competitorsOf(site: string, trade: Trade): string[] {
  const seed = seedOf(site, 'competitors')
  const names = [...rivalNames].sort((a, b) => chance(seedOf(a), seed) - chance(seedOf(b), seed))
  return names.slice(0, competitorsOfSite).map((name) => `${name}-${trade}.example`)
}
