/** What anybody can measure of a site from outside: how long its home page takes, its status, its certificate, its sitemaps and the age of its domain. */

import { FetchFailure, type OutgoingAnswer, type OutgoingRules } from '../../../lib/network/outgoing.ts'
import { dayNumber } from '../../../lib/time/days.ts'
import { countSitemaps } from './count-sitemaps.ts'
import { registeredOn } from './domain-age.ts'
import { type Robots, readRobots, robotsWithoutFile } from './robots.ts'
import { type SiteVisit, visitSite } from './site-visit.ts'

export interface SiteQuestion {
  readonly rules: OutgoingRules
  readonly domain: string
  readonly place: string | undefined
  /** Whoever runs a site finds out by it who asks. */
  readonly agent: string
  readonly rdapUrl: string
  /** The day of the measurement. */
  readonly day: string
  readonly known: KnownOfDomain
  readonly signal: AbortSignal
}

/** What changes so rarely that it is asked once a month. */
export interface KnownOfDomain {
  readonly registered_on: string | null
  readonly asked_on: string | null
}

export interface SiteLook {
  /** Seconds: the median of three whole transfers. Null unless the page came each time. */
  readonly download_time: number | null
  /** Of the home page. */
  readonly status: number
  readonly certificate_days: number | null
  readonly sitemap_addresses: number | null
  readonly domain_age: number | null
  readonly known: KnownOfDomain
  /** What was not measured, and why. */
  readonly gaps: readonly string[]
}

const product = 'Marquee'
const downloads = 3
const maxPageBytes = 20 * 1024 * 1024
const maxRobotsBytes = 500 * 1024
const registryDays = 30

/** Rejects with a `FetchFailure` where the home page cannot be had. */
export async function lookAtSite(question: SiteQuestion): Promise<SiteLook> {
  const visit = await visitSite(question)
  const robots = await robotsOf(visit)
  if (!robots.mayAsk('/')) throw new FetchFailure('closed_address', 'The site does not allow robots to ask for its home page.')
  const answers = await downloadsOf(visit)
  const [first] = answers
  const isGood = answers.length === downloads
  const sitemaps = await countSitemaps(visit, robots)
  const known = await knownOf(question)
  return {
    download_time: isGood ? medianSeconds(answers) : null,
    status: first.status,
    certificate_days: first.certificateEndsAt === null ? null : dayNumber(first.certificateEndsAt.slice(0, 10)) - dayNumber(question.day),
    sitemap_addresses: sitemaps.addresses,
    domain_age: known.registered_on === null ? null : dayNumber(question.day) - dayNumber(known.registered_on),
    known,
    gaps: [
      ...(isGood ? [] : [`The home page answers with status ${first.status}.`]),
      ...(sitemaps.reason === null ? [] : [`Sitemaps: ${sitemaps.reason}`]),
      ...(known.registered_on === null ? ['No registry says how old the domain is.'] : []),
    ],
  }
}

async function robotsOf(visit: SiteVisit): Promise<Robots> {
  const { status, body } = await visit.ask('/robots.txt', { maxBytes: maxRobotsBytes, whenLonger: 'cut' })
  return status === 200 ? readRobots(body.toString(), product) : robotsWithoutFile(status)
}

/** As many as it takes; a page that does not come is asked for once. */
async function downloadsOf(visit: SiteVisit): Promise<[OutgoingAnswer, ...OutgoingAnswer[]]> {
  const download = () => visit.ask('/', { maxBytes: maxPageBytes, whenLonger: 'fail', take: () => {}, asBrowser: true })
  const answers: [OutgoingAnswer, ...OutgoingAnswer[]] = [await download()]
  while (answers.length < downloads && (answers.at(-1)?.status ?? 0) < 400) answers.push(await download())
  return (answers.at(-1)?.status ?? 0) < 400 ? answers : [answers.at(-1) as OutgoingAnswer]
}

function medianSeconds(answers: readonly OutgoingAnswer[]): number {
  const sorted = answers.map(({ milliseconds }) => milliseconds).toSorted((a, b) => a - b)
  return Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0) / 1_000
}

/** A registry that does not answer is asked again the next time, and leaves what was known. */
async function knownOf({ rules, domain, rdapUrl, agent, day, known, signal }: SiteQuestion): Promise<KnownOfDomain> {
  if (known.asked_on !== null && dayNumber(day) - dayNumber(known.asked_on) < registryDays) return known
  try {
    return { registered_on: await registeredOn({ rules, url: rdapUrl, agent, signal }, domain), asked_on: day }
  } catch (error) {
    if (error instanceof FetchFailure) return known
    throw error
  }
}
