/** What must be there before a goal is tried, made through the model of this checkout: preparation must not suffer from a mutant. */
import { readSettings } from '../../../src/config.ts'
import { openApp } from '../../../src/model/core/app.ts'
import type { OperatorCaller } from '../../../src/model/core/caller.ts'
import { createPartner, setPartner } from '../../../src/model/partners/partners.ts'
import type { Env } from './process.ts'

export interface Credentials {
  readonly id: number
  readonly accountId: number
  readonly key: string
  readonly password: string
  readonly authorization: string
}

export async function prepare<T>(env: Env, work: (operator: OperatorCaller) => Promise<T>): Promise<T> {
  const app = await openApp(readSettings({ ...env, MARQUEE_ADMIN_PORT: '0' }), { schema: 'bring up' })
  try {
    return await work({ kind: 'operator', app, requestId: 'prepare' })
  } finally {
    await app.close()
  }
}

export function makePartner(env: Env, name: string): Promise<Credentials> {
  return prepare(env, (operator) => newPartner(operator, name))
}

export async function newPartner(operator: OperatorCaller, name: string): Promise<Credentials> {
  const { partner, account, key, password } = await createPartner(operator, name)
  // Limits are tried where they are the point; elsewhere they would only be in the way.
  await setPartner(operator, partner.id, { reads_per_minute: 0, writes_per_minute: 0, taken_per_hour: 0 })
  return { id: partner.id, accountId: account.id, key, password, authorization: basic(key, password) }
}

export function basic(key: string, password: string): string {
  return `Basic ${Buffer.from(`${key}:${password}`).toString('base64')}`
}
