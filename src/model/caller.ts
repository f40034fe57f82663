/** Who is asking now, and the ground they stand on. Every verb of the model takes a caller first. */

import type { Ground } from './ground.ts'

export type Caller = PartnerCaller | PersonCaller | OperatorCaller

export type KeyScope = 'provision' | 'report' | 'ingest'

interface Asking {
  readonly ground: Ground
  readonly requestId: string
}

/** A partner, by its key: reaches its managed accounts and what hangs below them. */
export interface PartnerCaller extends Asking {
  readonly kind: 'partner'
  readonly partnerId: number
  /** The partner account: where a business goes that names no account. */
  readonly accountId: number
  readonly keyId: number
  readonly scopes: readonly KeyScope[]
  readonly hasPassword: boolean
}

/** A person who has logged in: reaches what abilities or ownership let them show. */
export interface PersonCaller extends Asking {
  readonly kind: 'person'
  readonly partnerId: number
  readonly accountId: number
  readonly userId: number
}

/** Whoever runs the service, at the command line: reaches everything. */
export interface OperatorCaller extends Asking {
  readonly kind: 'operator'
}
