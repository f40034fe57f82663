/** A noisy partner does not slow a quiet one: whatever one of them sends, the other is served as before. */
import { generate } from './support/generator.ts'
import type { Goal } from './support/goal.ts'
import { type Credentials, newPartner, prepare } from './support/prepare.ts'
import { startHard } from './support/process.ts'
import { inFolder } from './support/tree.ts'

interface Size {
  readonly seconds: number
}

const quietPerSecond = 4
const noise = 50
const mostTimes = 2
/** Below this nobody notices a difference. */
const floorMilliseconds = 50

export const fairness: Goal<Size> = {
  id: 'fairness',
  says: 'one partner sends fifty times what another does; the quiet one waits at most twice as long as alone',
  short: { seconds: 8 },
  long: { seconds: 60 },
  forMutants: { seconds: 15 },
  isTimed: true,
  run: (tree, { seconds }) =>
    inFolder(async (folder) => {
      const env = { DATA_DIR: folder, LOG_LEVEL: 'silent' }
      const [quiet, noisy] = await prepare(
        env,
        async (operator) => [await newPartner(operator, 'Quiet'), await newPartner(operator, 'Noisy')] as const,
      )
      const service = await startHard(tree, { env })
      const as = ({ authorization, accountId }: Credentials) => ({
        url: service.url,
        authorizations: [authorization],
        accountIds: [accountId],
        seconds,
      })
      const plan = { ...as(quiet), kind: 'users' as const, perSecond: quietPerSecond, sockets: 64 }
      const alone = await generate({ ...plan, name: 'alone' })
      const [beside, other] = await Promise.all([
        generate({ ...plan, name: 'beside' }),
        generate({ ...as(noisy), kind: 'users', perSecond: quietPerSecond * noise, sockets: 2_000, name: 'noise' }),
      ])
      const limit = Math.max(floorMilliseconds, alone.good_p99_ms * mostTimes)
      const faults = [
        ...(beside.good_p99_ms > limit
          ? [`the quiet partner waited ${beside.good_p99_ms} ms beside a noisy one, ${alone.good_p99_ms} ms alone`]
          : []),
        ...(beside.refused + beside.failed > 0 ? [`${beside.refused + beside.failed} requests of the quiet partner were refused`] : []),
        ...(other.refused === 0 ? ['the noisy partner was never refused: the goal measured nothing'] : []),
      ]
      await service.kill('SIGTERM')
      const figures = {
        alone_p50_ms: alone.good_p50_ms,
        alone_p99_ms: alone.good_p99_ms,
        beside_p50_ms: beside.good_p50_ms,
        beside_p99_ms: beside.good_p99_ms,
      }
      return { figures: { ...figures, noisy_done: other.good, noisy_refused: other.refused }, faults }
    }),
  mutants: [
    {
      says: 'everyone waits in one line for a password to be hashed',
      file: 'src/model/people/users.ts',
      from: "'operator' : `partner:",
      to: "'operator' : '' && `partner:",
    },
  ],
}
