/** A backup of the embedded database taken while writers write, restored after they were stopped: what was acknowledged before it began is there. */
import { join } from 'node:path'
import type { Goal } from './support/goal.ts'
import { makePartner } from './support/prepare.ts'
import { commandOf, type Env, pause, startHard } from './support/process.ts'
import { chanceFrom } from './support/random.ts'
import { inFolder } from './support/tree.ts'
import { check, sumOf, type Writer, writerOf } from './support/writers.ts'

interface Size {
  readonly restores: number
  /** Who writes during the backup. Against the mutant nobody: their writes would bring about a checkpoint, which moves the promised ones to the file. */
  readonly writersMeanwhile: number
}

export const restore: Goal<Size> = {
  id: 'restore',
  says: 'marquee backup under load, marquee restore after a stop: every write acknowledged before the backup is there, none twice, and the audit chain holds',
  short: { restores: 1, writersMeanwhile: 4 },
  long: { restores: 20, writersMeanwhile: 4 },
  forMutants: { restores: 1, writersMeanwhile: 0 },
  run: (tree, { restores, writersMeanwhile }) =>
    inFolder(async (folder) => {
      const chance = chanceFrom()
      const env: Env = { DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'error' }
      const partner = await makePartner(env, 'Acme')
      const marquee = (...words: string[]) => commandOf(tree, env, ...words)
      const promised = Array.from({ length: 4 }, (_, index) => writerOf(`before${index}`, partner, chance, false))
      const faults: string[] = []
      for (let round = 0; round < restores; round += 1) {
        const file = join(folder, `round-${round}.db`)
        await whileServing(tree, env, async (url) => {
          await workWhile(promised, url, () => pause(300))
          const others = Array.from({ length: writersMeanwhile }, (_, index) => writerOf(`during${round}-${index}`, partner, chance, false))
          await workWhile(others, url, async () => void (await marquee('backup', file)))
        })
        if (!(await marquee('restore', '--check', file)).includes('ok: true')) faults.push('the check found the backup unsound')
        await marquee('restore', file)
        await whileServing(tree, env, async (url) => void faults.push(...(await check(url, partner, promised))))
      }
      if (!(await marquee('audit', 'verify')).includes('Every entry is as it was sealed.')) faults.push('the audit chain is broken')
      const { acknowledged } = sumOf(promised)
      if (acknowledged === 0) faults.push('nothing was written before the backup: the goal measured nothing')
      return { figures: { seed: chance.seed, restores, acknowledged }, faults }
    }),
  mutants: [
    {
      says: 'a backup is a copy of the file, without what the write-ahead log still holds',
      file: 'src/store/file-backup.ts',
      from: 'await source.backUp(draft).finally(source.close)',
      to: 'source.close()\n    copyFileSync(file, draft)',
    },
  ],
}

async function whileServing(tree: string, env: Env, work: (url: string) => Promise<void>): Promise<void> {
  const service = await startHard(tree, { env })
  try {
    await work(service.url)
  } finally {
    await service.kill('SIGTERM')
  }
}

async function workWhile(writers: readonly Writer[], url: string, meanwhile: () => Promise<void>): Promise<void> {
  let isOver = false
  const working = Promise.all(writers.map((writer) => writer.work(url, () => isOver)))
  await meanwhile()
  isOver = true
  await working
  for (const writer of writers) await writer.settle(url)
}
