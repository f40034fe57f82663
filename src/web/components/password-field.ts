/** The field in which a person types a password, and what is said of one that is not good enough. */

import type { Failure, FieldError } from '../../lib/failures.ts'
import { type Html, html } from '../../lib/html.ts'
import { sentenceOf } from '../error-page.ts'

const sentences: Partial<Record<FieldError['code'], string>> = {
  blank: 'Please choose a password.',
  too_short: 'A password has at least 8 characters.',
  too_long: 'This password is too long.',
}

export function passwordSentence(failure: Failure): string {
  const fault = failure.details.faults?.find(({ field }) => field === 'password')
  return (fault && sentences[fault.code]) ?? sentenceOf(failure)
}

export function passwordField(
  name: string,
  label: string,
  autocomplete: 'current-password' | 'new-password',
  wrong: string | undefined,
  hint?: string,
): Html {
  const described = [hint ? `${name}-hint` : '', wrong ? `${name}-wrong` : ''].filter(Boolean).join(' ')
  return html`
    <div class="field">
      <label for="${name}">${label}</label>
      <input id="${name}" name="${name}" type="password" autocomplete="${autocomplete}"
        ${described ? html` aria-describedby="${described}"` : null}${wrong ? html` aria-invalid="true"` : null} required>
      ${hint ? html`<p class="hint" id="${name}-hint">${hint}</p>` : null}
      ${wrong ? html`<p class="wrong" id="${name}-wrong" role="alert">${wrong}</p>` : null}
    </div>
  `
}
