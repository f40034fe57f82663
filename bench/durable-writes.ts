/** Durable creates on SQLite: how many share one sync of the disk, and what that is worth on a disk that needs 5 ms for each. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, clientOf } from '../test/hard/support/client.ts'
import { type Credentials, makePartner } from '../test/hard/support/prepare.ts'
import { startHard } from '../test/hard/support/process.ts'
import { isThere } from '../test/hard/support/tools.ts'
import { type Line, line, missing } from './measure.ts'

const seconds = Number(process.env.BENCH_SECONDS ?? 3)
const connections = 32
const slowSync = ['-e', 'inject=fsync,fdatasync:delay_enter=5000']

export async function durableWrites(): Promise<Line[]> {
  if (!isThere('strace')) return [missing('durable creates', 'one commit each', 'strace is not installed', '')]
  const quick = await measured([], connections)
  const slow = await measured(slowSync, connections)
  const single = await measured(slowSync, 1)
  return [
    line({
      work: `creates of a business by ${connections} connections, to one sync of the disk`,
      unit: 'creates',
      ours: quick.creates / quick.syncs,
      against: 'one sync each',
      theirs: 1,
      goal: '>= 8',
    }),
    line({
      work: `durable creates by ${connections} connections, 5 ms for each sync`,
      unit: 'requests/s',
      ours: slow.creates / seconds,
      against: 'one connection, so one commit each',
      theirs: single.creates / seconds,
      goal: '>= 3',
    }),
  ]
}

interface Taken {
  readonly creates: number
  readonly syncs: number
}

/** The service runs under the tracer, which counts its syncs and can slow them down. */
async function measured(options: readonly string[], clients: number): Promise<Taken> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-bench-'))
  const trace = join(folder, 'trace')
  const env = { DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'silent' }
  const partner = await makePartner(env, 'Bench')
  const under = ['strace', '-f', '-qq', '--seccomp-bpf', '-e', 'trace=fsync,fdatasync', ...options, '-o', trace]
  const service = await startHard(process.cwd(), { env, under })
  const client = clientOf(service.url, partner.authorization, clients)
  try {
    await createFor(client, partner, clients, 0.5)
    const before = syncsIn(trace)
    const creates = await createFor(client, partner, clients, seconds)
    return { creates, syncs: syncsIn(trace) - before }
  } finally {
    client.close()
    await service.kill()
    rmSync(folder, { recursive: true })
  }
}

async function createFor(client: Client, { accountId }: Credentials, clients: number, duration: number): Promise<number> {
  const until = performance.now() + duration * 1000
  const body = JSON.stringify({ business: { name: 'Bench', account_id: accountId } })
  const one = async () => {
    let created = 0
    for (; performance.now() < until; created += 1) {
      const answer = await client.ask('/api/businesses.json', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      if (answer?.status !== 201) throw new Error(`A create was answered with ${answer?.status}: ${answer?.body}`)
    }
    return created
  }
  return (await Promise.all(Array.from({ length: clients }, one))).reduce((a, b) => a + b)
}

function syncsIn(trace: string): number {
  return readFileSync(trace, 'utf8').match(/f(?:data)?sync\(/g)?.length ?? 0
}
