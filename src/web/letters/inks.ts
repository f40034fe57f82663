/** The colours of mails and sheets, which are on white: those of the pages in their light theme. */

import type { Change } from '../components/number-format.ts'

export const inks = { text: '#1b1c22', quiet: '#5a5d66', ruler: '#d9d9d4', before: '#a6abb3', look: '#8a5300', star: '#a8690a' } as const

/** What got better and worse is told by a sign too, for readers who see no colours. */
export const tones: Readonly<Record<Change['tone'], { readonly ink: string; readonly fill: string }>> = {
  better: { ink: '#17704a', fill: '#e4f3ec' },
  worse: { ink: '#b0352b', fill: '#fbe9e7' },
  same: { ink: inks.quiet, fill: '#f0f0ec' },
}

const signs = { up: '▲ ', down: '▼ ', same: '' } as const

export function signed({ arrow }: Change, text: string): string {
  return `${signs[arrow]}${text}`
}

export function starsText(stars: number): string {
  return `${'★'.repeat(stars)}${'☆'.repeat(5 - stars)}`
}
