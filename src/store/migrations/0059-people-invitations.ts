/** People who were invited to an account by those who keep it, and how each invitation ended. */

import type { Migration } from '../schema.ts'

export const peopleInvitations: Migration = {
  name: '0059-people-invitations',
  worksFrom: '0058-named-hosts',
  async up({ createTable }) {
    await createTable(
      'people_invitations',
      {
        id: 'id',
        account_id: 'integer',
        email: 'text',
        name: 'text',
        scope_type: 'text',
        scope_id: 'integer',
        is_editor: 'integer',
        invited_by: 'integer',
        created_at: 'text',
        expires_at: 'text',
        ended: 'text?',
        ended_by: 'integer?',
      },
      {
        indexes: [['account_id'], ['name'], ['invited_by'], ['scope_type', 'scope_id'], ['expires_at']],
        references: { account_id: 'accounts', invited_by: 'users' },
      },
    )
  },
}
