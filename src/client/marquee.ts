/** A client of the Marquee API for programs on servers: `new Marquee({ url, key, password })`. */

import { Connection, type Method } from './connection.ts'
import { Operations } from './operations.ts'
import type { MarqueeOptions, PushOptions, RequestOptions } from './options.ts'
import { pushRecords } from './push.ts'
import type { Observation, Observations, PushObservationsQuery } from './types.ts'

/** One method for each operation of the API, under the same name as in OpenAPI. */
export class Marquee extends Operations {
  readonly #connection: Connection

  constructor(options: MarqueeOptions) {
    const connection = new Connection(options)
    super(connection)
    this.#connection = connection
  }

  /**
   * Pushes any number of records, from a list or as they come, in as many requests as their size needs. The answer is the sum of all of them, with the
   * first hundred refusals; with `atomic` each request is stored whole or not at all.
   */
  push(
    records: Iterable<Observation> | AsyncIterable<Observation>,
    query?: PushObservationsQuery,
    options: PushOptions = {},
  ): Promise<Observations> {
    return pushRecords(this.#connection, records, query, options)
  }

  /** Any request with the key, the retries and the errors of the client: `request('GET', '/api/users.xml')`. */
  request(method: Method, path: string, options?: RequestOptions): Promise<Response> {
    return this.#connection.request(method, path, options)
  }
}
