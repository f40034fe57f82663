/** R11: thousands of clients that dawdle over headers, bodies and answers; everyone else is served as ever, and in the end all are cut off. */
import { type ChildProcess, fork } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { draftOf } from '../../src/fields/read.ts'
import type { OperatorCaller } from '../../src/model/core/caller.ts'
import { createBusiness } from '../../src/model/partners/businesses.ts'
import { newBusiness } from '../../src/resources/business.ts'
import { clientOf, percentile } from './support/client.ts'
import type { Goal } from './support/goal.ts'
import { newPartner, prepare } from './support/prepare.ts'
import { type Hard, pause, startHard } from './support/process.ts'
import { inFolder } from './support/tree.ts'

interface Size {
  readonly headers: number
  readonly bodies: number
  readonly readers: number
}

interface Attack extends Size {
  readonly url: string
  readonly authorization: string
}

const mostTimes = 3
const floorMilliseconds = 10
const cutWithinSeconds = 40

export const slowClients: Goal<Size> = {
  id: 'R11',
  says: '10,000 slow clients: the others are served within three times their usual p99, all slow ones are cut off, no descriptor leaks',
  short: { headers: 800, bodies: 150, readers: 50 },
  long: { headers: 8_000, bodies: 1_500, readers: 500 },
  forMutants: { headers: 400, bodies: 50, readers: 50 },
  isTimed: true,
  run: (tree, size) =>
    inFolder(async (folder) => {
      const env = { DATA_DIR: folder, LOG_LEVEL: 'silent' }
      const [authorization, slow] = await prepare(
        env,
        async (operator) => [(await fullPartner(operator)).authorization, (await fullPartner(operator)).authorization] as const,
      )
      const service = await startHard(tree, { env })
      const usual = await probe(service, authorization, 8_000)
      const descriptors = descriptorsOf(service)
      const attack = attacking({ ...size, url: service.url, authorization: slow })
      const beside = await probe(service, authorization, 20_000)
      const held = descriptorsOf(service) - descriptors
      // Whoever reads nothing does not notice that it was cut off, so the service is asked what it still holds.
      const cutSeconds = await untilCut(service, descriptors)
      attack.kill()
      await pause(1_000)
      const leaked = descriptorsOf(service) - descriptors
      const limit = Math.max(floorMilliseconds, usual.p99) * mostTimes
      const faults = [
        ...(beside.p99 > limit ? [`the p99 of others rose from ${usual.p99} ms to ${beside.p99} ms`] : []),
        ...(beside.failed > 0 ? [`${beside.failed} requests of others got no answer`] : []),
        ...(cutSeconds === null ? [`${leaked} slow clients were never cut off`] : []),
        ...(leaked > 5 ? [`${leaked} descriptors leaked`] : []),
        ...(service.hasGone ? ['the service went away'] : []),
      ]
      if (!service.hasGone) await service.kill('SIGTERM')
      return {
        figures: {
          ...size,
          usual_p99_ms: usual.p99,
          beside_p99_ms: beside.p99,
          beside_worst_ms: beside.worst,
          held_after_20_s: held,
          all_cut_after_s: cutSeconds ?? 'never',
          leaked,
        },
        faults,
      }
    }),
  mutants: [{ says: 'a body may take for ever', file: 'src/http/body.ts', from: 'longestSeconds = 10', to: 'longestSeconds = 1_000' }],
}

async function probe({ url }: Hard, authorization: string, milliseconds: number) {
  const client = clientOf(url, authorization, 2)
  const waits: number[] = []
  let failed = 0
  for (const until = performance.now() + milliseconds; performance.now() < until; await pause(10)) {
    const answer = await client.ask('/api/businesses.json')
    if (answer?.status === 200) waits.push(answer.milliseconds)
    else failed += 1
  }
  client.close()
  return { p99: percentile(waits, 0.99), worst: percentile(waits, 1), failed }
}

function descriptorsOf({ pid }: Hard): number {
  return readdirSync(`/proc/${pid}/fd`).length
}

/** A page of answers large enough that whoever does not read it stops the connection. */
async function fullPartner(operator: OperatorCaller) {
  const partner = await newPartner(operator, 'Acme')
  for (let index = 0; index < 100; index += 1) {
    await createBusiness(operator, draftOf(newBusiness, { account_id: partner.accountId, name: `${index} ${'x'.repeat(240)}` }))
  }
  return partner
}

async function untilCut(service: Hard, descriptors: number): Promise<number | null> {
  for (let seconds = 0; seconds < cutWithinSeconds; seconds += 1) {
    if (descriptorsOf(service) - descriptors <= 5) return seconds + 20
    await pause(1_000)
  }
  return null
}

/** In a process of its own, until it is killed. */
function attacking(attack: Attack): ChildProcess {
  return fork(import.meta.filename, [], { env: { ...process.env, HARD_ATTACK: JSON.stringify(attack) } })
}

if (process.env.HARD_ATTACK !== undefined && process.send !== undefined) void dawdle(JSON.parse(process.env.HARD_ATTACK) as Attack)

async function dawdle({ url, authorization, headers, bodies, readers }: Attack): Promise<void> {
  const start = (index: number, first: string, next: string, reads: boolean) => {
    const { hostname, port } = new URL(url)
    // From many addresses, as an attack would come; one alone may hold no more than its share.
    const socket = connect({ port: Number(port), host: hostname, localAddress: `127.0.1.${1 + (index % 200)}` })
    socket.on('error', () => {})
    socket.on('connect', () => socket.write(first))
    if (reads) socket.resume()
    else socket.pause()
    if (next !== '') {
      const timer = setInterval(() => socket.write(next), 1_000)
      socket.on('close', () => clearInterval(timer))
    }
  }
  const head = `Host: a\r\nAuthorization: ${authorization}\r\n`
  for (let index = 0; index < headers + bodies + readers; index += 1) {
    if (index < headers) start(index, 'GET /health/live HTTP/1.1\r\n', 'X-A: b\r\n', true)
    else if (index < headers + bodies)
      start(index, `POST /api/businesses.xml HTTP/1.1\r\n${head}Content-Length: 1000\r\nContent-Type: application/xml\r\n\r\n`, ' ', true)
    else start(index, `GET /api/businesses.json HTTP/1.1\r\n${head}\r\n`.repeat(20), '', false)
    if (index % 100 === 99) await pause(20)
  }
}
