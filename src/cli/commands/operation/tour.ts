/** curl commands for the API with ids of the demo world, which can be pasted in any order. */

import type { Endpoint } from '../../../api/endpoint.ts'
import { endpoints } from '../../../api/endpoints.ts'

/** The ids for the paths and bodies of the commands. */
export interface TourIds {
  readonly account_id: number
  readonly user_id: number
  readonly business_id: number
  readonly site_id: number
  readonly today: string
}

/** Bodies by method and path; the current time in a name makes it new each time. */
const bodies: Readonly<Record<string, (ids: TourIds) => string>> = {
  'POST users': ({ account_id }) =>
    `-d "login=visitor-$(date +%s)" -d "email=visitor-$(date +%s)@harbordental.example" -d password=correct-horse -d account_id=${account_id}`,
  'PUT users/{user_id}/abilities': ({ site_id }) =>
    `-H 'Content-Type: application/json' -d '{"abilities":[{"key":"show","scope_type":"Site","scope_id":${site_id}}]}'`,
  'POST observations': () =>
    `-H 'Content-Type: application/json' -d '[{"type":"keyword","site":"chicago.harbordental.example","phrase":"dentist lakeview"}]'`,
  'POST businesses': ({ account_id }) => `-d name=Lakeside -d account_id=${account_id}`,
}

/** The whole report of a demo has a hundred megabytes, so the commands ask for the last days of one site. */
const queries: Readonly<Record<string, (ids: TourIds) => string>> = {
  seo_report: ({ site_id, today }) => `?site_id=${site_id}&start_date=${today}`,
  'accounts/{account_id}/reputation_report/detail': ({ site_id, today }) => `?site_id=${site_id}&start_date=${today.slice(0, 8)}01`,
  'accounts/{account_id}/reputation_report/counts': ({ site_id, today }) => `?site_id=${site_id}&start_date=${today}`,
  'users/{user_id}/access': ({ site_id }) => `?scope_type=Site&scope_id=${site_id}`,
}

export function tour(url: string, credentials: string, ids: TourIds): string[] {
  const shown = endpoints.filter((endpoint) => isShown(endpoint, ids))
  return shown.map((endpoint) => `curl -s -u '${credentials}'${method(endpoint)} ${address(url, endpoint, ids)}${body(endpoint, ids)}`)
}

/** Endpoints that delete, suspend or rename are left out, because a pasted command must not break the next one. The demo's key cannot issue keys and decides about no staff, and its accounts have no editors. */
function isShown({ method: name, path, access, fromInterface }: Endpoint, ids: TourIds): boolean {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, id = '']) => id)
  const isThere = names.every((id) => id in ids) && !/external_id$|editors\/\{user_id\}$/.test(path)
  const isLook = name === 'GET' && access !== 'keys' && access !== 'staff' && isThere
  return fromInterface === true || isLook || bodies[`${name} ${path}`] !== undefined
}

function method({ method: name }: Endpoint): string {
  return name === 'GET' ? '' : ` -X ${name}`
}

function address(url: string, { path, formats }: Endpoint, ids: TourIds): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => String(ids[name as keyof TourIds]))
  const extension = path.endsWith('abilities') ? 'json' : (formats?.[0] ?? 'xml')
  return `'${url}/api/${filled}.${extension}${queries[path]?.(ids) ?? ''}'`
}

function body({ method: name, path }: Endpoint, ids: TourIds): string {
  const sample = bodies[`${name} ${path}`]
  return sample === undefined ? '' : ` ${sample(ids)}`
}
