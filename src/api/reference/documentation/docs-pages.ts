/** The pages of `/docs`: an overview, the guides, one page for each resource, the errors and the client. */

import { anchorOf, type Block } from '../../../lib/document.ts'
import { memoOnce } from '../../../lib/memo.ts'
import type { Endpoint } from '../../endpoint.ts'
import { endpoints } from '../../endpoints.ts'
import { conventions } from '../conventions.ts'
import { namedRecords } from '../named-records.ts'
import { errorBlocks, headingOf, resourceBlocks, scopesOf } from '../pages.ts'
import { type ResourceName, resourceOf, resources } from '../resources.ts'
import { schemaNames } from '../schemas.ts'
import { agentBlocks } from './agents.ts'
import { clientBlocks } from './client-page.ts'
import { conformanceBlocks } from './conformance-page.ts'
import { deprecationBlocks } from './deprecations-page.ts'
import { guides } from './guides.ts'
import { importing } from './importing.ts'

export interface DocsPage {
  readonly title: string
  readonly about: string
  readonly group: 'Start' | 'Guides' | 'Resources' | 'More'
  /** Written when the page is shown for the first time: all pages together would hold the event loop. */
  readonly blocks: () => readonly Block[]
  /** The endpoints that can be tried on the page. */
  readonly endpoints: readonly Endpoint[]
}

/** The pages by path. */
export function docsPages(): Readonly<Record<string, DocsPage>> {
  const start = { group: 'Start', endpoints: [] } as const
  const more = { group: 'More', endpoints: [] } as const
  return {
    '/docs': {
      ...start,
      title: 'Overview',
      about: 'What holds for every endpoint.',
      blocks: memoOnce(() => [...conventions, ...overview()]),
    },
    ...Object.fromEntries(Object.entries(guides).map(([slug, guide]) => [`/docs/guides/${slug}`, guidePage(guide)])),
    ...Object.fromEntries((Object.keys(resources) as ResourceName[]).map((name) => [`/docs/${name}`, resourcePage(name)])),
    '/docs/errors': { ...more, title: 'Errors', about: 'Every code, its cause and its cure.', blocks: memoOnce(errorBlocks) },
    '/docs/importing': {
      ...more,
      title: 'Importing',
      about: 'Files, pushes and uploads: formats, kinds of record, faults, undo.',
      blocks: memoOnce(importing),
    },
    '/docs/conformance': {
      ...more,
      title: 'Conformance',
      about: 'How any server is held to the interface.',
      blocks: memoOnce(conformanceBlocks),
    },
    '/docs/client': {
      ...more,
      title: 'TypeScript client',
      about: '@marquee/client, served by this service.',
      blocks: memoOnce(clientBlocks),
    },
    '/docs/deprecations': {
      ...more,
      title: 'Deprecations',
      about: 'What is old, and what to use instead.',
      blocks: memoOnce(deprecationBlocks),
    },
    '/docs/agents': {
      ...more,
      title: 'Agents',
      about: 'Tools for agents that speak the Model Context Protocol.',
      blocks: memoOnce(agentBlocks),
    },
    '/docs/machines': { ...more, title: 'For machines', about: 'OpenAPI, XML schemas, llms.txt.', blocks: memoOnce(machineBlocks) },
  }
}

/** Resolves a link of a document on the site: `records#user` leads to the page of the resource that shows this record. */
export function inDocs(target: string): string {
  const [page = '', anchor] = target.split('#')
  const behind = anchor === undefined ? '' : `#${anchor}`
  if (page === 'openapi') return '/openapi.json'
  if (target.startsWith('/')) return target
  if (page === 'records') return `/docs/${resourceOf(recordOn(anchor ?? ''))}${behind}`
  if (page === 'endpoints') return `/docs/${resourceOf(endpointOn(anchor ?? ''))}${behind}`
  return `/docs/${page}${behind}`
}

function guidePage({ title, about, blocks }: (typeof guides)[string]): DocsPage {
  const whole = memoOnce(() => [{ heading: title, level: 1 } as const, { text: about }, ...blocks()])
  return { title, about, group: 'Guides', endpoints: [], blocks: whole }
}

function resourcePage(name: ResourceName): DocsPage {
  const { title, about } = resources[name]
  const here = endpoints.filter((endpoint) => resourceOf(endpoint) === name)
  return { title, about, group: 'Resources', endpoints: here, blocks: memoOnce(() => resourceBlocks(name)) }
}

function overview(): Block[] {
  const rows = endpoints.map((endpoint) => [
    endpoint.method,
    `\`/api/${endpoint.path}\``,
    `[${endpoint.summary}](endpoints#${anchorOf(headingOf(endpoint))})`,
    scopesOf(endpoint),
  ])
  return [{ heading: 'All endpoints', level: 2 }, { table: { head: ['Method', 'Path', 'What it does', 'Scope'], rows } }]
}

function machineBlocks(): Block[] {
  return [
    { heading: 'For machines', level: 1 },
    {
      items: [
        '[OpenAPI 3.1, addresses in .json](/openapi.json)',
        '[OpenAPI 3.1, addresses in .xml and .csv](/openapi-xml.json)',
        '[llms.txt](/llms.txt)',
      ],
    },
    { heading: 'XML schemas', level: 2 },
    {
      text: 'One for each answer. Elements that are named by data (ids, phrases, domains) may have any name, and what is inside them is not checked.',
    },
    { items: schemaNames().map((name) => `[${name}.xsd](/schema/${name}.xsd)`) },
  ]
}

function recordOn(anchor: string): Endpoint {
  const found = namedRecords().find(({ name }) => anchorOf(name) === anchor)
  if (found === undefined) throw new Error(`no record is called ${anchor}`)
  return found.endpoint
}

function endpointOn(anchor: string): Endpoint {
  const found = endpoints.find((endpoint) => anchorOf(headingOf(endpoint)) === anchor)
  if (found === undefined) throw new Error(`no endpoint is called ${anchor}`)
  return found
}
