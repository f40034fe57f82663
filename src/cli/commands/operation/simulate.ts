/** `marquee simulate`: estimates the disk, time and machines for a number of sites, from costs measured on this machine. */

import { refuseMissingDatabase } from '../../../model/core/installation.ts'
import { type Costs, measureCosts } from '../../../model/upkeep/costs.ts'
import { type Growth, mostBytesANode, nightSeconds, type Plan, planGrowth } from '../../../model/upkeep/simulate.ts'
import { type CommandInput, type Output, UsageError } from '../../command.ts'
import { runAsOwner } from '../../owner.ts'
import { counted } from '../../print.ts'

/** Upper limits; beyond them the figures would be meaningless. */
const most: Readonly<Record<keyof Growth, number>> = {
  sites: 100_000_000,
  keywords: 100_000,
  engines: 1_000,
  days: 36_500,
  competitors: 1_000,
}
/** Limits the measurement, which must end soon. */
const mostMeasuredEngines = 5

export async function simulate(given: CommandInput): Promise<Output> {
  const { settings } = given
  const growth = growthIn(given)
  runAsOwner(settings)
  refuseMissingDatabase(settings)
  const costs = await measureCosts(settings, Math.min(growth.engines, mostMeasuredEngines))
  const plan = planGrowth(growth, costs, settings.keepIntakesDays)
  return {
    document: given.wantsJson ? { growth, measured: costs, plan } : { plan: shown(plan) },
    note: notes(growth, costs, plan).join('\n'),
  }
}

function growthIn({ number }: CommandInput): Growth {
  const read = (name: keyof Growth, least: number) => {
    const count = number(name) ?? 0
    if (count < least || count > most[name])
      throw new UsageError(`--${name} must be between ${least} and ${most[name].toLocaleString('en-US')}.`)
    return count
  }
  return {
    sites: read('sites', 1),
    keywords: read('keywords', 1),
    engines: read('engines', 1),
    days: read('days', 1),
    competitors: read('competitors', 0),
  }
}

function shown(plan: Plan): Record<string, string> {
  const { data, coordinators, standbys } = plan.nodes
  return {
    rankings: `${whole(plan.rankings)}, ${whole(plan.rankings_a_day)} a day`,
    disk: sized(plan.disk_bytes),
    pages: `${whole(plan.pages)}; a cold report of one site reads ${whole(plan.pages_a_report[0])} to ${whole(plan.pages_a_report[1])}`,
    'import time': `${lasting(plan.import_seconds_a_day)} a day, ${lasting(plan.import_seconds)} for the whole history`,
    'report time': `${lasting(plan.report_seconds)} for one site (${sized(plan.report_bytes)} of XML), ${lasting(plan.all_reports_seconds)} for all`,
    processes: `${counted(plan.importing_processes, 'process').replace(/processs$/, 'processes')} to import a day within ${nightSeconds / 3600} hours`,
    nodes: [`${data} with data`, ...(coordinators === 0 ? [] : [`${coordinators} coordinator`]), `${standbys} in standby`].join(', '),
  }
}

function notes(growth: Growth, costs: Costs, plan: Plan): readonly string[] {
  return [
    `Measured here and now on ${whole(costs.rankings)} rankings in a scratch database, which is removed again: ${rounded(costs.bytes_a_ranking)} bytes a ranking written day by day, ${rounded(costs.bytes_a_keyword)} a keyword, ${rounded(costs.journal_bytes_a_ranking)} a ranking to undo imports;`,
    `${whole(costs.imported_a_second)} rankings imported a second by one process, ${whole(costs.reported_a_second)} reported a second by one thread, ${rounded(costs.report_milliseconds)} ms for a report of ${counted(3, 'site')} without rankings.`,
    ...(growth.engines > mostMeasuredEngines ? [`Measured with ${mostMeasuredEngines} engines, not ${growth.engines}.`] : []),
    'Not counted: reviews, backlinks, snapshots, backups and the write-ahead log. Reports are of data in memory; from a cold disk each page that is read adds its time.',
    plan.nodes.data === 1
      ? `One database holds it: the wall is taken to be ${sized(mostBytesANode)} a node, where restore and vacuum take too long.`
      : `More than ${sized(mostBytesANode)} a node take too long to restore and vacuum, so the measurements are spread over ${plan.nodes.data} nodes: docs/scaling.md.`,
  ]
}

function whole(count: number): string {
  return Math.round(count).toLocaleString('en-US')
}

function rounded(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 1 })
}

const units = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB'] as const

function sized(bytes: number): string {
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)))
  return `${rounded(bytes / 1000 ** power)} ${units[power]}`
}

function lasting(seconds: number): string {
  if (seconds < 1) return `${rounded(seconds * 1000)} ms`
  if (seconds < 120) return `${rounded(seconds)} s`
  if (seconds < 7200) return `${rounded(seconds / 60)} minutes`
  return seconds < 172_800 ? `${rounded(seconds / 3600)} hours` : `${rounded(seconds / 86_400)} days`
}
