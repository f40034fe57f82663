/** What is said of keys: what each scope lets a program do, and what a key is called. */

import type { KeyScope } from '../../../../model/core/caller.ts'
import type { Key } from '../../../../model/partners/keys/keys.ts'

// biome-ignore format: a table reads by its columns
export const scopeWords: Readonly<Record<KeyScope, string>> = {
  report:     'read reports',
  read:       'read everything but keys, staff and whole exports, and change nothing',
  provision:  'make and change customers, people, businesses and sites',
  ingest:     'bring in measurements and files',
  login_link: 'make links by which people of customers log in',
  keys:       'issue further keys, with no more rights than its own',
  staff:      'decide who works at this desk',
  events:     'read what happened, and when',
}

export function scopeNames({ scopes }: Pick<Key, 'scopes'>): KeyScope[] {
  return scopes.split(' ') as KeyScope[]
}

export function keyTitle({ label, public_part }: Pick<Key, 'label' | 'public_part'>): string {
  return label.trim() || `mq_${public_part}…`
}
