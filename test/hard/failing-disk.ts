/** R8: the disk fails to sync and to write now and then; what was acknowledged is stored, and after a failed sync the service ends in order. */
import { join } from 'node:path'
import { damage } from './kill.ts'
import type { Goal } from './support/goal.ts'
import { makePartner } from './support/prepare.ts'
import { pause, startHard } from './support/process.ts'
import { chanceFrom } from './support/random.ts'
import { need } from './support/tools.ts'
import { inFolder } from './support/tree.ts'
import { check, sumOf, writerOf } from './support/writers.ts'

interface Size {
  readonly failures: number
}

const mostStarts = 10

export const failingDisk: Goal<Size> = {
  id: 'R8',
  says: 'failing fsync and pwrite: acknowledged is stored, and after a failed fsync the service is not ready and exits for a clean restart',
  short: { failures: 3 },
  long: { failures: 60 },
  forMutants: { failures: 2 },
  run: (tree, { failures }) =>
    inFolder(async (folder) => {
      need('fiu-run', 'fiu-utils')
      const chance = chanceFrom()
      const env = { DATA_DIR: folder, LOG_LEVEL: 'fatal' }
      const partner = await makePartner(env, 'Acme')
      const writers = Array.from({ length: 4 }, (_, index) => writerOf(`writer${index}`, partner, chance, false))
      const faults: string[] = []
      const ends: Record<string, number> = {}
      for (let done = 0, starts = 0; done < failures && starts < failures * mostStarts && faults.length === 0; starts += 1) {
        const service = await startHard(tree, { env, under: failing() }).catch(() => null)
        // A sync may fail before the service is up: then it has not started at all, which is fine.
        if (service === null) continue
        const working = Promise.all(writers.map((writer) => writer.work(service.url, () => service.hasGone)))
        const end = await Promise.race([service.gone, pause(15_000).then(() => 'still there')])
        if (end === 'still there') faults.push('the service went on although a sync had failed, or none failed in 15 s')
        else done += 1
        ends[`exit_${end}`] = (ends[`exit_${end}`] ?? 0) + 1
        if (end !== 1 && end !== 'still there') faults.push(`the service ended with ${end} in place of 1: ${service.printed().slice(-500)}`)
        await service.kill()
        await working
      }
      const service = await startHard(tree, { env })
      await Promise.all(writers.map((writer) => writer.settle(service.url)))
      faults.push(...(await check(service.url, partner, writers)))
      await service.kill('SIGTERM')
      return { figures: { seed: chance.seed, ...ends, ...sumOf(writers) }, faults: [...faults, ...damage(join(folder, 'marquee.db'))] }
    }),
  mutants: [
    {
      says: 'a failed sync is passed over and the service goes on',
      file: 'src/store/sqlite/connection.ts',
      from: 'if (/^SQLITE_IOERR_(?:DIR_)?FSYNC$/.test(code)) onLost()',
      to: 'void onLost',
    },
  ],
}

function failing(): string[] {
  const points = ['posix/io/sync/fsync', 'posix/io/rw/pwrite']
  const [sync = '', write = ''] = points
  return [
    'fiu-run',
    '-x',
    '-f',
    '',
    '-c',
    `enable_random name=${sync},probability=0.02,failinfo=5`,
    '-c',
    `enable_random name=${write},probability=0.0005,failinfo=5`,
  ]
}
