/**
 * `npm run hard:citus -- <folder of postgres with Citus> [suite | upgrade | paths | worker | rebalance | months | move | etags]`: a coordinator and two workers. The API suite passes on them, hot
 * paths ask one shard, tables of later versions join the others, a dead worker is felt by its accounts only, a worker that is added under load loses nothing, a month is closed under load, a move away is refused, and an ETag names one sequence of bytes. No name means all.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { makeTemplate, startCitus, template } from './support/citus-cluster.ts'
import { checkEtags } from './support/citus-etags.ts'
import { checkMonths } from './support/citus-months.ts'
import { checkMove } from './support/citus-move.ts'
import { checkPaths } from './support/citus-paths.ts'
import { checkRebalance } from './support/citus-rebalance.ts'
import { checkUpgrade } from './support/citus-upgrade.ts'
import { checkWorkerDeath } from './support/citus-worker-death.ts'

const [bin = '', ...named] = process.argv.slice(2)
if (!existsSync(join(bin, 'postgres'))) {
  console.log('Name the folder of the programs of a PostgreSQL that has Citus: npm run hard:citus -- /usr/lib/postgresql/15/bin')
  process.exit(named.length === 0 && bin === '' ? 0 : 2)
}

const cluster = await startCitus(bin)
const forms = {
  suite: runSuite,
  upgrade: () => checkUpgrade(cluster),
  paths: () => checkPaths(cluster),
  worker: () => checkWorkerDeath(cluster),
  rebalance: () => checkRebalance(cluster),
  months: () => checkMonths(cluster),
  move: () => checkMove(cluster),
  etags: () => checkEtags(cluster),
}
try {
  for (const [name, check] of Object.entries(forms)) {
    if (named.length > 0 && !named.includes(name)) continue
    console.log(name, await check())
  }
} finally {
  cluster.stop()
}

async function runSuite(): Promise<object> {
  await makeTemplate(cluster)
  const root = join(import.meta.dirname, '..', '..')
  const env = {
    ...process.env,
    TEST_POSTGRES_URL: cluster.coordinator.url('postgres'),
    TEST_POSTGRES_TEMPLATE: template,
    TEST_CITUS_WORKERS: cluster.workers.map((node) => node.url('postgres')).join(),
    TEST_ENGINE: 'postgres',
    TEST_MINUTES: '30',
  }
  const files = process.env.CITUS_FILES?.split(' ') ?? ['test/api/*.test.ts']
  const suite = spawn(process.execPath, ['test/run.ts', ...files], { cwd: root, env, stdio: 'inherit' })
  const code = await new Promise((resolve) => suite.on('close', resolve))
  if (code !== 0) process.exitCode = 1
  return { files: files.join(), passed: code === 0 }
}
