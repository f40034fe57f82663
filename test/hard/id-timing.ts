/** R25-ids: a foreign id takes the time of an absent one wherever a path has an id; two absent ids, compared in the same way, are the control. */
import { endpoints } from '../../src/api/endpoints.ts'
import type { SampleValues } from '../../src/api/reference/samples.ts'
import { keyScopes } from '../../src/model/partners/keys/keys.ts'
import { idPositionsOf, withNewNames } from '../support/id-positions.ts'
import { sampleWorld } from '../support/sample-world.ts'
import { startTestService } from '../support/service.ts'
import { clientOf } from './support/client.ts'
import type { Goal } from './support/goal.ts'
import { basic, prepare } from './support/prepare.ts'
import { startHard } from './support/process.ts'
import { chanceFrom } from './support/random.ts'
import { inFolder } from './support/tree.ts'
import { compareTimes } from './support/welch.ts'

interface Size {
  /** Of each side of a comparison. */
  readonly requests: number
  /** Only those whose path has this. */
  readonly of: string
}

const mostWelch = 4.5
/** What many accounts of the asking partner cost must not depend on whose the id is. */
const accounts = 5_000

export const idTiming: Goal<Size> = {
  id: 'R25-ids',
  says: 'timing: wherever a path has an id, a foreign one takes the time of an absent one',
  short: { requests: 60, of: 'annotations' },
  long: { requests: 2_000, of: '' },
  forMutants: { requests: 600, of: 'annotations' },
  isTimed: true,
  run: (tree, { requests, of }) =>
    inFolder(async (folder) => {
      const chance = chanceFrom()
      const env = { DATA_DIR: folder, LOG_LEVEL: 'silent' }
      const { own, foreign, authorization } = await makeWorld(folder, env)
      const service = await startHard(tree, { env })
      const client = clientOf(service.url, authorization, 1)
      const figures: Record<string, number> = {}
      const faults: string[] = []
      for (const endpoint of endpoints.filter(({ path }) => path.includes(of)))
        for (const { noun, request } of idPositionsOf(endpoint).filter(({ where }) => where === 'path')) {
          const took = (id: string) => async () => {
            const { path, body } = request(withNewNames(own), id)
            const sent = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
            const answer = await client.ask(`${path}.json`, { method: endpoint.method, ...sent })
            if (answer?.status !== 404) throw new Error(`${endpoint.method} ${path} was answered ${answer?.status}`)
            return answer.milliseconds
          }
          const absent = took('999999999')
          const found = await compareTimes(chance, requests, took(String(foreign[noun])), absent)
          const control = await compareTimes(chance, requests, took('999999998'), absent)
          const name = `${endpoint.method} ${endpoint.path} ${noun}`
          Object.assign(figures, { [`${name} t`]: found.welch, [`${name} control t`]: control.welch })
          if (Math.abs(found.welch) >= mostWelch && Math.abs(control.welch) < mostWelch)
            faults.push(`${name}: medians ${found.difference} ms apart, t ${found.welch}, its control ${control.welch}`)
        }
      client.close()
      await service.kill('SIGTERM')
      return { figures: { seed: chance.seed, requests, ...figures }, faults }
    }),
  mutants: [
    {
      says: 'the accounts of the partner are listed once there is an annotation',
      file: 'src/model/dashboard/managed-annotations.ts',
      from: "row.exists(accountsWithin(caller, db).select('accounts.id').whereRef('accounts.id', '=', row.ref('annotations.account_id')))",
      to: "row('account_id', 'in', accountsWithin(caller, db).select('accounts.id'))",
    },
  ],
}

async function makeWorld(folder: string, env: Readonly<Record<string, string>>) {
  await prepare(env, async () => {})
  const service = await startTestService({ engine: 'sqlite', folder, env, remove: async () => {} })
  const [acme, globex] = [await sampleWorld(service, 'Acme'), await sampleWorld(service, 'Globex')]
  await service.stop()
  await prepare(env, async ({ app }) => {
    const now = app.clock.now()
    const more = Array.from({ length: accounts }, (_, n) => ({
      partner_id: acme.partnerId,
      name: `More ${n}`,
      created_at: now,
      updated_at: now,
    }))
    await app.store.write(async (tx) => {
      await tx.insertInto('accounts').values(more).execute()
      await tx
        .updateTable('keys')
        .set({ scopes: keyScopes.join(' ') })
        .execute()
      await tx.updateTable('partners').set({ reads_per_minute: 0, writes_per_minute: 0, taken_per_hour: 0 }).execute()
    })
  })
  const own: SampleValues = acme.values
  return { own, foreign: globex.values, authorization: basic(acme.env['KEY'] ?? '', acme.env['PASSWORD'] ?? '') }
}
