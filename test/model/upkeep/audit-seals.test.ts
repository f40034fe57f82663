/** The chain over the audit entries: whoever changes, removes, adds or cuts something is found out; erasing a detail is not a change. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSettings } from '../../../src/config.ts'
import { isoTime } from '../../../src/lib/clock.ts'
import { type Ground, openGround } from '../../../src/model/core/app.ts'
import type { OperatorCaller } from '../../../src/model/core/caller.ts'
import { createPartner } from '../../../src/model/partners/partners.ts'
import { sealEntries, verifyAudit } from '../../../src/model/upkeep/audit-seals.ts'
import { sweep } from '../../../src/model/upkeep/retention.ts'
import { onEachEngine } from '../../support/engines.ts'

async function sealAll(ground: Ground) {
  let head = null
  for (let next = await sealEntries(ground); next !== null; next = await sealEntries(ground)) head = next
  return head
}

onEachEngine('the chain over the audit entries', (place) => {
  const operator = (ground: Ground): OperatorCaller => ({ kind: 'operator', ground, requestId: 'test' })
  const onGround = (title: string, body: (ground: Ground) => Promise<void>) =>
    test(title, async () => {
      const ground = await openGround(readSettings({ ...place.env, MARQUEE_KEEP_AUDIT_DAYS: '30' }))
      try {
        await body(ground)
      } finally {
        await ground.close()
      }
    })

  onGround('an untouched record is whole, also when two seal at once', async (ground) => {
    for (const name of ['Acme', 'Globex', 'Initech']) await createPartner(operator(ground), name)
    await Promise.all([sealEntries(ground), sealEntries(ground)])
    const head = await sealAll(ground)
    const verdict = await verifyAudit(ground)
    assert.deepEqual(verdict.faults, [])
    assert.ok(verdict.checked >= 9)
    if (head !== null) assert.deepEqual(verdict.head, head)
  })

  onGround('a changed entry and a changed detail are named', async (ground) => {
    await createPartner(operator(ground), 'Acme')
    await sealAll(ground)
    const { id } = await ground.store.db
      .selectFrom('audit_entries')
      .select('id')
      .where('action', '=', 'partner.create')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    const set = (actor: string) => ground.store.write((tx) => tx.updateTable('audit_entries').set({ actor }).where('id', '=', id).execute())
    await set('user:7')
    assert.deepEqual((await verifyAudit(ground)).faults, [`Entry ${id} is not as it was sealed.`])
    await set('operator')
    const detail = await ground.store.db.selectFrom('audit_details').select('detail').where('entry_id', '=', id).executeTakeFirstOrThrow()
    const write = (text: string) =>
      ground.store.write((tx) => tx.updateTable('audit_details').set({ detail: text }).where('entry_id', '=', id).execute())
    await write('{"after":{"name":"Someone else"}}')
    assert.deepEqual((await verifyAudit(ground)).faults, [`The detail of entry ${id} is not as it was written.`])
    await write(detail.detail)
    await ground.store.write((tx) => tx.deleteFrom('audit_details').where('entry_id', '=', id).execute())
    assert.deepEqual((await verifyAudit(ground)).faults, [])
  })

  onGround('a link taken out, an end cut off and an entry slipped in are found', async (ground) => {
    await createPartner(operator(ground), 'Acme')
    const anchor = (await sealAll(ground)) ?? assert.fail('nothing was sealed')
    const { store } = ground
    const last = await store.db.selectFrom('audit_seals').selectAll().orderBy('id', 'desc').limit(2).execute()
    const [end, before] = [last[0] ?? assert.fail(), last[1] ?? assert.fail()]
    await store.write((tx) => tx.deleteFrom('audit_seals').where('id', '=', end.id).execute())
    assert.match((await verifyAudit(ground, anchor)).faults.join(), /end was cut off/)
    await store.write((tx) => tx.insertInto('audit_seals').values(end).execute())
    assert.deepEqual((await verifyAudit(ground, anchor)).faults, [])
    await store.write((tx) => tx.deleteFrom('audit_seals').where('id', '=', before.id).execute())
    assert.match((await verifyAudit(ground)).faults.join(), new RegExp(`Entry ${end.entry_id} is not as it was sealed`))
    await store.write((tx) => tx.insertInto('audit_seals').values(before).execute())
    const old = { at: '2020-01-01T00:00:00Z', actor: 'operator', action: 'partner.set', subject_type: 'Partner', request_id: 'x' }
    await store.write((tx) =>
      tx
        .insertInto('audit_entries')
        .values({ ...old, partner_id: null, account_id: null, subject_id: null, detail_hash: null })
        .execute(),
    )
    assert.match((await verifyAudit(ground)).faults.join(), /was never sealed/)
    await store.write((tx) => tx.deleteFrom('audit_entries').where('request_id', '=', 'x').execute())
  })

  onGround('retention takes old entries from the beginning, and the rest still proves itself', async (ground) => {
    await createPartner(operator(ground), 'Acme')
    await sealAll(ground)
    const { length } = await ground.store.db.selectFrom('audit_entries').select('id').execute()
    const later = { ...ground, clock: { now: () => isoTime(Date.now() + 31 * 86_400_000) } }
    await createPartner(operator(later), 'Globex')
    await sealAll(later)
    const swept = await sweep(operator(later))
    assert.equal(swept.audit_entries, length)
    const verdict = await verifyAudit(later)
    assert.deepEqual(verdict.faults, [])
    assert.equal(verdict.checked, 3)
  })
})
