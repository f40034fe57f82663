/** `marquee distribute`: the measurements spread over the workers of a Citus cluster, by account. */

import { refuse } from '../../../lib/failures.ts'
import { openApp } from '../../../model/core/app.ts'
import type { CommandInput, Output } from '../../command.ts'
import { runAsOwner } from '../../owner.ts'

export async function distribute({ settings }: CommandInput): Promise<Output> {
  runAsOwner(settings)
  const app = await openApp(settings)
  try {
    const { engine } = app.store
    const layOut =
      engine.distribute ?? refuse('conflict', 'An embedded database is on one machine: move it to a server with marquee move first.')
    const { version, workers, tables, dropped } = await app.store.write(layOut, 'unlimited')
    return {
      document: { tables, cluster: { citus: version, workers, dropped } },
      note: noteOn(tables.filter(({ was }) => was === 'spread now').length),
    }
  } finally {
    await app.close()
  }
}

function noteOn(count: number): string {
  if (count === 0) return 'The cluster was laid out already: nothing was changed.'
  return [
    `Tables that are spread by account now: ${count}. All others stay on the coordinator. Foreign keys from these tables to the directory are gone, because they cannot reach over machines.`,
    'marquee migrate keeps it so. Write through the coordinator only.',
  ].join('\n')
}
