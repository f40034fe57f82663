/** What a small answer costs while the store grows: nothing more, when it is designed well. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { type Client, startClient } from './client.ts'
import { type Desk, openDesk } from './desk.ts'
import { compare, type Line, line } from './measure.ts'
import { addAccount } from './world.ts'

const rounds = 15
const probe = { sites: 1, competitors: 3, keywords: 20, days: 15, backlinks: 250 }
/** An account with a million rankings. */
const million = { sites: 10, competitors: 3, keywords: 25, days: 334, backlinks: 1_000 }
const steps = { '10^4': 0, '10^6': 1, '10^7': 10 } as const

export async function growth(): Promise<Line[]> {
  const client = startClient()
  const stores = await Promise.all(Object.entries(steps).map(async ([name, millions]) => [name, await openStore(millions)] as const))
  const contenders = stores.flatMap(([name, { desk, accountId }]) => [
    [`report ${name}`, () => report(desk, client, accountId)],
    [`abilities ${name}`, async () => (await client.get(desk.ask('/api/accounts.json'))).milliseconds],
  ])
  const taken: Record<string, number> = await compare(Object.fromEntries(contenders), rounds)
  const lines = Object.keys(steps)
    .slice(1)
    .flatMap((name) =>
      ['report', 'abilities'].map((work) =>
        line({
          work: `${work === 'report' ? 'one-site report' : 'small GET'} with ${name} rankings stored`,
          unit: 'ms',
          ours: taken[`${work} ${name}`] ?? 0,
          against: 'itself with 10^4',
          theirs: taken[`${work} 10^4`] ?? 0,
          goal: '<= 1.15',
        }),
      ),
    )
  const [, largest] = stores.at(-1) as (typeof stores)[number]
  const cold = await diskCold(largest.desk, client, largest.accountId)
  client.stop()
  for (const [, { desk }] of stores) await desk.close()
  return [
    ...lines,
    line({
      work: 'one-site report, 10^7 rankings, nothing in the page cache',
      unit: 'ms',
      ours: cold,
      against: 'warm',
      theirs: taken['report 10^7'] ?? 0,
      goal: '',
    }),
  ]
}

/** The asked account lies in the middle of the others. */
async function openStore(millions: number): Promise<{ desk: Desk; accountId: number }> {
  let accountId = 0
  const desk = await openDesk(async (operator, partnerId) => {
    for (let index = 0; index < millions; index++) {
      if (index === Math.floor(millions / 2)) accountId = await addAccount(operator, partnerId, 'probe', probe)
      await addAccount(operator, partnerId, `filler-${index}`, million)
    }
    if (millions === 0) accountId = await addAccount(operator, partnerId, 'probe', probe)
  })
  return { desk, accountId }
}

async function report(desk: Desk, client: Client, accountId: number): Promise<number> {
  await desk.touch(accountId)
  return (await client.get(desk.ask(`/api/seo_report.xml?account_id=${accountId}`))).milliseconds
}

/** The file's pages are dropped from memory first; the service's own few stay. */
async function diskCold(desk: Desk, client: Client, accountId: number): Promise<number> {
  await desk.touch(accountId)
  const file = join(desk.folder, 'marquee.db')
  execFileSync('sync')
  execFileSync('dd', [`if=${file}`, 'iflag=nocache', 'count=0'], { stdio: 'ignore' })
  return report(desk, client, accountId)
}
