/** A migration that has landed says to each database what it said when it landed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashesOf } from '../../scripts/hash-steps.ts'
import { knownHashes } from '../../src/store/layout/step-hashes.ts'
import { migrations } from '../../src/store/migrations.ts'
import type { Migration } from '../../src/store/schema.ts'

test('every migration has the hash that was kept of it: add the next one instead of editing it', async () => {
  assert.deepEqual(
    migrations.map(({ name }) => name),
    Object.keys(knownHashes),
    '`npm run generate` adds those of new migrations',
  )
  const edited: string[] = []
  for (const step of migrations) {
    const { sqlite, postgres } = await hashesOf(step)
    if (sqlite !== knownHashes[step.name]?.sqlite || postgres !== knownHashes[step.name]?.postgres) edited.push(step.name)
  }
  assert.deepEqual(edited, [])
})

test('a hash tells another key, column, default, index, reference and statement, on both engines', async () => {
  const step = (up: Migration['up']): Migration => ({ name: '9999-notes', up })
  const columns = { id: 'id', site_id: 'integer', text: 'text' } as const
  const first = await hashesOf(step(({ createTable }) => createTable('notes', columns)))
  const others: Migration['up'][] = [
    ({ createTable }) => createTable('notes', columns, { unique: [['text']] }),
    ({ createTable }) => createTable('notes', { ...columns, text: 'text?' }),
    ({ createTable }) => createTable('notes', { ...columns, site_id: 'integer=1' }),
    ({ createTable }) => createTable('notes', columns, { indexes: [['text']] }),
    ({ createTable }) => createTable('notes', columns, { references: { site_id: 'sites' } }),
    async ({ createTable, allowNull }) => {
      await createTable('notes', columns)
      await allowNull('notes', 'text')
    },
    async ({ createTable, dropAccountReference }) => {
      await createTable('notes', columns)
      await dropAccountReference('notes', 'site_id')
    },
  ]
  for (const up of others) {
    const other = await hashesOf(step(up))
    assert.ok(other.sqlite !== first.sqlite && other.postgres !== first.postgres, String(up))
  }
})
