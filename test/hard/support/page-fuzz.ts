/** Hostile requests for pages: built from the table of pages, with real headers, cookies, forms and queries. */
import { pages } from '../../../src/web/pages.ts'
import { type Shot, values } from './fuzz.ts'
import type { Chance } from './random.ts'
import { someRealHeaders } from './real-headers.ts'

/** Someone whose pages are asked for: the cookies of a session, and a form token that is good for it. */
export interface PageVisitor {
  readonly cookie: string
  readonly formToken: string
}

const strays = [
  '//',
  '///',
  '/?',
  '/?a=%',
  '/?%',
  '/%2f',
  '/.',
  '/..',
  '/\\',
  '/sites',
  '/sites/',
  '/sites//search',
  '/assets/',
  '/assets/..%2f',
  '/*',
  '/login/',
  '//login',
  '/favicon.ico',
  '/robots.txt',
  '/.env',
  '/wp-login.php',
]
const names = ['period', 'from', 'to', 'engine', 'locale', 'compare', 'page', 'sort', 'q', 'next', 'source', 'tag', 'x'].concat([
  'colleague',
  'archived',
  'customer',
  'do',
  'show',
  'business',
  'sees',
  'person',
  'site',
  'before',
  'ask',
  'for',
  'choose',
  'member',
  'done',
])
const fields = ['name', 'password', 'remember', 'theme', 'next', 'current_password', 'new_password', 'form_token', 'x'].concat(
  [
    'was',
    'seen',
    'heads',
    'table',
    'customer',
    'colleague',
    'tag',
    'tags',
    'rhythm',
    'recipients',
    'release',
    'sentence',
    'schedule',
    'period',
  ],
  [
    'email',
    'contact',
    'sees',
    'edits',
    'post',
    'new_post',
    'member',
    'successor',
    'invitation',
    'day',
    'noted',
    'note',
    'text',
    'site',
    'link',
  ],
  [
    'domain',
    'business_id',
    'business',
    'business_name',
    'changed',
    'time_zone',
    'keywords',
    'competitors',
    'one-of-keywords',
    'sure',
    'wanted',
  ],
)
/** The buttons of forms at the desk. */
const acts = ['about', 'assign', 'invite', 'domain', 'business', 'rename', 'deactivate', 'reactivate', 'revoke', 'note', 'unnote'].concat(
  ['pause', 'resume', 'archive', 'unarchive', 'look', 'make', 'tag', 'untag', 'schedule', 'add-keywords', 'remove-keywords', 'remove'],
  ['send', 'skip', 'all', 'ask', 'sample', 'undo', 'stop', 'again', 'withdraw', 'change', 'link', 'demand'],
)
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'OPTIONS', 'DELETE']

export function pageShotOf(chance: Chance, visitors: readonly PageVisitor[], ids: readonly string[]): Shot {
  const page = chance.pick(pages)
  const method = chance.next() < 0.85 ? page.method : chance.pick(methods)
  const visitor = chance.next() < 0.7 ? chance.pick(visitors) : null
  const body = method === 'POST' ? formOf(visitor, chance) : undefined
  const headers = { accept: 'text/html', ...(visitor && { cookie: visitor.cookie }), ...body?.headers, ...someRealHeaders(chance) }
  const path = chance.next() < 0.1 ? chance.pick(strays) : pathOf(page.path, chance, ids)
  return { method, path, headers, ...(body !== undefined && { body: body.bytes }) }
}

function pathOf(template: string, chance: Chance, ids: readonly string[]): string {
  const value = () => encodeURIComponent(chance.pick(values).toWellFormed())
  const filled = template.replace(/\{\w+\}/g, () => (chance.next() < 0.7 ? chance.pick(ids) : value()))
  const asked = Array.from({ length: chance.whole(4) }, () => `${chance.pick(names)}=${value()}`)
  return asked.length > 0 ? `${filled}?${asked.join('&')}` : filled
}

function formOf(visitor: PageVisitor | null, chance: Chance): { headers: Record<string, string>; bytes: Buffer } {
  const form = new URLSearchParams()
  for (let count = chance.whole(6); count > 0; count -= 1) form.append(chance.pick(fields), chance.pick(values).toWellFormed())
  if (chance.next() < 0.7) form.set('do', chance.pick(acts))
  if (visitor !== null && chance.next() < 0.7) form.set('form_token', visitor.formToken)
  return {
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
    bytes: Buffer.from(form.toString()),
  }
}
