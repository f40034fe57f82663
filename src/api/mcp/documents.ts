/** What an agent reads as resources: the conventions, the errors, the import guide and the guides, in Markdown. */

import { readFile } from 'node:fs/promises'
import { markdownOf } from '../../lib/document.ts'
import { memoOnce } from '../../lib/memo.ts'
import { docsPages } from '../reference/documentation/docs-pages.ts'

interface Listed {
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly mimeType: string
}

const mimeType = 'text/markdown'
const scheme = 'marquee://docs/'
const importing: Listed = {
  uri: `${scheme}importing`,
  name: 'importing',
  title: 'Import guide',
  description: 'Files of tools, their presets, columns and faults.',
  mimeType,
}

/** The pages of resources are left out: their tools say the same. */
const pages = memoOnce(() =>
  Object.entries(docsPages()).filter(([path, { group }]) => group !== 'Resources' && !['/docs/client', '/docs/machines'].includes(path)),
)

export function listDocuments(): Listed[] {
  const served = pages().map(([path, { title, about }]) => ({ uri: uriOf(path), name: nameOf(path), title, description: about, mimeType }))
  return [...served.filter(({ uri }) => uri !== importing.uri), importing]
}

/** Undefined for an address that is none of these. */
export async function readDocument(uri: string, baseUrl: string): Promise<{ uri: string; mimeType: string; text: string } | undefined> {
  if (uri === importing.uri) return { uri, mimeType, text: (await readFile(guide, 'utf8')).replace(/^<!--.*-->\s*/, '') }
  const page = pages().find(([path]) => uriOf(path) === uri)?.[1]
  return page && { uri, mimeType, text: markdownOf(page.blocks(), (target) => `${baseUrl}/docs/${target}`) }
}

const guide = new URL('../../../docs/importing.md', import.meta.url)

function uriOf(path: string): string {
  return `${scheme}${nameOf(path)}`
}

function nameOf(path: string): string {
  return path.replace(/^\/docs\/?/, '') || 'overview'
}
