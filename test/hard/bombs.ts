/** R28: small requests that would be large once opened: refused at once, and the memory does not grow. */
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { issueKey, keyScopes } from '../../src/model/partners/keys/keys.ts'
import { type Client, clientOf } from './support/client.ts'
import type { Goal } from './support/goal.ts'
import { basic, newPartner, prepare } from './support/prepare.ts'
import { startHard } from './support/process.ts'
import { inFolder } from './support/tree.ts'

interface Size {
  /** Rounds after which the memory has found its size. */
  readonly warmUps: number
  readonly rounds: number
}

const refusedWithinMilliseconds = 50
const mostGrowthMegabytes = 20

export const bombs: Goal<Size> = {
  id: 'R28',
  says: 'bombs: each refused within 50 ms, and memory grows by no more than 20 MB',
  short: { warmUps: 40, rounds: 5 },
  long: { warmUps: 40, rounds: 50 },
  forMutants: { warmUps: 1, rounds: 2 },
  run: (tree, { warmUps, rounds }) =>
    inFolder(async (folder) => {
      const env = { DATA_DIR: folder, LOG_LEVEL: 'silent' }
      const authorization = await prepare(env, async (operator) => {
        const { id } = await newPartner(operator, 'Acme')
        const { key, password } = await issueKey(operator, id, { scopes: keyScopes })
        return basic(key, password)
      })
      const service = await startHard(tree, { env })
      const client = clientOf(service.url, authorization, 1)
      const all = corpus()
      // Memory comes and goes with the collector: what counts is whether it stays above all it has been.
      let before = 0
      for (let round = 0; round < warmUps; round += 1) {
        await throwAll(client, all)
        before = Math.max(before, residentMegabytes(service.pid))
      }
      const best = new Map<string, number>()
      const faults: string[] = []
      const held: number[] = []
      for (let round = 0; round < rounds; round += 1) {
        for (const [name, { status, milliseconds }] of await throwAll(client, all)) {
          best.set(name, Math.min(best.get(name) ?? Number.POSITIVE_INFINITY, milliseconds))
          if (status < 400 || status >= 500) faults.push(`${name} was answered ${status}`)
        }
        held.push(residentMegabytes(service.pid))
      }
      const growth = Math.min(...held.slice(-5)) - before
      for (const [name, milliseconds] of best)
        if (milliseconds > refusedWithinMilliseconds) faults.push(`${name} was refused only after ${Math.round(milliseconds)} ms`)
      if (growth > mostGrowthMegabytes) faults.push(`memory grew by ${growth} MB`)
      if (service.hasGone) faults.push('the service went away')
      client.close()
      await service.kill('SIGTERM')
      return {
        figures: { bombs: all.length, rounds, slowest_ms: Math.round(Math.max(...best.values()) * 10) / 10, growth_mb: growth },
        faults: [...new Set(faults)],
      }
    }),
  mutants: [
    {
      says: 'a compressed body may grow without end',
      file: 'src/model/intakes/pushes/push-body.ts',
      from: 'const maxRatio = 100',
      to: 'const maxRatio = 1_000_000',
    },
    {
      says: 'any number of abilities and elements is read',
      file: 'src/api/endpoint-bodies.ts',
      from: "of: list('ability', newAbility), maxBytes: 262_144, maxElements: 8_000",
      to: "of: list('ability', newAbility), maxBytes: 262_144_000, maxElements: 8_000_000",
    },
  ],
}

interface Bomb {
  readonly name: string
  readonly path: string
  readonly method: string
  readonly type: string
  readonly body: Buffer
  readonly encoding?: string
}

function corpus(): Bomb[] {
  const users = { path: '/api/users.xml', method: 'POST' }
  const push = { path: '/api/observations.json', method: 'POST', type: 'application/json' }
  const abilities = { path: '/api/users/1/abilities.json', method: 'PUT' }
  const line = '{"type":"keyword","site":"a.example","phrase":"x"}\n'
  const bomb = gzipSync(Buffer.alloc(15_000_000, 0x20))
  return [
    { name: 'gzip 1:1000', ...push, encoding: 'gzip', body: bomb },
    { name: 'gzip of many lines', ...push, type: 'application/x-ndjson', encoding: 'gzip', body: gzipSync(Buffer.alloc(15_000_000, line)) },
    { name: 'gzip in gzip', ...push, encoding: 'gzip', body: gzipSync(bomb) },
    { name: 'gzip where none is taken', ...users, type: 'application/xml', encoding: 'gzip', body: bomb },
    { name: 'deep XML', ...users, type: 'application/xml', body: Buffer.from(`<user>${'<a>'.repeat(20_000)}`) },
    { name: 'deep JSON', ...users, type: 'application/json', body: Buffer.from('['.repeat(60_000)) },
    { name: 'deep form', ...users, type: 'application/x-www-form-urlencoded', body: Buffer.from(`user${'[a]'.repeat(20_000)}=1`) },
    {
      name: '5,000 attributes',
      ...users,
      type: 'application/xml',
      body: Buffer.from(`<user ${Array.from({ length: 5_000 }, (_, index) => `a${index}=""`).join(' ')}/>`),
    },
    {
      name: 'entities',
      ...users,
      type: 'application/xml',
      body: Buffer.from('<!DOCTYPE u [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><user><login>&b;</login></user>'),
    },
    {
      name: 'colliding keys',
      ...users,
      type: 'application/json',
      body: Buffer.from(`{${Array.from({ length: 5_000 }, (_, index) => `"${(index + 1) * 65_536}":1`).join()}}`),
    },
    {
      name: 'colliding keys, 1 MB',
      ...abilities,
      type: 'application/json',
      body: Buffer.from(`{${Array.from({ length: 70_000 }, (_, index) => `"${(index + 1) * 65_536}":1`).join()}}`),
    },
    {
      name: '100,000 abilities',
      ...abilities,
      type: 'application/json',
      body: Buffer.from(`{"abilities":[${'{"key":"show","scope_type":"Site","scope_id":1},'.repeat(100_000)}1]}`),
    },
    {
      name: '100,000 abilities in XML',
      path: '/api/users/1/abilities.xml',
      method: 'PUT',
      type: 'application/xml',
      body: Buffer.from(`<abilities type="array">${'<ability/>'.repeat(100_000)}</abilities>`),
    },
  ]
}

async function throwAll(client: Client, all: readonly Bomb[]) {
  const answers: [string, { status: number; milliseconds: number }][] = []
  for (const { name, path, method, type, body, encoding } of all) {
    const headers = { 'content-type': type, ...(encoding !== undefined && { 'content-encoding': encoding }) }
    const answer = await client.ask(path, { method, headers, body })
    // A body that is far too large is refused while it is still being sent, and the connection goes: that is a refusal too.
    answers.push([name, answer ?? { status: 413, milliseconds: 0 }])
  }
  return answers
}

function residentMegabytes(pid: number): number {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1024)
}
