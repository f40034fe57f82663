/** Rules on credentials, formats and errors. */

import { parseAnswer } from './probe.ts'
import { type ConformanceRule, expected, matching } from './rule.ts'

const report = '/api/seo_report'

// biome-ignore format: a table reads by its columns
export const accessRules: readonly ConformanceRule[] = [
  { id: 'access.none',      says: 'without credentials a report is 401',            check: async (probe) => expected('the status', (await probe.read(`${report}.xml`, { credentials: null })).status, 401) },
  { id: 'access.challenge', says: 'a 401 carries a Basic challenge',                check: async (probe) => matching('WWW-Authenticate', (await probe.read(`${report}.xml`, { credentials: null })).headers.get('www-authenticate'), /^Basic realm="/i) },
  { id: 'access.password',  says: 'a wrong password is 401, for reports too',       check: async (probe) => expected('the status', (await probe.read(`${report}.xml`, { credentials: `${probe.key}:wrong` })).status, 401) },
  { id: 'access.key',       says: 'an unknown key is 401',                          check: async (probe) => expected('the status', (await probe.read(`${report}.xml`, { credentials: 'nobody:nothing' })).status, 401) },
  { id: 'access.provision', says: 'users cannot be created with the key alone',     check: async (probe) => expected('the status', (await probe.read('/api/users.xml', { method: 'POST', credentials: `${probe.key}:`, headers: { 'content-type': 'application/xml' }, body: '<user></user>' })).status, 401) },
  { id: 'format.extension', says: 'the extension .json is answered in JSON',        check: async (probe) => matching('Content-Type', (await probe.read(`${report}.json`)).headers.get('content-type'), /^application\/json; charset=utf-8$/i) },
  { id: 'format.xml',       says: 'the extension .xml is answered in XML, in UTF-8', check: async (probe) => matching('Content-Type', (await probe.read(`${report}.xml`)).headers.get('content-type'), /^application\/xml; charset=utf-8$/i) },
  { id: 'format.default',   says: 'without extension and Accept the answer is XML', check: async (probe) => matching('Content-Type', (await probe.read(report, { headers: { accept: '*/*' } })).headers.get('content-type'), /^application\/xml/) },
  { id: 'format.accept',    says: 'without extension Accept decides',               check: async (probe) => matching('Content-Type', (await probe.read(report, { headers: { accept: 'application/json' } })).headers.get('content-type'), /^application\/json/) },
  { id: 'format.unknown',   says: 'an unknown extension is 406',                    check: async (probe) => expected('the status', (await probe.read(`${report}.pdf`)).status, 406) },
  { id: 'error.address',    says: 'an unknown address is 404',                      check: async (probe) => expected('the status', (await probe.read('/api/nothing_of_this_name.xml')).status, 404) },
  { id: 'error.method',     says: 'a method that is not taken is 405 with Allow',   check: async (probe) => { const { status, headers } = await probe.read(`${report}.xml`, { method: 'DELETE' }); return expected('the status', status, 405) ?? matching('Allow', headers.get('allow'), /\bGET\b/) } },
  { id: 'error.xml',        says: 'errors in XML are <errors> with a code each',    check: async (probe) => { const root = parseAnswer((await probe.read(`${report}.xml?start_date=soon`)).text); return expected('the root', root.name, 'errors') ?? matching('the code', root.children[0]?.attributes['code'] ?? null, /^\w+$/) } },
  { id: 'error.json',       says: 'errors in JSON are problem documents',           check: async (probe) => { const { headers, text } = await probe.read(`${report}.json?start_date=soon`); return matching('Content-Type', headers.get('content-type'), /^application\/problem\+json/) ?? expected('its members', ['code', 'details', 'errors', 'status'].filter((name) => name in JSON.parse(text)), ['code', 'details', 'errors', 'status']) } },
  { id: 'error.request-id', says: 'every answer carries X-Request-Id',              check: async (probe) => matching('X-Request-Id', (await probe.read(`${report}.xml?start_date=soon`)).headers.get('x-request-id'), /^\S{8,}$/) },
]
