/** The record of changes: it commits with the change or not at all, and keeps no secret. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { audit, auditAll } from '../../../src/model/core/audit.ts'
import type { PartnerCaller } from '../../../src/model/core/caller.ts'
import { groundAt } from '../../support/app.ts'
import { onEachEngine } from '../../support/engines.ts'

onEachEngine('the audit', (place) => {
  const at = groundAt(place)
  const action = 'business.deactivate'
  const subject = { id: 7, account_id: 3 }
  const last = () => at.app.store.db.selectFrom('audit_entries').selectAll().orderBy('id', 'desc').executeTakeFirst()

  test('who did it is told apart: the operator, a person, a partner with the public part of its key', async () => {
    const asking = { app: at.app, requestId: 'request 1' }
    const partner = { ...asking, kind: 'partner', partnerId: 3, keyName: 'AbC12345' } as PartnerCaller
    const callers = [at.operator, { ...asking, kind: 'person' as const, partnerId: 3, accountId: 4, userId: 9, post: null }, partner]
    const actors = []
    for (const caller of callers) {
      await at.app.store.write((tx) => audit(tx, caller, action, subject))
      actors.push((await last())?.actor)
    }
    assert.deepEqual(actors, ['operator', 'user:9', 'partner:3 key:AbC12345'])
    const { id: _id, at: _at, actor: _actor, ...entry } = (await last()) ?? {}
    const about = { action, subject_type: 'Business', subject_id: 7, account_id: 3, partner_id: 3 }
    assert.deepEqual(entry, { ...about, request_id: 'request 1', detail_hash: null })
  })

  test('secrets of a row are left out of its before and after', async () => {
    const row = {
      name: 'dana',
      password: 'one',
      verifier: 'two',
      key_hash: 'three',
      remember_token: 'four',
      list: [{ password_hash: 'five' }],
    }
    await at.app.store.write((tx) => audit(tx, at.operator, action, subject, { before: row, after: row }))
    const kept = await at.app.store.db.selectFrom('audit_details').select('detail').orderBy('entry_id', 'desc').executeTakeFirstOrThrow()
    assert.deepEqual(JSON.parse(kept.detail), { before: { name: 'dana', list: [{}] }, after: { name: 'dana', list: [{}] } })
    assert.equal((await last())?.detail_hash, at.app.secrets.hmac('audit', kept.detail))
  })

  test('of several changes at once each has its own detail, under its own hash', async () => {
    const names = ['first', 'second', 'third']
    const changes = names.map((name, index) => ({ subject: { id: index + 1 }, ...(name !== 'second' && { after: { name } }) }))
    await at.app.store.write((tx) => auditAll(tx, at.operator, action, changes))
    const kept = await at.app.store.db
      .selectFrom('audit_entries')
      .leftJoin('audit_details', 'entry_id', 'id')
      .select(['subject_id', 'detail', 'detail_hash'])
      .orderBy('id', 'desc')
      .limit(3)
      .execute()
    const detail = (name: string) => JSON.stringify({ after: { name } })
    const hashed = (name: string) => at.app.secrets.hmac('audit', detail(name))
    assert.deepEqual(kept.toReversed(), [
      { subject_id: 1, detail: detail('first'), detail_hash: hashed('first') },
      { subject_id: 2, detail: null, detail_hash: null },
      { subject_id: 3, detail: detail('third'), detail_hash: hashed('third') },
    ])
  })

  test('a change that is rolled back was never recorded', async () => {
    const before = (await last())?.id
    const failing = at.app.store.write(async (tx) => {
      await audit(tx, at.operator, action, subject)
      throw new Error('no')
    })
    await assert.rejects(failing)
    assert.equal((await last())?.id, before)
  })
})
