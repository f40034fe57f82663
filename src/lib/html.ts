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
  return new Html(parts.reduce((markup, part, at) => markup + print(values[at - 1]) + part))
}

/** For constants of our own only, such as an inlined icon: nothing in it is escaped. */
export function raw(trusted: string): Html {
  return new Html(trusted)
}

function print(value: Printable): string {
  if (value === null || value === undefined || value === false) return ''
  if (value instanceof Html) return value.toString()
  return typeof value === 'object' ? value.map(print).join('') : String(value).replace(/[&<>"']/g, reference)
}

function reference(character: string): string {
  return references[character] as string
}

const references: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
