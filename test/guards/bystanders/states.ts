/** States of the whole world in which something can be done. */
import type { App } from '../../../src/model/core/app.ts'

/** An account is deleted when no undo is on its way. */
export function endUndoing({ store }: App): Promise<unknown> {
  return store.write((tx) => tx.deleteFrom('intake_tasks').where('task', '=', 'undo').execute())
}

export function suspendUsers({ store }: App): Promise<unknown> {
  return store.write((tx) => tx.updateTable('users').set({ state: 'suspended' }).execute())
}

/** As if it had been done by their accounts. */
export function deactivateBusinesses({ store }: App): Promise<unknown> {
  return store.write((tx) => tx.updateTable('businesses').set({ aasm_state: 'deactivated', is_deactivated_together: 1 }).execute())
}

export function letMailWait({ store }: App): Promise<unknown> {
  return store.write((tx) => tx.updateTable('mails').set({ state: 'queued' }).execute())
}

export function archiveAccounts({ store, clock }: App): Promise<unknown> {
  return store.write((tx) => tx.updateTable('accounts').set({ archived_at: clock.now() }).execute())
}

export function confirmFactors({ store, clock }: App): Promise<unknown> {
  return store.write((tx) => tx.updateTable('second_factors').set({ confirmed_at: clock.now() }).execute())
}

export function restSources(app: App): Promise<unknown> {
  return app.store.write((tx) => tx.updateTable('data_sources').set({ state: 'resting' }).execute())
}

/** So that there is room for one of its kind. */
export function forgetSources(app: App, id: number): Promise<unknown> {
  return app.store.write(async (tx) => {
    await tx.deleteFrom('data_source_sites').where('source_id', '=', id).execute()
    await tx.deleteFrom('data_sources').where('id', '=', id).execute()
  })
}
