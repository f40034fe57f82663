/** The import of whole accounts while it stores records, and what became of one. */

import type { Kysely } from 'kysely'
import type { Tables } from '../../store/rows/tables.ts'
import type { Managing } from '../core/tenancy.ts'
import type { Target } from '../imports/refs.ts'
import type { TakenAnswers } from '../people/name-probing-limit.ts'
import type { TransferIds } from './transfer-ids.ts'

export interface Storing {
  readonly caller: Managing
  readonly tx: Kysely<Tables>
  readonly target: Target
  readonly ids: TransferIds
  /** The hash of a random password: users are exported without their passwords. */
  readonly verifier: string
  /** Tells that a login or an email is taken. */
  readonly taken: TakenAnswers
  /** Whether records get the ids that they have in the export. */
  readonly keepsIds: boolean
  /** The partner account in the export of a whole partner, which becomes the partner account here. */
  readonly partnerAccountId: number | null
}

export type StoreOutcome = 'created' | 'unchanged' | { readonly what: string; readonly why: string }
