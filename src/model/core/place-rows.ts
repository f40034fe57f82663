/** How locations and pages are stored by imports and by the API alike: the key of a page, and the default values of a new row. */

import { hash } from 'node:crypto'

export function pageKeyHash(source: unknown, page_url: unknown): string {
  return hashOf([source, page_url])
}

/** 128 bits, so that two keys of one owner never collide by chance. */
export function hashOf(parts: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64url').slice(0, 22)
}

export function initialPage(now: string) {
  return { match_confidence: 100, last_updated: now.slice(0, 10), created_at: now }
}

export function initialLocation(now: string) {
  return { twitter_page: null, facebook_page: null, created_at: now }
}
