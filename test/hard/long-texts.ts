/** Any data that can be taken in can be reported, in the memory promised: thousands of reviews as long as a review may be, while another partner reads on. */
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import type { OperatorCaller } from '../../src/model/core/caller.ts'
import { readNdjson } from '../../src/model/imports/formats.ts'
import { importObservations } from '../../src/model/imports/import.ts'
import { clientOf } from './support/client.ts'
import { makeCluster } from './support/cluster.ts'
import type { Goal } from './support/goal.ts'
import { type Credentials, newPartner, prepare } from './support/prepare.ts'
import { type Env, type Hard, pause, startHard } from './support/process.ts'
import { inFolder } from './support/tree.ts'

interface Size {
  readonly reviews: number
  readonly engines: readonly ('sqlite' | 'postgres')[]
}

const characters = 100_000
const mostMegabytes = 200
const smallReads = 19

export const longTexts: Goal<Size> = {
  id: 'long texts',
  says: 'reviews of 100,000 characters, thousands of them: every report is whole, nobody else is refused, and memory stays within 200 MB of idle',
  short: { reviews: 200, engines: ['sqlite'] },
  long: { reviews: 3_000, engines: ['sqlite', 'postgres'] },
  forMutants: { reviews: 3_000, engines: ['sqlite'] },
  run: async (tree, { reviews, engines }) => {
    const results = []
    for (const engine of engines)
      results.push(
        await inFolder((folder) => (engine === 'sqlite' ? tryAt(tree, { DATA_DIR: folder }, reviews) : onCluster(tree, folder, reviews))),
      )
    return {
      figures: { reviews, megabytes_sent: results[0]?.megabytesSent ?? 0, megabytes_held: Math.max(...results.map(({ held }) => held)) },
      faults: results.flatMap(({ faults }) => faults),
    }
  },
  mutants: [
    {
      says: 'long texts are read together with their rows',
      file: 'src/model/reports/read-dated-rows.ts',
      from: 'const shortTextBytes = 1_000',
      to: 'const shortTextBytes = 1_000_000',
    },
  ],
}

async function onCluster(tree: string, folder: string, reviews: number) {
  const cluster = await makeCluster(folder)
  try {
    return await tryAt(tree, cluster.env, reviews)
  } finally {
    await cluster.stop()
  }
}

async function tryAt(tree: string, place: Env, reviews: number) {
  const env = { ...place, LOG_LEVEL: 'silent' }
  const [acme, globex] = await prepare(env, async (operator) => {
    const both = [await newPartner(operator, 'Acme'), await newPartner(operator, 'Globex')] as const
    await take(operator, both[0], longReviews(reviews))
    await take(operator, both[1], longReviews(3))
    return both
  })
  const service = await startHard(tree, { env })
  const small = clientOf(service.url, globex.authorization, 1)
  await small.ask(detailOf(globex, 'json'))
  const idle = residentMegabytes(service)
  const reading = Promise.all(['xml', 'json', 'csv', 'xml'].map((format) => readAll(service, acme, detailOf(acme, format))))
  const watching = watch(service, reading)
  const faults: string[] = []
  for (let times = 0; times < smallReads; times += 1) {
    const answer = await small.ask(`${detailOf(globex, 'json')}?start_date=2020-01-${10 + times}`)
    if (answer?.status !== 200) faults.push(`a small report of another partner was answered ${answer?.status ?? 'not at all'}`)
    await pause(20)
  }
  const read = await reading
  const held = (await watching) - idle
  for (const { status, bytes, isWhole } of read)
    if (status !== 200 || !isWhole || bytes < reviews * characters)
      faults.push(`a report of long reviews came as ${status}, ${bytes} bytes`)
  if (held > mostMegabytes) faults.push(`memory grew by ${held} MB`)
  small.close()
  await service.kill('SIGTERM')
  return { faults, held, megabytesSent: Math.round(read.reduce((sum, { bytes }) => sum + bytes, 0) / 2 ** 20) }
}

function detailOf({ accountId }: Credentials, format: string): string {
  return `/api/accounts/${accountId}/reputation_report/detail.${format}`
}

async function take(operator: OperatorCaller, { id }: Credentials, lines: AsyncIterable<Buffer>): Promise<void> {
  const { refused, faults } = await importObservations(operator, { partnerId: id }, readNdjson(lines), { createMissing: true })
  if (refused > 0) throw new Error(`The reviews were refused: ${JSON.stringify(faults.slice(0, 2))}`)
}

async function* longReviews(count: number): AsyncGenerator<Buffer> {
  const page = { site: 'plumbing.example', page_source: 'google', page_url: 'https://maps.example/1', source: 'google' }
  for (let index = 0; index < count; index += 1) {
    const text = `${index} ${'They came within the hour. '.repeat(4_000)}`.slice(0, characters)
    const review = { type: 'review', ...page, ref: `r-${index}`, date: '2026-03-01', rating: 5, header: '', detail: text, user: '' }
    yield Buffer.from(`${JSON.stringify(review)}\n`)
  }
}

function readAll({ url }: Hard, { authorization }: Credentials, path: string) {
  return new Promise<{ status: number; bytes: number; isWhole: boolean }>((resolve) => {
    const sent = request(`${url}${path}`, { headers: { authorization }, agent: false }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => (bytes += chunk.length))
      response.on('error', () => {})
      response.on('close', () => resolve({ status: response.statusCode ?? 0, bytes, isWhole: response.complete }))
    })
    sent.on('error', () => resolve({ status: 0, bytes: 0, isWhole: false }))
    sent.end()
  })
}

async function watch(service: Hard, work: Promise<unknown>): Promise<number> {
  let [most, isDone] = [0, false]
  const done = work.finally(() => (isDone = true))
  for (; !isDone; await pause(20)) most = Math.max(most, residentMegabytes(service))
  await done
  return most
}

function residentMegabytes({ pid }: Hard): number {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1024)
}
