/** A caller is whoever makes the current request, together with the app. Every function of the model takes the caller first. */

import type { Kysely } from 'kysely'
import type { Tables } from '../../store/rows/tables.ts'
import type { App } from './app.ts'

export type Caller = PartnerCaller | StaffCaller | PersonCaller | OperatorCaller

export type KeyScope = 'provision' | 'report' | 'read' | 'ingest' | 'login_link' | 'keys' | 'staff' | 'events'

interface Asking {
  readonly app: App
  readonly requestId: string
  /** Set if a repetition of this request must give the same answer, which is then stored in the same transaction as the work. */
  readonly repeat?: Repeat
  /** Whether the work is rolled back after it is done, so that the answer tells what would have happened. */
  readonly isDryRun?: boolean
}

export interface Repeat {
  claim(tx: Kysely<Tables>): Promise<void>
  keep(tx: Kysely<Tables>, result: unknown): Promise<void>
}

/** A partner, identified by its key; reaches its managed accounts and everything below them. */
export interface PartnerCaller extends Asking {
  readonly kind: 'partner'
  readonly partnerId: number
  /** The partner account, to which a business belongs that names no account. */
  readonly accountId: number
  /** The accounts to which the key is limited, at least one; null if it reaches all accounts of the partner. */
  readonly accountIds: readonly number[] | null
  readonly keyId: number
  /** The public part of the key, which names the key in audit entries and logs. */
  readonly keyName: string
  readonly scopes: readonly KeyScope[]
  /** False if the key came without its password; it can then only read reports, if the partner allows it. */
  readonly hasPassword: boolean
  readonly mayReadWithKeyAlone: boolean
  /** Whether an agent may write with the key without a dry run first. */
  readonly mayWriteDirectly: boolean
  /** The partner's choice for element names made from data; null means the service's setting. */
  readonly names: 'encoded' | 'legacy' | null
  /** The partner's choice for series with a device or location; null means one series for each keyword, engine and locale. */
  readonly series: 'all' | null
  /** Set if it came with a token, which reads one site, or all of the account, and is used by pages of these origins. */
  readonly token?: { readonly id: number; readonly siteId: number | null; readonly origins: readonly string[] }
  /** A limit of 0 means no limit. */
  readonly limits: { readonly readsPerMinute: number; readonly writesPerMinute: number; readonly takenPerHour: number }
}

/** Somebody who works for the partner, at its desk; reaches all accounts of the partner, or those that they look after. */
export interface StaffCaller extends Asking, StaffPost {
  readonly kind: 'staff'
  readonly partnerId: number
  /** The partner account, where staff are users. */
  readonly accountId: number
  readonly userId: number
}

/** What somebody of the staff may do, and for which customers. */
export interface StaffPost {
  /** An admin may do everything; a member everything except what concerns the staff, the keys and the brand. */
  readonly role: 'admin' | 'member'
  /** All customers, now and later, or those that are assigned; an admin has all. */
  readonly customers: 'all' | 'assigned'
}

/** A person who has logged in; reaches what their abilities or their ownership let them see. */
export interface PersonCaller extends Asking {
  readonly kind: 'person'
  readonly partnerId: number
  readonly accountId: number
  readonly userId: number
  /** Set if the person is staff of the partner, who may also see and edit the sites of their customers. */
  readonly post: StaffPost | null
}

/** Someone with a share link; reaches the one site it shows, and cannot change anything. */
export interface GuestCaller extends Asking {
  readonly kind: 'guest'
  readonly partnerId: number
  readonly accountId: number
  readonly siteId: number
}

/** Somebody of the staff who looks at the pages as a person of a customer sees them; reaches what both may see, and cannot change anything. */
export interface ViewCaller extends Asking {
  readonly kind: 'view'
  readonly partnerId: number
  /** The account of the person. */
  readonly accountId: number
  /** The person. */
  readonly userId: number
  readonly by: { readonly userId: number; readonly post: StaffPost | null }
}

/** Callers who see all that is open to a person. */
export type SeeingCaller = PersonCaller | ViewCaller

/** Callers who read the pages of a site. */
export type ReaderCaller = SeeingCaller | GuestCaller

/** The operator who runs the service, at the command line; reaches everything. */
export interface OperatorCaller extends Asking {
  readonly kind: 'operator'
}
