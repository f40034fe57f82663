/** Markup for pages: whatever is put into a template is escaped, unless it is markup made by a template itself. */

/** Markup that is safe to send; only this file makes it. */
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

/** As in html`<p title="${title}">${text}</p>`; attribute values stand in quotes. */
export function html(parts: TemplateStringsArray, ...values: readonly Printable[]): Html {
  let markup = parts[0] as string
  for (let at = 0; at < values.length; at++) markup += print(values[at]) + (parts[at + 1] as string)
  return new Html(markup)
}

/** For constants of our own only, such as an inlined icon: nothing in it is escaped. */
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
