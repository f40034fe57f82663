/** The reference at a partner's host name: with the partner's name, colour and logo, and the partner's address in the samples. */

import type { IncomingMessage } from 'node:http'
import { html } from '../../../lib/html.ts'
import type { App } from '../../../model/core/app.ts'
import { type Brand, brandOfHost, homeOf } from '../../../model/partners/brands.ts'

/** Undefined at the service's own address. */
export async function brandAt(app: App, { headers }: IncomingMessage): Promise<Brand | undefined> {
  const host = URL.parse(`http://${headers.host ?? ''}`)?.hostname ?? ''
  return host === new URL(app.settings.baseUrl).hostname ? undefined : brandOfHost(app, host)
}

/** The names of the client's package and classes stay, because programs must use them. */
export function inBrand(app: App, brand: Brand, type: string, text: string): string {
  const at = text.replaceAll('https://marquee.example', homeOf(app, brand.host_name))
  if (type.startsWith('text/html')) return brandedPage(brand, at)
  if (type.startsWith('application/json'))
    return at.replace('"title": "Marquee"', `"title": ${JSON.stringify(brand.name)}`).replaceAll(/\bmarquee (?=[a-z])/g, '')
  return at.replace(/^# Marquee$/m, () => `# ${brand.name}`)
}

function brandedPage({ name, accent, logo_id, favicon_id }: Brand, page: string): string {
  const shown = String(html`${name}`)
  const icon = favicon_id ?? logo_id
  const head = [
    ...(accent === null ? [] : [`<link rel="stylesheet" href="/assets/accent-${accent.slice(1)}.css">`]),
    ...(icon === null ? [] : [`<link rel="icon" href="/brand/${icon}">`]),
  ].join('')
  const logo = logo_id === null ? '' : `<img src="/brand/${logo_id}" alt="">`
  return page
    .replace(' · Marquee API</title>', () => ` · ${shown} API</title>`)
    .replace(/(<a class="home" href="\/docs">)Marquee /, (_, link: string) => `${link}${logo}${shown} `)
    .replace(/(<link rel="stylesheet" href="\/docs\/reference\.css">)/, (link) => `${link}${head}`)
    .replace(/<h2 id="connect-over-standard-input-and-output">[\s\S]*?(?=<h2 )/, '')
    .replaceAll(/(<code>|\n|\| )marquee (?=[a-z])/g, '$1')
}
