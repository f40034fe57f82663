/** A caller is who is asking now, with the app. Every verb of the model takes a caller first. */

import type { Kysely } from 'kysely'
import type { Tables } from '../../store/rows/tables.ts'
import type { App } from './app.ts'

export type Caller = PartnerCaller | PersonCaller | OperatorCaller

export type KeyScope = 'provision' | 'report' | 'ingest' | 'login_link' | 'keys'

interface Asking {
  readonly app: App
  readonly requestId: string
  /** Present when a repeat of this request must give the same answer: kept in the same transaction as the work. */
  readonly repeat?: Repeat
  /** The work is done and then rolled back: the answer tells what would have happened. */
  readonly isDryRun?: boolean
  /** Present when the work is part of a larger transaction, which is done later or not at all. */
  readonly batch?: BatchOfWork
}

export interface BatchOfWork {
  enlist<T>(work: (tx: Kysely<Tables>) => Promise<T>): Promise<T>
}

export interface Repeat {
  claim(tx: Kysely<Tables>): Promise<void>
  keep(tx: Kysely<Tables>, result: unknown): Promise<void>
}

/** A partner, by its key: reaches its managed accounts and what hangs below them. */
export interface PartnerCaller extends Asking {
  readonly kind: 'partner'
  readonly partnerId: number
  /** The partner account: where a business goes that names no account. */
  readonly accountId: number
  /** The accounts to which the key is limited, at least one; null: it reaches all of the partner's. */
  readonly accountIds: readonly number[] | null
  readonly keyId: number
  /** The part of the key that may be shown: it names the key in audit entries and logs. */
  readonly keyName: string
  readonly scopes: readonly KeyScope[]
  /** False: the key came alone, which opens reports only, where the partner allows it. */
  readonly hasPassword: boolean
  readonly mayReadWithKeyAlone: boolean
  /** Whether an agent may write with the key without a dry run first. */
  readonly mayWriteDirectly: boolean
  /** How the partner wants element names taken from data; null leaves it to the service's setting. */
  readonly names: 'encoded' | 'legacy' | null
  /** 0 switches a limit off. */
  readonly limits: { readonly readsPerMinute: number; readonly writesPerMinute: number; readonly takenPerHour: number }
}

/** A person who has logged in: reaches what abilities or ownership let them show. */
export interface PersonCaller extends Asking {
  readonly kind: 'person'
  readonly partnerId: number
  readonly accountId: number
  readonly userId: number
}

/** Someone with a share link: reaches the one site that it shows, and changes nothing. */
export interface GuestCaller extends Asking {
  readonly kind: 'guest'
  readonly partnerId: number
  readonly accountId: number
  readonly siteId: number
}

/** Who reads the pages of a site. */
export type ReaderCaller = PersonCaller | GuestCaller

/** Whoever runs the service, at the command line: reaches everything. */
export interface OperatorCaller extends Asking {
  readonly kind: 'operator'
}
