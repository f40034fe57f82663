/** Names as people know them: Google instead of google, and domains in their own script instead of punycode. */

import { domainToUnicode } from 'node:url'

const brands = [
  ...['Google', 'Bing', 'Yahoo', 'DuckDuckGo', 'Ecosia', 'Yandex', 'Baidu', 'Naver', 'Apple Maps', 'Google Maps', 'Bing Maps'],
  ...['Facebook', 'Yelp', 'Tripadvisor', 'Trustpilot', 'Foursquare', 'Booking.com', 'OpenTable', 'Healthgrades', 'Zocdoc', 'Angi', 'BBB'],
]

const byPlainName = new Map(brands.map((name) => [plain(name), name]))

/** The name of a search engine or review source; an unknown one keeps its spelling. */
export function sourceName(name: string): string {
  return byPlainName.get(plain(name)) ?? name
}

export function domainName(domain: string): string {
  return domain.includes('xn--') ? domainToUnicode(domain) || domain : domain
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[\s._-]/g, '')
}
