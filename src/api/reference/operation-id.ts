/** The name of an operation, which OpenAPI, the client and the tools share: `Create a user` is `createUser`. */

import type { Endpoint } from '../endpoint.ts'
import { isGetAction } from './possible-errors.ts'

/** A GET request that changes state gets another name than the POST. */
export function operationId(endpoint: Endpoint): string {
  const words = endpoint.summary
    .replace(/'s\b|,/g, '')
    .split(' ')
    .filter((word) => !['a', 'an', 'the', 'of', 'and'].includes(word))
  const name = words.map((word, index) => (index === 0 ? word.toLowerCase() : word.charAt(0).toUpperCase() + word.slice(1))).join('')
  return isGetAction(endpoint) ? `${name}ByGet` : name
}
