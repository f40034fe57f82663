/** A client of the Marquee API for Node and browsers: `new Marquee({ url, key, password })`. */

import { Connection, type MarqueeOptions } from './connection.ts'
import { Operations } from './operations.ts'

/** One method for each operation of the API, under the same name as in OpenAPI. */
export class Marquee extends Operations {
  constructor(options: MarqueeOptions) {
    super(new Connection(options))
  }
}
