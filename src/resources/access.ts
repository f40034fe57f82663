/** Access: whether a user can see an account, a business or a site, and why. */

import { boolean, integer, list, type RecordOf, string } from '../fields/shape.ts'
import { ability, scopeTypes } from './ability.ts'
import { userStates } from './user.ts'

/** One grant that lets the user see the scope. */
// biome-ignore format: a table reads by its columns
const grant = {
  by:         string('`owner` of the account, `staff` of the partner, or `ability`', { oneOf: ['owner', 'staff', 'ability'] }),
  scope_type: string('what the user owns or has the ability on', { oneOf: scopeTypes }),
  scope_id:   integer('its id'),
  inherited:  boolean('whether it is held on something above the scope'),
}

/** One reason why the user cannot see the scope in spite of a grant. */
// biome-ignore format: a table reads by its columns
const obstacle = {
  code:     string('', { oneOf: ['user_suspended', 'business_deactivated', 'other_partner'] }),
  sentence: string(),
}

// biome-ignore format: a table reads by its columns
export const access = {
  user_id:    integer('who'),
  scope_type: string('`Account`, `Business` or `Site`', { oneOf: scopeTypes }),
  scope_id:   integer('id of the account, business or site'),
  allowed:    boolean('whether the user can open it now: there is a grant and no obstacle'),
  sentence:   string('the same in words'),
  grants:     list('grant', grant),
  obstacles:  list('obstacle', obstacle),
}

// biome-ignore format: a table reads by its columns
const seenSite = {
  site_id:       integer('the site'),
  domain:        string(),
  business_name: string(),
  account_id:    integer('its account'),
  open:          boolean('whether the user can open it now; sites of deactivated businesses are only listed to them'),
}

/** All that a user sees, told at once. */
// biome-ignore format: a table reads by its columns
export const effectiveAccess = {
  user_id:    integer('who'),
  state:      string('of the user', { oneOf: userStates }),
  staff_role: string('`admin` or `member`; null: no staff', { nullable: true }),
  owns:       integer('the account that the user owns; null: none', { nullable: true }),
  sentence:   string('what the user sees, and why nothing, in words'),
  abilities:  list('ability', ability),
  sites:      list('site', seenSite),
  more_sites: boolean('whether there are more than the 50 that are listed'),
}

export type EffectiveAccess = Omit<RecordOf<typeof effectiveAccess>, 'abilities' | 'sites'> & {
  readonly abilities: readonly RecordOf<typeof ability>[]
  readonly sites: readonly RecordOf<typeof seenSite>[]
}

export type AccessGrant = RecordOf<typeof grant>
export type AccessObstacle = RecordOf<typeof obstacle>
export type Access = Omit<RecordOf<typeof access>, 'grants' | 'obstacles'> & {
  readonly grants: readonly AccessGrant[]
  readonly obstacles: readonly AccessObstacle[]
}
