/** Every stored column of what makes an account is exported with it, or stays behind for a reason. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { transferColumns } from '../../../src/model/transfers/kinds.ts'
import { groundAt } from '../../support/app.ts'
import { onEachEngine } from '../../support/engines.ts'
import { columnFacts } from '../../support/schema-facts.ts'

const tables = {
  account: 'accounts',
  business: 'businesses',
  site: 'sites',
  user: 'users',
  ability: 'abilities',
  annotation: 'annotations',
  review_mark: 'review_marks',
  plain_series: 'plain_series',
  report_schedule: 'report_schedules',
  brand: 'brands',
  account_brand: 'account_brands',
} as const

const everywhere = ['id', 'partner_id']

/** The reason stands before the columns that it keeps back. */
const staysBehind: Partial<Record<keyof typeof tables, Record<string, readonly string[]>>> = {
  account: {
    'is a record of its own, because it names a user': ['owner_id'],
    'is drawn anew': ['report_version'],
    'names staff, who are not exported': ['looked_after_by'],
  },
  business: { 'is about the customer as it is here': ['is_deactivated_together'] },
  user: {
    'is a secret': ['salt', 'activation_code', 'password_reset_code', 'remember_token', 'remember_token_expires_at'],
    'belongs to users who are not exported': ['deleted_at'],
  },
  plain_series: { 'names an intake, which is not exported': ['intake_id'] },
  brand: { 'is the time of the import': ['updated_at'] },
  account_brand: { 'is the time of the import': ['updated_at'] },
}

onEachEngine('the columns of an exported account', (place) => {
  const at = groundAt(place)
  for (const [kind, table] of Object.entries(tables) as [keyof typeof tables, string][])
    test(`${kind}: those of the table ${table}`, async () => {
      const stored = (await columnFacts(at.app.store.db)).get(table)?.map(({ name }) => name)
      const kept = Object.values(staysBehind[kind] ?? {}).flat()
      const expected = stored?.filter((name) => !everywhere.includes(name) && !kept.includes(name))
      assert.deepEqual(Object.keys(transferColumns[kind]).sort(), expected?.sort())
      assert.deepEqual(
        kept.filter((name) => !stored?.includes(name)),
        [],
        'a reason for a column that does not exist',
      )
    })
})
