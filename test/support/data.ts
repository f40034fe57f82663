/** A partner with two accounts and their sites on a real database, and the lines that go into it and come out again. */
import { after, before } from 'node:test'
import { operatorOn } from '../../src/cli/command.ts'
import { readSettings } from '../../src/config.ts'
import { draftOf } from '../../src/fields/read.ts'
import { type App, openApp } from '../../src/model/core/app.ts'
import type { OperatorCaller } from '../../src/model/core/caller.ts'
import { exportObservations } from '../../src/model/imports/export/export.ts'
import { readNdjson } from '../../src/model/imports/formats.ts'
import { type ImportOptions, importObservations } from '../../src/model/imports/import.ts'
import type { Target } from '../../src/model/imports/refs.ts'
import { createAccount } from '../../src/model/partners/accounts.ts'
import { createBusiness } from '../../src/model/partners/businesses.ts'
import { createPartner } from '../../src/model/partners/partners.ts'
import { createSite } from '../../src/model/partners/sites.ts'
import { newBusiness } from '../../src/resources/business.ts'
import type { Place } from './engines.ts'

export interface World {
  app: App
  operator: OperatorCaller
  partnerId: number
  accountId: number
  otherAccountId: number
  siteId: number
  /** Everything of the partner. */
  target: Target
}

/** Two accounts; example.com is a site of the first, shared.example of both. */
export async function makeWorld(env: Record<string, string>, clock = { now: () => '2026-11-14T12:00:00Z' }): Promise<World> {
  const app = await openApp(readSettings(env), { schema: 'bring up', clock })
  const operator = operatorOn(app)
  const { partner } = await createPartner(operator, 'Acme')
  const accountId = (await createAccount(operator, partner.id, 'First')).id
  const otherAccountId = (await createAccount(operator, partner.id, 'Second')).id
  const siteId = await site(operator, accountId, 'example.com')
  await site(operator, accountId, 'shared.example')
  await site(operator, otherAccountId, 'shared.example')
  return { app, operator, partnerId: partner.id, accountId, otherAccountId, siteId, target: { partnerId: partner.id } }
}

/** `world` is filled before the first test of the block runs. */
export function worldAt(place: Place): World {
  const world = {} as World
  before(async () => void Object.assign(world, await makeWorld(place.env)))
  after(() => world.app?.close())
  return world
}

export function importLines(world: World, lines: readonly (object | string)[], options: ImportOptions = {}, target = world.target) {
  return importObservations(world.operator, target, readNdjson(bytesOf(lines)), options)
}

/** Everything measured of all accounts, as `marquee export` writes it. */
export async function exported({ operator }: World): Promise<string> {
  const lines: string[] = []
  await exportObservations(operator, {}, async (text) => void lines.push(text))
  return lines.join('')
}

export async function* bytesOf(lines: readonly (object | string)[]): AsyncGenerator<Buffer> {
  yield Buffer.from(lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'))
}

async function site(operator: OperatorCaller, account_id: number, domain: string): Promise<number> {
  const business = await createBusiness(operator, draftOf(newBusiness, { name: `Business of ${domain}`, account_id }))
  return (await createSite(operator, business.id, domain)).id
}
