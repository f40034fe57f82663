/** Rules on credentials, formats and errors. */

import { parseAnswer } from './probe.ts'
import { type ConformanceRule, expected, matching } from './rule.ts'

const report = '/api/seo_report'

// biome-ignore format: a table reads by its columns
export const accessRules: readonly ConformanceRule[] = [
  { id: 'access.none',       check: async (probe) => expected('the status', (await probe.read(`${report}.xml`, { credentials: null })).status, 401) },
  { id: 'access.challenge',  check: async (probe) => matching('WWW-Authenticate', (await probe.read(`${report}.xml`, { credentials: null })).headers.get('www-authenticate'), /^Basic realm="/i) },
  { id: 'access.password',   check: async (probe) => expected('the status', (await probe.read(`${report}.xml`, { credentials: `${probe.key}:wrong` })).status, 401) },
  { id: 'access.key',        check: async (probe) => expected('the status', (await probe.read(`${report}.xml`, { credentials: 'nobody:nothing' })).status, 401) },
  { id: 'access.provision',  check: async (probe) => expected('the status', (await probe.read('/api/users.xml', { method: 'POST', credentials: `${probe.key}:`, headers: { 'content-type': 'application/xml' }, body: '<user></user>' })).status, 401) },
  { id: 'format.extension',  check: async (probe) => matching('Content-Type', (await probe.report(`${report}.json`)).headers.get('content-type'), /^application\/json; charset=utf-8$/i) },
  { id: 'format.xml',        check: async (probe) => matching('Content-Type', (await probe.report(`${report}.xml`)).headers.get('content-type'), /^application\/xml; charset=utf-8$/i) },
  { id: 'format.default',    check: async (probe) => matching('Content-Type', (await probe.report(report, { headers: { accept: '*/*' } })).headers.get('content-type'), /^application\/xml/) },
  { id: 'format.accept',     check: async (probe) => matching('Content-Type', (await probe.report(report, { headers: { accept: 'application/json' } })).headers.get('content-type'), /^application\/json/) },
  { id: 'format.unknown',    check: async (probe) => expected('the status', (await probe.read(`${report}.pdf`)).status, 406) },
  { id: 'error.address',     check: async (probe) => expected('the status', (await probe.read('/api/nothing_of_this_name.xml')).status, 404) },
  { id: 'error.method',      check: async (probe) => { const { status, headers } = await probe.read(`${report}.xml`, { method: 'DELETE' }); return expected('the status', status, 405) ?? matching('Allow', headers.get('allow'), /\bGET\b/) } },
  { id: 'error.xml',         check: async (probe) => { const root = parseAnswer((await probe.read(`${report}.xml?start_date=soon`)).text); return expected('the root', root.name, 'errors') ?? matching('the code', root.children[0]?.attributes['code'] ?? null, /^\w+$/) } },
  { id: 'error.json',        check: async (probe) => { const { headers, text } = await probe.read(`${report}.json?start_date=soon`); return matching('Content-Type', headers.get('content-type'), /^application\/problem\+json/) ?? expected('its members', ['code', 'details', 'errors', 'status'].filter((name) => name in JSON.parse(text)), ['code', 'details', 'errors', 'status']) } },
  { id: 'error.request-id',  check: async (probe) => matching('X-Request-Id', (await probe.read(`${report}.xml?start_date=soon`)).headers.get('x-request-id'), /^\S{8,}$/) },
]
