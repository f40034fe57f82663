/**
 * `npm run hard:cluster -- [failover] [proxy] [jobs] [replica] [pgbouncer] [transactions] [suite]`: Marquee on a PostgreSQL that fails over, with Debian's etcd, Patroni, HAProxy and PgBouncer
 * and the configurations of deploy/cluster, all on loopback and in folders that are gone afterwards. No name means all. `--switchovers 10 --kills 5 --writes 20000 --minutes 10` are
 * the sizes; `--pgbouncer <path>` names a PgBouncer of 1.21 or newer for transaction mode. Where a program is missing and cannot be installed, a part is skipped with a sentence.
 */
import { parseArgs } from 'node:util'
import { checkFailover } from './ha/failover.ts'
import { startHaproxy } from './ha/haproxy.ts'
import { checkJobs } from './ha/jobs.ts'
import { untilPrimaryAt } from './ha/patroni.ts'
import { checkPgbouncer } from './ha/pgbouncer.ts'
import { missingPackages, type ProgramName, programPath } from './ha/programs.ts'
import { checkReplica } from './ha/replica.ts'
import { checkSuite } from './ha/suite.ts'
import type { Result } from './support/goal.ts'

interface Part {
  readonly says: string
  readonly needs: readonly ProgramName[]
  run(): Promise<Result>
}

const { positionals: named, values } = parseArgs({
  allowPositionals: true,
  options: {
    switchovers: { type: 'string', default: '10' },
    kills: { type: 'string', default: '5' },
    writes: { type: 'string', default: '20000' },
    minutes: { type: 'string', default: '10' },
    pgbouncer: { type: 'string' },
  },
})
const size = { switchovers: Number(values.switchovers), kills: Number(values.kills), writes: Number(values.writes) }

const parts: Readonly<Record<string, Part>> = {
  failover: {
    says: 'two hosts in DATABASE_URL: switchovers and kill -9 of the primary under load lose nothing, double nothing and show nothing but 503',
    needs: ['etcd', 'patroni'],
    run: () => checkFailover({ ...size, backWithinMilliseconds: 1_000 }, async ({ env }) => ({ env, end: async () => {} })),
  },
  proxy: {
    says: 'the same behind HAProxy, which follows the primary',
    needs: ['etcd', 'patroni', 'haproxy'],
    run: () =>
      // HAProxy asks once a second who is primary.
      checkFailover({ ...size, backWithinMilliseconds: 3_000 }, async ({ env, nodes }) => {
        const haproxy = await startHaproxy(env.DATA_DIR as string, { servers: nodes })
        const url = new URL((env.DATABASE_URL as string).replace(/@[^/]*/, `@127.0.0.1:${haproxy.databasePort}`))
        await untilPrimaryAt(url.href)
        return { env: { ...env, DATABASE_URL: url.href }, end: haproxy.end }
      }),
  },
  jobs: {
    says: 'eight processes on one database, one of them 60 ms away: no job is done twice, every mail comes once, the audit chain is whole',
    needs: [],
    run: () => checkJobs(Number(values.minutes)),
  },
  replica: {
    says: 'the replica for reports is killed and comes back: reports go on',
    needs: ['etcd', 'patroni'],
    run: checkReplica,
  },
  pgbouncer: {
    says: "Debian's PgBouncer in session mode: no request fails",
    needs: ['pgbouncer'],
    run: () => checkPgbouncer(programPath('pgbouncer'), 'session'),
  },
  transactions: {
    says: 'the PgBouncer given by --pgbouncer in transaction mode: no request fails',
    needs: [],
    run: () => checkPgbouncer(values.pgbouncer as string, 'transaction'),
  },
  suite: {
    says: 'the API suite on three processes behind HAProxy, in turn',
    needs: ['haproxy'],
    run: checkSuite,
  },
}

// What a part that failed has left waiting must not hold up the end.
process.exit(await main())

async function main(): Promise<number> {
  const unknown = named.filter((name) => !(name in parts))
  if (unknown.length > 0) {
    console.error(`There is no part ${unknown.join(', ')}: ${Object.keys(parts).join(', ')}`)
    return 2
  }
  let isRed = false
  for (const [name, part] of Object.entries(parts)) {
    if (named.length > 0 && !named.includes(name)) continue
    if (name === 'transactions' && values.pgbouncer === undefined) {
      console.log(
        "transactions is skipped: Debian's PgBouncer is too old for transaction mode; name one of 1.21 or newer with --pgbouncer <path>.",
      )
      continue
    }
    isRed = !(await tryPart(name, part)) || isRed
  }
  return isRed ? 1 : 0
}

async function tryPart(name: string, { says, needs, run }: Part): Promise<boolean> {
  const missing = missingPackages(needs)
  if (missing.length > 0) {
    console.log(`${name} is skipped: it needs ${missing.join(', ')} (apt-get install ${missing.join(' ')}).`)
    return true
  }
  console.log(`${name}: ${says}`)
  const startedAt = performance.now()
  const { figures, faults } = await run().catch((error: Error) => ({ figures: {}, faults: [error.stack ?? error.message] }))
  for (const fault of faults.slice(0, 20)) console.log(`  FAULT ${fault}`)
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  console.log(JSON.stringify({ part: name, passed: faults.length === 0, seconds, figures, faults: faults.length }))
  return faults.length === 0
}
