/** Rows of invitations that were mailed: to the staff of a partner, and to see something of an account. */

import type { Generated } from 'kysely'
import type { ScopeType } from '../../resources/ability.ts'
import type { Bit, Moment } from './values.ts'

export interface InvitationTables {
  staff_invitations: StaffInvitationRow
  people_invitations: PersonInvitationRow
}

/** Somebody who was asked to join the staff and has not answered yet. The token of the link is computed, and stored nowhere. */
export interface StaffInvitationRow {
  id: Generated<number>
  partner_id: number
  email: string
  /** The email as it is unique: it tells which user the invitation is for, also one who is created later. */
  name: string
  role: 'admin' | 'member'
  customers: 'all' | 'assigned'
  created_at: Moment
  expires_at: Moment
}

/** Somebody who was invited to see something of an account. The token of the link is computed, and stored nowhere. */
export interface PersonInvitationRow {
  id: Generated<number>
  account_id: number
  email: string
  /** The email as it is unique. */
  name: string
  /** What they will see. */
  scope_type: ScopeType
  scope_id: number
  is_editor: Bit
  /** While they may invite to this, the invitation works. */
  invited_by: number
  created_at: Moment
  expires_at: Moment
  /** Null while it waits; kept for a while, so that the link says why it no longer works. */
  ended: 'used' | 'withdrawn' | 'replaced' | null
  ended_by: number | null
}
