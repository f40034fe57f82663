/** The pages of the desk, by name, above each of them. */

import { type Html, html } from '../../lib/html.ts'
import type { PageRequest } from '../page-request.ts'

// biome-ignore format: a table reads by its columns
const places = [
  { path: '/desk',         label: 'Customers', below: ['/desk/customers', '/desk/add', '/desk/bulk', '/desk/deleted'] },
  { path: '/desk/data',    label: 'Data',      below: ['/desk/data', '/desk/sources'] },
  { path: '/desk/reviews', label: 'Reviews',   below: [] },
  { path: '/desk/reports', label: 'Reports',   below: ['/desk/reports'] },
  { path: '/desk/brand',   label: 'Brand',     below: ['/desk/brand'], isForAdmins: true },
  { path: '/desk/team',    label: 'Team',      below: ['/desk/team'], isForAdmins: true },
  { path: '/desk/developers', label: 'Developers', below: ['/desk/developers'], isForAdmins: true },
] as const

/** Null on any other page. */
export function deskPlaces({ loggedIn, path }: PageRequest): Html | null {
  if (!loggedIn?.person.post || !path.startsWith('/desk')) return null
  const open = places.filter((place) => !('isForAdmins' in place) || loggedIn.person.post?.role === 'admin')
  const isHere = (place: (typeof places)[number]) => path === place.path || place.below.some((folder) => path.startsWith(folder))
  return html`
    <div class="tab-row no-print">
      <nav class="tabs" aria-label="Pages of the desk">
        ${open.map((place) => html`<a href="${place.path}"${isHere(place) ? html` aria-current="${path === place.path ? 'page' : 'true'}"` : null}>${place.label}</a>`)}
      </nav>
    </div>
  `
}
