/** What the query of a report asks for: accounts, sites, days, names and tables, each refused where it cannot be understood. */

import { isDay } from '../lib/days.ts'
import { refuse } from '../lib/failures.ts'
import type { PartnerCaller } from '../model/core/caller.ts'
import type { ReportQuestion, SeoTable } from '../model/reports/question.ts'
import type { Format } from './format.ts'
import { single } from './query.ts'

const maxIds = 200
const tables: readonly SeoTable[] = ['rankings', 'backlinks', 'metrics']

export function seoQuestion(caller: PartnerCaller, query: URLSearchParams, format: Format): ReportQuestion {
  const names = namesIn(caller, query)
  return {
    ...common(caller, query),
    report: 'seo',
    format,
    names: format === 'xml' ? names : 'encoded',
    table: format === 'csv' ? tableIn(query) : null,
    accountIds: idsIn(query, 'account_id'),
  }
}

export function reputationQuestion(
  caller: PartnerCaller,
  query: URLSearchParams,
  format: Format,
  report: 'detail' | 'counts',
  accountId: number,
): ReportQuestion {
  return { ...common(caller, query), report, format, names: 'encoded', table: null, accountIds: [accountId] }
}

function common({ partnerId, app }: PartnerCaller, query: URLSearchParams) {
  const [startDate, endDate] = [dayIn(query, 'start_date'), dayIn(query, 'end_date')]
  if (startDate !== null && endDate !== null && startDate > endDate) refuse('bad_request', 'The start_date is after the end_date')
  const figuresBy = endDate ?? app.clock.now().slice(0, 10)
  return { partnerId, siteIds: idsIn(query, 'site_id'), startDate, endDate, figuresBy }
}

function dayIn(query: URLSearchParams, name: string): string | null {
  const text = single(query, name)
  if (text === undefined) return null
  return isDay(text) ? text : refuse('bad_request', `The parameter ${name} must be a date such as 2026-11-14`)
}

/** In order and each once; how many there are is counted before. */
function idsIn(query: URLSearchParams, name: string): readonly number[] | null {
  const text = single(query, name)
  if (text === undefined) return null
  const ids = text.split(',').map((part) => part.trim())
  if (ids.length > maxIds) refuse('bad_request', `The parameter ${name} has more than ${maxIds} ids`)
  if (!ids.every(isId)) refuse('bad_request', `The parameter ${name} must be an id, or ids separated by commas`)
  return [...new Set(ids.map(Number))].sort((a, b) => a - b)
}

function isId(text: string): boolean {
  return /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text))
}

/** The query beats the partner's setting, which beats the service's. */
function namesIn({ names, app }: PartnerCaller, query: URLSearchParams): 'encoded' | 'legacy' {
  const given = single(query, 'names')
  if (given === undefined) return names ?? app.settings.names
  return given === 'encoded' || given === 'legacy' ? given : refuse('bad_request', 'The parameter names must be encoded or legacy')
}

function tableIn(query: URLSearchParams): SeoTable {
  const given = single(query, 'table')
  return tables.find((table) => table === given) ?? refuse('bad_request', `The parameter table must be one of ${tables.join(', ')}`)
}
