/** Rules on the SEO report and on both reputation reports. */

import { type Shape, xmlFieldName } from '../../fields/shape.ts'
import { reputationCounts, reputationDetail } from '../../resources/reputation.ts'
import { competitor, siteMetrics } from '../../resources/seo-report.ts'
import { type Element, elementsNamed, type Probe, parseAnswer } from './probe.ts'
import { type ConformanceRule, expected, matching } from './rule.ts'

const seo = '/api/seo_report'

// biome-ignore format: a table reads by its columns
export const reportRules: readonly ConformanceRule[] = [
  { id: 'seo.status',        check: async (probe) => expected('the status', (await probe.report(`${seo}.xml`)).status, 200) },
  { id: 'seo.key-alone',     check: async (probe) => expected('the status', (await probe.report(`${seo}.json`, { credentials: `${probe.key}:` })).status, 200) },
  { id: 'seo.declaration',   check: async (probe) => expected('the first line', (await probe.report(`${seo}.xml`)).text.split('\n')[0], '<?xml version="1.0" encoding="UTF-8"?>') },
  { id: 'seo.root',          check: async (probe) => { const root = await seoXml(probe); return expected('the root', root.name, 'hash') ?? expected('its child', [root.children[0]?.name, root.children[0]?.attributes['type']], ['accounts', 'array']) } },
  { id: 'seo.end',           check: async (probe) => matching('the end', (await probe.report(`${seo}.xml`)).text.slice(-9), /<\/hash>\n$/) },
  { id: 'seo.names',         check: async (probe) => { const names = (await seoAccounts(probe)).map(({ attributes }) => attributes['name'] ?? ''); return names.every((name) => /^\d+$/.test(name)) ? null : `the names are ${JSON.stringify(names.slice(0, 5))}` } },
  { id: 'seo.site-fields',   check: async (probe) => fieldsOf(await seoSites(probe), siteMetrics) },
  { id: 'seo.competitors',   check: async (probe) => fieldsOf(elementsNamed(await seoXml(probe), 'competitor').flatMap(({ children }) => children), competitor) },
  { id: 'seo.types',         check: async (probe) => typesOf(await seoSites(probe), siteMetrics) },
  { id: 'seo.nulls',         check: async (probe) => { const bad = (await seoSites(probe)).flatMap((site) => elementsNamed(site, 'domain-authority')).filter(({ text, attributes }) => text === '' && attributes['nil'] !== 'true'); return bad.length === 0 ? null : `${bad.length} have no nil="true"` } },
  { id: 'seo.ranked-at',     check: async (probe) => eachText(elementsNamed(await seoXml(probe), 'ranked-at'), /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/) },
  { id: 'seo.found-on',      check: async (probe) => { const all = elementsNamed(await seoXml(probe), 'found-on'); return eachText(all, /^\d{4}-\d{2}-\d{2}$/) ?? expected('the types', [...new Set(all.map(({ attributes }) => attributes['type']))].filter((type) => type !== 'date'), []) } },
  { id: 'seo.json',          check: async (probe) => expected('the accounts', (await seoJson(probe)).accounts.map((account) => Object.keys(account)[0]), (await seoAccounts(probe)).map(({ attributes }) => attributes['name'])) },
  { id: 'seo.json-sites',    check: async (probe) => expected('the sites', (await seoJson(probe)).accounts.flatMap((account) => Object.values(account).flatMap(({ sites }) => sites.map((site) => Object.keys(site)[0]))), (await seoSites(probe)).map(({ attributes }) => attributes['name'])) },
  { id: 'seo.days',          check: async (probe) => expected('the rankings of a day to come', elementsNamed(parseAnswer((await probe.read(`${seo}.xml?start_date=2999-01-01`)).text), 'ranked-at').length, 0) },
  { id: 'seo.bad-day',       check: async (probe) => expected('the status', (await probe.read(`${seo}.xml?start_date=soon`)).status, 400) },
  { id: 'seo.reversed',      check: async (probe) => expected('the status', (await probe.read(`${seo}.xml?start_date=2026-02-01&end_date=2026-01-01`)).status, 400) },
  { id: 'seo.one-account',   check: async (probe) => { const id = await firstAccount(probe); return expected('the accounts', JSON.parse((await probe.read(`${seo}.json?account_id=${id}`)).text).accounts.map((account: object) => Object.keys(account)[0]), [id]) } },
  { id: 'seo.foreign',       check: async (probe) => expected('the status', (await probe.read(`${seo}.xml?account_id=9007199254740991`)).status, 404) },
  { id: 'seo.bad-id',        check: async (probe) => expected('the status', (await probe.read(`${seo}.xml?account_id=abc`)).status, 400) },
  { id: 'seo.etag',          check: async (probe) => { const etag = (await probe.report(`${seo}.json`)).headers.get('etag') ?? ''; return matching('ETag', etag, /^(W\/)?"[^"]+"$/) ?? expected('the status', (await probe.report(`${seo}.json`, { headers: { 'if-none-match': etag } })).status, 304) } },
  { id: 'detail.status',     check: async (probe) => expected('the status', (await probe.report(await reputation(probe, 'detail'))).status, 200) },
  { id: 'detail.fields',     check: async (probe) => { const root = parseAnswer((await probe.report(await reputation(probe, 'detail'))).text); return expected('the root', root.name, 'account') ?? fieldsOf([root], reputationDetail) } },
  { id: 'detail.id',         check: async (probe) => expected('the id', parseAnswer((await probe.report(await reputation(probe, 'detail'))).text).children[0]?.text, await firstAccount(probe)) },
  { id: 'detail.created',    check: async (probe) => eachText(elementsNamed(parseAnswer((await probe.report(await reputation(probe, 'detail'))).text), 'created-at'), /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2} UTC$/) },
  { id: 'counts.status',     check: async (probe) => expected('the status', (await probe.report(await reputation(probe, 'counts'))).status, 200) },
  { id: 'counts.fields',     check: async (probe) => { const root = parseAnswer((await probe.report(await reputation(probe, 'counts'))).text); return expected('the root', root.name, 'account') ?? fieldsOf([root], reputationCounts) } },
  { id: 'counts.foreign',    check: async (probe) => expected('the status', (await probe.read('/api/accounts/9007199254740991/reputation_report/counts.xml')).status, 404) },
]

async function seoXml(probe: Probe): Promise<Element> {
  return parseAnswer((await probe.report(`${seo}.xml`)).text)
}

interface SeoJson {
  readonly accounts: readonly Record<string, { readonly sites: readonly Record<string, object>[] }>[]
}

async function seoJson(probe: Probe): Promise<SeoJson> {
  return JSON.parse((await probe.report(`${seo}.json`)).text)
}

async function seoAccounts(probe: Probe): Promise<Element[]> {
  const accounts = (await seoXml(probe)).children[0]?.children ?? []
  return accounts.flatMap(({ children }) => children)
}

async function seoSites(probe: Probe): Promise<Element[]> {
  const lists = (await seoAccounts(probe)).flatMap(({ children }) => children.filter(({ name }) => name === 'sites'))
  return lists.flatMap(({ children }) => children.flatMap((site) => site.children))
}

async function firstAccount(probe: Probe): Promise<string> {
  const [id] = (await seoJson(probe)).accounts.flatMap((account) => Object.keys(account))
  if (id === undefined) throw new Error('the report holds no account')
  return id
}

async function reputation(probe: Probe, variant: 'detail' | 'counts'): Promise<string> {
  return `/api/accounts/${await firstAccount(probe)}/reputation_report/${variant}.xml`
}

function fieldsOf(elements: readonly Element[], shape: Shape): string | null {
  const names = Object.keys(shape).map(xmlFieldName)
  const wrong = elements.find(({ children }) => children.map(({ name }) => name).join() !== names.join())
  return wrong === undefined
    ? null
    : expected(
        'the fields',
        wrong.children.map(({ name }) => name),
        names,
      )
}

function typesOf(elements: readonly Element[], shape: Shape): string | null {
  const types = new Map(Object.entries(shape).map(([name, field]) => [xmlFieldName(name), field.is === 'scalar' ? field.kind : 'array']))
  const wrong = elements
    .flatMap(({ children }) => children)
    .find(({ name, attributes }) => attributes['nil'] !== 'true' && attributes['type'] !== types.get(name))
  return wrong === undefined ? null : expected(`the type of ${wrong.name}`, wrong.attributes['type'], types.get(wrong.name))
}

function eachText(elements: readonly Element[], wanted: RegExp): string | null {
  const wrong = elements.find(({ text, attributes }) => !wanted.test(text) || attributes['type'] === 'string')
  return wrong === undefined ? null : `${wrong.name} is ${JSON.stringify(wrong.text)}`
}
