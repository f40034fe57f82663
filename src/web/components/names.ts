/** Names as people know them: Google, not google; the letters of a domain, not their encoding for machines. */

import { domainToUnicode } from 'node:url'

const brands = [
  ...['Google', 'Bing', 'Yahoo', 'DuckDuckGo', 'Ecosia', 'Yandex', 'Baidu', 'Naver', 'Apple Maps', 'Google Maps', 'Bing Maps'],
  ...['Facebook', 'Yelp', 'Tripadvisor', 'Trustpilot', 'Foursquare', 'Booking.com', 'OpenTable', 'Healthgrades', 'Zocdoc', 'Angi', 'BBB'],
]

const byPlainName = new Map(brands.map((name) => [plain(name), name]))

/** Of a search engine or a source of reviews; one we do not know keeps the spelling it came with. */
export function sourceName(name: string): string {
  return byPlainName.get(plain(name)) ?? name
}

export function domainName(domain: string): string {
  return domain.includes('xn--') ? domainToUnicode(domain) || domain : domain
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[\s._-]/g, '')
}
