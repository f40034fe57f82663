/** Second factors of logins with their recovery codes, logins that await a code, and partners that demand a second factor of their staff. */

import type { Migration } from '../schema.ts'

export const secondFactors: Migration = {
  name: '0052-second-factors',
  worksFrom: '0042-customers',
  async up({ createTable, addColumns }) {
    const ofUser = { user_id: 'users' } as const
    await createTable(
      'second_factors',
      { user_id: 'integer', sealed: 'text', last_step: 'integer', created_at: 'text', confirmed_at: 'text?' },
      { primaryKey: ['user_id'], references: ofUser },
    )
    await createTable(
      'recovery_codes',
      { user_id: 'integer', code_hash: 'text' },
      { primaryKey: ['user_id', 'code_hash'], references: ofUser },
    )
    await createTable(
      'pending_logins',
      { token_hash: 'text', user_id: 'integer', password_mark: 'text', is_remembered: 'integer', opened_by: 'text', expires_at: 'text' },
      { primaryKey: ['token_hash'], indexes: [['user_id'], ['expires_at']], references: ofUser },
    )
    await addColumns('partners', { demands_second_factor: 'integer=0' })
  },
}
