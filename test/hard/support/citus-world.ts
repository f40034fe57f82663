/** A service on a database that is spread over a cluster, and partners' accounts of which each lies on one worker. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { draftOf } from '../../../src/fields/read.ts'
import { createAccount } from '../../../src/model/partners/accounts.ts'
import { createBusiness } from '../../../src/model/partners/businesses.ts'
import { issueKey } from '../../../src/model/partners/keys/keys.ts'
import { createSite } from '../../../src/model/partners/sites.ts'
import { newBusiness } from '../../../src/resources/business.ts'
import type { Place } from '../../support/engines.ts'
import { startTestService, type TestPartner, type TestService } from '../../support/service.ts'
import { type CitusCluster, makeSpreadDatabase } from './citus-cluster.ts'

export interface CitusWorld {
  readonly database: string
  readonly env: Readonly<Record<string, string>>
  readonly service: TestService
  readonly acme: TestPartner
  readonly accounts: readonly CitusAccount[]
  /** Pushes one ranking; the status. */
  push(account: CitusAccount, day: string, rank?: number): Promise<number>
  stop(): Promise<void>
}

export interface CitusAccount {
  readonly id: number
  readonly siteId: number
  readonly domain: string
}

/** `setting` is one of the server, for this database. */
export async function openCitusWorld(cluster: CitusCluster, database: string, count: number, setting?: string): Promise<CitusWorld> {
  await makeSpreadDatabase(cluster, database)
  if (setting !== undefined) await cluster.coordinator.ask('postgres', `alter database ${database} set ${setting}`)
  const folder = mkdtempSync(join(tmpdir(), 'marquee-test-'))
  const secretFile = join(folder, 'secret')
  writeFileSync(secretFile, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 })
  const env = {
    DATA_DIR: folder,
    MARQUEE_ENV_FILE: '/dev/null',
    DATABASE_URL: cluster.coordinator.url(database),
    MARQUEE_SECRET_FILE: secretFile,
  }
  const service = await startTestService({ engine: 'postgres', folder, env, remove: async () => {} } satisfies Place, {
    LOG_LEVEL: 'silent',
  })
  const acme = await service.partner('Acme')
  const { key, password } = await issueKey(service.operator, acme.id, { scopes: ['ingest'] })
  const accounts: CitusAccount[] = []
  for (let index = 0; index < count; index += 1) accounts.push(await addAccount(service, acme, index))
  const push: CitusWorld['push'] = async (account, day, rank = 3) => {
    const record = {
      type: 'ranking',
      site: account.domain,
      phrase: 'dentist',
      search_engine: 'Google',
      locale: 'en-us',
      ranked_at: `${day} 04:05:06`,
      rank,
    }
    return (await acme.post(`/api/observations.json?create_missing=1`, [record], { credentials: `${key}:${password}` })).status
  }
  return {
    database,
    env,
    service,
    acme,
    accounts,
    push,
    async stop() {
      await service.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function addAccount({ operator }: TestService, acme: TestPartner, index: number): Promise<CitusAccount> {
  const { id } = await createAccount(operator, acme.id, `Account ${index}`)
  const business = await createBusiness(operator, draftOf(newBusiness, { name: 'Business', account_id: id }))
  const domain = `site-${index}.example`
  return { id, domain, siteId: (await createSite(operator, business.id, domain)).id }
}

/** The port of the node on which the data of each account lies. */
export async function portsOf({ coordinator }: CitusCluster, { database, accounts }: CitusWorld): Promise<ReadonlyMap<number, number>> {
  const rows = await coordinator.ask<{ id: number; port: number }>(
    database,
    `select a.id::int as id, n.nodeport as port from accounts a
     join pg_dist_placement p on p.shardid = get_shard_id_for_distribution_column('subjects', a.id)
     join pg_dist_node n on n.groupid = p.groupid`,
  )
  return new Map(rows.filter(({ id }) => accounts.some((account) => account.id === id)).map(({ id, port }) => [id, port]))
}
