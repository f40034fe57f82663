/** A labelled field of a form: what was typed is kept, and what is wrong with it is said beside it. */

import type { FieldError } from '../../lib/failures.ts'
import { type Html, html } from '../../lib/html.ts'
import { fieldErrorSentence } from '../../resources/problem.ts'
import type { PageRequest } from '../page-request.ts'

export interface FormField {
  readonly name: string
  readonly label: string
  readonly hint?: string
  /** Several lines; otherwise one. */
  readonly rows?: number
  /** What can be chosen, by value. */
  readonly options?: readonly (readonly [value: string, label: string])[]
  readonly type?: 'email'
  readonly isRequired?: true
  /** What is wrong, in words of this form. */
  readonly sentences?: Partial<Record<FieldError['code'], string>>
}

export function fieldHtml(request: PageRequest, field: FormField, given = ''): Html {
  const { name, label, hint } = field
  const fault = request.faults.find((one) => one.field === name)
  const wrong = fault && (field.sentences?.[fault.code] ?? `This ${fieldErrorSentence(fault)}.`)
  const told = [hint ? `${name}-hint` : '', wrong ? `${name}-wrong` : ''].filter(Boolean).join(' ')
  const described = html`${told ? html` aria-describedby="${told}"` : null}${wrong ? html` aria-invalid="true"` : null}`
  return html`
    <div class="field">
      <label for="${name}">${label}</label>
      ${controlOf(field, request.form.get(name) ?? given, described)}
      ${hint ? html`<p class="hint" id="${name}-hint">${hint}</p>` : null}
      ${wrong ? html`<p class="wrong" id="${name}-wrong" role="alert">${wrong}</p>` : null}
    </div>
  `
}

function controlOf({ name, rows, options, type, isRequired }: FormField, value: string, described: Html): Html {
  const named = html` id="${name}" name="${name}"${isRequired ? html` required` : null}${described}`
  if (options !== undefined) return html`<select${named}>${options.map((option) => optionHtml(option, value))}</select>`
  // A browser drops a line break at the beginning.
  if (rows !== undefined) return html`<textarea${named} rows="${rows}">${value.startsWith('\n') ? '\n' : null}${value}</textarea>`
  return html`<input${named} type="${type ?? 'text'}" value="${value}" autocomplete="off">`
}

function optionHtml([value, label]: readonly [string, string], chosen: string): Html {
  return html`<option value="${value}"${value === chosen ? html` selected` : null}>${label}</option>`
}
