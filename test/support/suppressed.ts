/** An entry of a partner's suppression list, for tests of something else. */
import type { OperatorCaller } from '../../src/model/core/caller.ts'
import { listSuppressions, suppressUnsubscribed } from '../../src/model/mail/suppressions.ts'

export async function suppress(operator: OperatorCaller, partnerId: number, email: string): Promise<number> {
  const { app } = operator
  await app.store.write((tx) => suppressUnsubscribed(tx, app, partnerId, email))
  const { items } = await listSuppressions(operator, partnerId, undefined, { email })
  return items[0]?.id ?? 0
}
