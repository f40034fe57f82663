/** The chain over the audit entries: whoever changes, removes, adds or cuts something is found out; erasing a detail is not a change. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSettings } from '../../../src/config.ts'
import { isoTime } from '../../../src/lib/time/clock.ts'
import { type App, openApp } from '../../../src/model/core/app.ts'
import type { OperatorCaller } from '../../../src/model/core/caller.ts'
import { createPartner } from '../../../src/model/partners/partners.ts'
import { sealEntries, verifyAudit } from '../../../src/model/upkeep/audit-seals.ts'
import { sweep } from '../../../src/model/upkeep/retention.ts'
import { onEachEngine } from '../../support/engines.ts'

async function sealAll(app: App) {
  let head = null
  for (let next = await sealEntries(app); next !== null; next = await sealEntries(app)) head = next
  return head
}

onEachEngine('the chain over the audit entries', (place) => {
  const operator = (app: App): OperatorCaller => ({ kind: 'operator', app, requestId: 'test' })
  const perApp = (title: string, body: (app: App) => Promise<void>) =>
    test(title, async () => {
      const app = await openApp(readSettings({ ...place.env, MARQUEE_KEEP_AUDIT_DAYS: '30' }))
      try {
        await body(app)
      } finally {
        await app.close()
      }
    })

  perApp('an untouched record is whole, also when two seal at once', async (app) => {
    for (const name of ['Acme', 'Globex', 'Initech']) await createPartner(operator(app), name)
    await Promise.all([sealEntries(app), sealEntries(app)])
    const head = await sealAll(app)
    const verdict = await verifyAudit(app)
    assert.deepEqual(verdict.faults, [])
    assert.ok(verdict.checked >= 9)
    if (head !== null) assert.deepEqual(verdict.head, head)
  })

  perApp('a changed entry and a changed detail are named', async (app) => {
    await createPartner(operator(app), 'Acme')
    await sealAll(app)
    const { id } = await app.store.db
      .selectFrom('audit_entries')
      .select('id')
      .where('action', '=', 'partner.create')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    const set = (actor: string) => app.store.write((tx) => tx.updateTable('audit_entries').set({ actor }).where('id', '=', id).execute())
    await set('user:7')
    assert.deepEqual((await verifyAudit(app)).faults, [`Entry ${id} is not as it was sealed.`])
    await set('operator')
    const detail = await app.store.db.selectFrom('audit_details').select('detail').where('entry_id', '=', id).executeTakeFirstOrThrow()
    const write = (text: string) =>
      app.store.write((tx) => tx.updateTable('audit_details').set({ detail: text }).where('entry_id', '=', id).execute())
    await write('{"after":{"name":"Someone else"}}')
    assert.deepEqual((await verifyAudit(app)).faults, [`The detail of entry ${id} is not as it was written.`])
    await write(detail.detail)
    await app.store.write((tx) => tx.deleteFrom('audit_details').where('entry_id', '=', id).execute())
    assert.deepEqual((await verifyAudit(app)).faults, [])
  })

  perApp('a link taken out, an end cut off and an entry slipped in are found', async (app) => {
    await createPartner(operator(app), 'Acme')
    const anchor = (await sealAll(app)) ?? assert.fail('nothing was sealed')
    const { store } = app
    const last = await store.db.selectFrom('audit_seals').selectAll().orderBy('id', 'desc').limit(2).execute()
    const [end, before] = [last[0] ?? assert.fail(), last[1] ?? assert.fail()]
    await store.write((tx) => tx.deleteFrom('audit_seals').where('id', '=', end.id).execute())
    assert.match((await verifyAudit(app, anchor)).faults.join(), /end was cut off/)
    await store.write((tx) => tx.insertInto('audit_seals').values(end).execute())
    assert.deepEqual((await verifyAudit(app, anchor)).faults, [])
    await store.write((tx) => tx.deleteFrom('audit_seals').where('id', '=', before.id).execute())
    assert.match((await verifyAudit(app)).faults.join(), new RegExp(`Entry ${end.entry_id} is not as it was sealed`))
    await store.write((tx) => tx.insertInto('audit_seals').values(before).execute())
    const old = { at: '2020-01-01T00:00:00Z', actor: 'operator', action: 'partner.set', subject_type: 'Partner', request_id: 'x' }
    await store.write((tx) =>
      tx
        .insertInto('audit_entries')
        .values({ ...old, partner_id: null, account_id: null, subject_id: null, detail_hash: null })
        .execute(),
    )
    assert.match((await verifyAudit(app)).faults.join(), /was never sealed/)
    await store.write((tx) => tx.deleteFrom('audit_entries').where('request_id', '=', 'x').execute())
  })

  perApp('retention takes old entries from the beginning, and the rest still proves itself', async (app) => {
    await createPartner(operator(app), 'Acme')
    await sealAll(app)
    const { length } = await app.store.db.selectFrom('audit_entries').select('id').execute()
    const later = { ...app, clock: { now: () => isoTime(Date.now() + 31 * 86_400_000) } }
    await createPartner(operator(later), 'Globex')
    await sealAll(later)
    const swept = await sweep(operator(later))
    assert.equal(swept.audit_entries, length)
    const verdict = await verifyAudit(later)
    assert.deepEqual(verdict.faults, [])
    assert.equal(verdict.checked, 3)
  })
})
