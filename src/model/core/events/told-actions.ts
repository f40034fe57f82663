/** The table of audited actions that are told as events. What is not in it is told to nobody. */

import type { EventName } from '../../../resources/event.ts'

interface ToldAction {
  readonly type: EventName
  /** What changed, where the values before and after do not say so. */
  readonly changed?: string
  /** Only where this field changed. */
  readonly onlyWith?: string
}

// biome-ignore format: a table reads by its columns
export const toldActions: Readonly<Record<string, ToldAction>> = {
  'user.create':              { type: 'user.created' },
  'user.change':              { type: 'user.updated' },
  'user.profile':             { type: 'user.updated' },
  'user.email':               { type: 'user.updated' },
  'user.password':            { type: 'user.updated',           changed: 'password' },
  'user.external_id':         { type: 'user.updated',           changed: 'external_id' },
  'user.suspend':             { type: 'user.state_changed',     changed: 'state' },
  'user.unsuspend':           { type: 'user.state_changed',     changed: 'state' },
  'user.login':               { type: 'user.state_changed',     onlyWith: 'state' },
  'user.delete':              { type: 'user.deleted' },
  'user.erase':               { type: 'user.deleted',           onlyWith: 'state' },
  'abilities.merge':          { type: 'user.abilities_changed' },
  'abilities.remove':         { type: 'user.abilities_changed' },
  'abilities.replace':        { type: 'user.abilities_changed' },
  'business.create':          { type: 'business.created' },
  'business.rename':          { type: 'business.updated' },
  'business.external_id':     { type: 'business.updated',       changed: 'external_id' },
  'business.deactivate':      { type: 'business.deactivated' },
  'business.reactivate':      { type: 'business.reactivated' },
  'business.delete':          { type: 'business.deleted' },
  'account.create':           { type: 'account.created' },
  'account.rename':           { type: 'account.updated' },
  'account.change':           { type: 'account.updated' },
  'account.archive':          { type: 'account.updated',        changed: 'archived_at' },
  'account.unarchive':        { type: 'account.updated',        changed: 'archived_at' },
  'account.assign':           { type: 'account.updated',        changed: 'looked_after_by' },
  'account.brand':            { type: 'account.updated',        changed: 'brand' },
  'account.set_owner':        { type: 'account.updated',        changed: 'owner_id' },
  'account.clear_owner':      { type: 'account.updated',        changed: 'owner_id' },
  'account.set_time_zone':    { type: 'account.updated',        changed: 'time_zone' },
  'account.add_editor':       { type: 'account.updated',        changed: 'editors' },
  'account.remove_editor':    { type: 'account.updated',        changed: 'editors' },
  'account.external_id':      { type: 'account.updated',        changed: 'external_id' },
  'account.delete':           { type: 'account.deleted' },
  'account.restore':          { type: 'account.restored' },
  'site.create':              { type: 'site.created' },
  'site.change':              { type: 'site.updated' },
  'site.external_id':         { type: 'site.updated',           changed: 'external_id' },
  'site.delete':              { type: 'site.deleted' },
  'keyword.create':           { type: 'site.updated',           changed: 'keywords' },
  'keyword.tag':              { type: 'site.updated',           changed: 'keywords' },
  'keyword.delete':           { type: 'site.updated',           changed: 'keywords' },
  'competitor.create':        { type: 'site.updated',           changed: 'competitors' },
  'competitor.delete':        { type: 'site.updated',           changed: 'competitors' },
  'page.create':              { type: 'site.updated',           changed: 'pages' },
  'page.delete':              { type: 'site.updated',           changed: 'pages' },
  'location.create':          { type: 'site.updated',           changed: 'location' },
  'location.change':          { type: 'site.updated',           changed: 'location' },
  'location.delete':          { type: 'site.updated',           changed: 'location' },
  'annotation.create':        { type: 'site.updated',           changed: 'annotations' },
  'annotation.remove':        { type: 'site.updated',           changed: 'annotations' },
  'key.issue':                { type: 'key.issued' },
  'key.rotate':               { type: 'key.rotated' },
  'key.revoke':               { type: 'key.revoked' },
}
