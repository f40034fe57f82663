/** A tool for agents: how it is called, and the endpoint that answers. */

import type { JsonSchema } from '../../fields/to-schema.ts'
import type { Endpoint } from '../endpoint.ts'

export interface Tool {
  readonly name: string
  readonly endpoint: Endpoint
  readonly inPath: readonly string[]
  readonly inQuery: readonly string[]
  /** The argument that is sent as the body, and whether it is wrapped in its own name there. */
  readonly inBody: { readonly name: string; readonly isWrapped: boolean; readonly isText?: true } | null
  readonly description: {
    readonly name: string
    readonly title: string
    readonly description: string
    readonly inputSchema: JsonSchema & { readonly type: 'object' }
    readonly outputSchema: JsonSchema & { readonly type: 'object' }
    readonly annotations: Readonly<Record<`${string}Hint`, boolean>>
  }
}
