/** The names of files as they are shown and stored, whatever browsers and archives call them. */

import { oneLine } from '../../lib/one-line.ts'
import { mostFileNameCharacters } from '../../resources/intake.ts'
import type { App } from '../core/app.ts'

export async function shownNames({ store }: Pick<App, 'store'>, names: readonly string[]): Promise<string[]> {
  const unheld = await store.engine.unheldIn(() => names.join())
  return names.map((name) => shownName(name, unheld))
}

function shownName(name: string, unheld: ReadonlySet<string>): string {
  const held = [...oneLine(name)].map((character) => (unheld.has(character) ? '?' : character))
  return held.slice(0, mostFileNameCharacters).join('') || 'without a name'
}
