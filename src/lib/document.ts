/** A document as a list of blocks, which is written once and rendered as Markdown or HTML. */

import { type Html, html, type Printable } from './html.ts'

export interface ReferenceTable {
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** A piece of a program, under the name of its language. */
export interface CodeSample {
  readonly label: string
  readonly language: string
  readonly code: string
}

/** Text may hold `code` in backticks and [links](target); nothing else is markup. */
export type Block =
  | { readonly heading: string; readonly level: 1 | 2 | 3; readonly id?: string }
  | { readonly text: string }
  | { readonly items: readonly string[] }
  | { readonly table: ReferenceTable }
  | { readonly code: string; readonly language: string; readonly caption?: string }
  /** The same example in several languages, one of which is shown at a time, and only the first in Markdown; `name` must be unique on the page. */
  | { readonly samples: readonly CodeSample[]; readonly name: string }

/** Maps the target of a link to an address, which depends on where the document is published. */
export type Links = (target: string) => string

export function markdownOf(blocks: readonly Block[], links: Links): string {
  return blocks.map((block) => markdownBlock(block, (text) => withLinks(text, links))).join('\n')
}

export function htmlOf(blocks: readonly Block[], links: Links): Html {
  return html`${blocks.map((block) => htmlBlock(block, (text) => inline(text, links)))}`
}

/** `Create a user` as `create-a-user`, the way Markdown readers name headings. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replaceAll(' ', '-')
}

function markdownBlock(block: Block, inlined: (text: string) => string): string {
  if ('heading' in block) return `${'#'.repeat(block.level)} ${block.heading}\n`
  if ('text' in block) return `${inlined(block.text)}\n`
  if ('items' in block) return `${block.items.map((item) => `- ${inlined(item)}\n`).join('')}`
  if ('table' in block) return markdownTable(block.table, inlined)
  if ('samples' in block)
    return block.samples
      .slice(0, 1)
      .map(({ language, code }) => fence(language, code))
      .join('')
  return `${block.caption === undefined ? '' : `${block.caption}\n\n`}${fence(block.language, block.code)}`
}

function fence(language: string, code: string): string {
  return `\`\`\`${language}\n${code.trimEnd()}\n\`\`\`\n`
}

function markdownTable({ head, rows }: ReferenceTable, inlined: (text: string) => string): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => inlined(cell).replaceAll('|', '\\|')).join(' | ')} |\n`
  return `${line(head)}|${'---|'.repeat(head.length)}\n${rows.map(line).join('')}`
}

function htmlBlock(block: Block, inlined: (text: string) => Printable): Printable {
  if ('heading' in block) return heading(block.level, block.id ?? anchorOf(block.heading), inlined(block.heading))
  if ('text' in block) return html`<p>${inlined(block.text)}</p>\n`
  if ('items' in block) return html`<ul>${block.items.map((item) => html`<li>${inlined(item)}</li>`)}</ul>\n`
  if ('table' in block) return htmlTable(block.table, inlined)
  if ('samples' in block) return htmlSamples(block.samples, block.name)
  const caption = block.caption === undefined ? null : html`<p class="caption">${inlined(block.caption)}</p>\n`
  return html`${caption}${preformatted(block.code)}`
}

function preformatted(code: string): Html {
  return html`<pre tabindex="0"><code>${code.trimEnd()}</code></pre>\n`
}

/** Radio buttons select the language, so that it works without JavaScript; all samples are shown in print. */
function htmlSamples(samples: readonly CodeSample[], name: string): Html {
  const choices = samples.map(
    ({ label }, index) =>
      html`<input type="radio" name="${name}" id="${name}-${index}" value="${label}"${index === 0 ? html` checked` : null}><label for="${name}-${index}">${label}</label>`,
  )
  return html`<div class="samples">${choices}\n${samples.map(({ label, code }) => html`<div class="sample" data-language="${label}">${preformatted(code)}</div>\n`)}</div>\n`
}

function heading(level: 1 | 2 | 3, id: string, text: Printable): Html {
  if (level === 1) return html`<h1 id="${id}">${text}</h1>\n`
  const link = html`<a class="permalink" href="#${id}" aria-label="Link to this section">#</a>`
  return level === 2 ? html`<h2 id="${id}">${text} ${link}</h2>\n` : html`<h3 id="${id}">${text} ${link}</h3>\n`
}

function htmlTable({ head, rows }: ReferenceTable, inlined: (text: string) => Printable): Html {
  const titles = head.map((cell) => html`<th scope="col">${inlined(cell)}</th>`)
  const lines = rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${inlined(cell)}</td>`)}</tr>\n`)
  return html`<div class="scroll" tabindex="0"><table><thead><tr>${titles}</tr></thead><tbody>
${lines}</tbody></table></div>\n`
}

const link = /\[([^\]]+)\]\(([^)\s]+)\)/g

function withLinks(text: string, links: Links): string {
  return text.replace(link, (_, label: string, target: string) => `[${label}](${links(target)})`)
}

/** Every second piece between backticks is code; links are searched for in the others. */
function inline(text: string, links: Links): Printable {
  return text.split('`').map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : linked(piece, links)))
}

function linked(text: string, links: Links): Printable {
  const pieces = text.split(link)
  return pieces.map((piece, index) => {
    if (index % 3 === 0) return piece
    return index % 3 === 1 ? html`<a href="${links(pieces[index + 1] ?? '')}">${piece}</a>` : null
  })
}
