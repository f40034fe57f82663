/** R10: five times more than can be done; what is admitted is done as fast as ever, the rest is turned away at once, and health answers. */
import { readFileSync } from 'node:fs'
import { clientOf, percentile } from './support/client.ts'
import { generate } from './support/generator.ts'
import type { Goal } from './support/goal.ts'
import { type Credentials, newPartner, prepare } from './support/prepare.ts'
import { pause, startHard } from './support/process.ts'
import { inFolder } from './support/tree.ts'

interface Size {
  readonly peakSeconds: number
  readonly seconds: number
}

const partners = 4
const times = 5
const leastShare = 0.8
const refusedWithinMilliseconds = 100
const longestWaitMilliseconds = 10_000

export const overload: Goal<Size> = {
  id: 'R10',
  says: 'five times the capacity: goodput stays at 80 % of its peak or more, refusals take under 100 ms at the median, health always answers',
  short: { peakSeconds: 5, seconds: 10 },
  long: { peakSeconds: 15, seconds: 60 },
  forMutants: { peakSeconds: 6, seconds: 20 },
  isTimed: true,
  run: (tree, { peakSeconds, seconds }) =>
    inFolder(async (folder) => {
      const env = { DATA_DIR: folder, LOG_LEVEL: 'silent' }
      const all = await prepare(env, async (operator) => {
        const made: Credentials[] = []
        for (let index = 0; index < partners; index += 1) made.push(await newPartner(operator, `Partner ${index}`))
        return made
      })
      const service = await startHard(tree, { env })
      const who = {
        url: service.url,
        authorizations: all.map(({ authorization }) => authorization),
        accountIds: all.map(({ accountId }) => accountId),
        kind: 'users' as const,
      }
      const knee = await findKnee((perSecond, name) => generate({ ...who, perSecond, seconds: peakSeconds, sockets: 64, name }))
      const health = watchHealth(service.url)
      const storm = await generate({ ...who, perSecond: knee * times, seconds, sockets: 4_000, name: 'storm' })
      const { statuses, slowest } = await health.stop()
      await pause(2_000)
      const after = await generate({ ...who, perSecond: Math.max(1, knee / 4), seconds: 3, sockets: 64, name: 'after' })
      const resident = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
      const half = Math.floor(storm.perSecondGood.length / 2)
      const share = Math.round((storm.goodPerSecond / knee) * 100) / 100
      const faults = [
        ...(share < leastShare ? [`goodput fell to ${share} of its peak`] : []),
        ...(mean(storm.perSecondGood.slice(half)) < mean(storm.perSecondGood.slice(0, half)) * leastShare
          ? ['goodput falls over time']
          : []),
        ...(storm.refused_p50_ms > refusedWithinMilliseconds ? [`a refusal took ${storm.refused_p50_ms} ms at the median`] : []),
        ...(storm.good_p99_ms > longestWaitMilliseconds ? [`admitted requests waited ${storm.good_p99_ms} ms`] : []),
        ...(storm.refused === 0 ? ['nothing was refused: the goal measured nothing'] : []),
        ...Object.keys(statuses)
          .filter((status) => status !== '200')
          .map((status) => `health was answered ${status} ${statuses[status]} times`),
        ...storm.others.map((other) => `neither done nor refused: ${other}`),
        ...(service.hasGone ? ['the service went away'] : []),
      ]
      await service.kill('SIGTERM')
      const figures = {
        peak_per_second: knee,
        offered_per_second: knee * times,
        goodput_per_second: storm.goodPerSecond,
        share,
        good_p50_ms: storm.good_p50_ms,
        good_p99_ms: storm.good_p99_ms,
        refused: storm.refused,
        refused_p50_ms: storm.refused_p50_ms,
        refused_p99_ms: storm.refused_p99_ms,
        unanswered: storm.failed,
        health_slowest_ms: slowest,
        after_p50_ms: after.good_p50_ms,
        peak_memory_mb: Math.round(resident),
      }
      return { figures, faults }
    }),
  mutants: [
    {
      says: 'queues without an end',
      file: 'src/lib/work/concurrency.ts',
      from: 'const ranks = Object.keys(rules.ranks) as R[]',
      to: `for (const rank of Object.values(rules.ranks)) Object.assign(rank as QueueRules, { waiting: 1_000_000, patienceSeconds: 600 })
  const ranks = Object.keys(rules.ranks) as R[]`,
    },
  ],
}

/** The highest rate of successes at a few offered rates. */
async function findKnee(offer: (perSecond: number, name: string) => Promise<{ goodPerSecond: number }>): Promise<number> {
  let best = 0
  for (const perSecond of [20, 40, 80]) best = Math.max(best, (await offer(perSecond, `knee${perSecond}`)).goodPerSecond)
  return Math.max(1, Math.round(best))
}

function watchHealth(url: string) {
  const client = clientOf(url, undefined, 1)
  const statuses: Record<string, number> = {}
  const waits: number[] = []
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      const answer = await client.ask('/health/live', { timeoutMilliseconds: 5_000 })
      const name = String(answer?.status ?? 'nothing')
      statuses[name] = (statuses[name] ?? 0) + 1
      if (answer !== null) waits.push(answer.milliseconds)
      await pause(50)
    }
  })()
  return {
    async stop() {
      isOver = true
      await watching
      client.close()
      return { statuses, slowest: percentile(waits, 1) }
    },
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}
