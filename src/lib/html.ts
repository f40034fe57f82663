/** Templates for HTML pages: every value is escaped, unless it is markup made by a template itself. */

/** Markup that is safe to send. Only this file creates it. */
export class Html {
  readonly #markup: string

  constructor(markup: string) {
    this.#markup = markup
  }

  toString(): string {
    return this.#markup
  }
}

export type Printable = Html | string | number | false | null | undefined | readonly Printable[]

/** Used as html`<p title="${title}">${text}</p>`; attribute values must be quoted. Line breaks and their indentation are removed. */
export function html(parts: TemplateStringsArray, ...values: readonly Printable[]): Html {
  const fixed = trimmed(parts)
  let markup = fixed[0] as string
  for (let at = 0; at < values.length; at++) markup += print(values[at]) + (fixed[at + 1] as string)
  return new Html(markup)
}

const known = new WeakMap<TemplateStringsArray, readonly string[]>()

function trimmed(parts: TemplateStringsArray): readonly string[] {
  const before = known.get(parts)
  if (before !== undefined) return before
  const fixed = parts.map(withoutLines)
  known.set(parts, fixed)
  return fixed
}

/** A line break beside a tag or between two values is removed; within text or within a tag it becomes a space. */
function withoutLines(part: string): string {
  if (part.trim() === '') return part.includes('\n') ? '' : part
  return part.replace(/(>)?[ \t]*\n\s*(?=(<)?)/g, (_, tag: string | undefined, next: string | undefined) =>
    tag || next ? (tag ?? '') : ' ',
  )
}

/** Marks a constant of ours, such as an inlined icon, as markup. Nothing in it is escaped. */
export function raw(trusted: string): Html {
  return new Html(trusted)
}

function print(value: Printable): string {
  if (typeof value === 'string') return marked.test(value) ? value.replace(everyMark, reference) : value
  if (value instanceof Html) return value.toString()
  if (typeof value === 'number') return String(value)
  return value ? value.map(print).join('') : ''
}

const marked = /[&<>"']/
const everyMark = /[&<>"']/g

function reference(character: string): string {
  return references[character] as string
}

const references: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
