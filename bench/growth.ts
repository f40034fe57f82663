/** What a small answer costs while the store grows: nothing more, when it is designed well. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { type Client, startClient } from './client.ts'
import { type Desk, openDesk } from './desk.ts'
import { compare, type Line, line, median } from './measure.ts'
import { addAccount, addUserWithAbilities } from './world.ts'

const rounds = 15
const probe = { sites: 1, competitors: 3, keywords: 20, days: 15, backlinks: 250 }
/** An account with a million rankings. */
const million = { sites: 10, competitors: 3, keywords: 25, days: 334, backlinks: 1_000 }
const steps = { '10^4': 0, '10^6': 1, '10^7': 10 } as const

export async function growth(): Promise<Line[]> {
  const client = startClient()
  const stores = await Promise.all(Object.entries(steps).map(async ([name, millions]) => [name, await openStore(millions)] as const))
  const contenders = stores.flatMap(([name, { desk, accountId, userId }]) => [
    [`report ${name}`, () => report(desk, client, accountId)],
    [`abilities ${name}`, () => abilities(desk, client, accountId, userId)],
  ])
  const taken: Record<string, number> = await compare(Object.fromEntries(contenders), rounds)
  const lines = Object.keys(steps)
    .slice(1)
    .flatMap((name) =>
      ['report', 'abilities'].map((work) =>
        line({
          work: `${work === 'report' ? 'one-site report' : 'GET abilities.json'} with ${name} rankings stored`,
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
async function openStore(millions: number): Promise<{ desk: Desk; accountId: number; userId: number }> {
  let accountId = 0
  const desk = await openDesk(async (operator, partnerId) => {
    for (let index = 0; index < millions; index++) {
      if (index === Math.floor(millions / 2)) accountId = await addAccount(operator, partnerId, 'probe', probe)
      await addAccount(operator, partnerId, `filler-${index}`, million)
    }
    if (millions === 0) accountId = await addAccount(operator, partnerId, 'probe', probe)
  })
  return { desk, accountId, userId: await addUserWithAbilities(desk.operator, accountId) }
}

async function report(desk: Desk, client: Client, accountId: number): Promise<number> {
  await desk.touch(accountId)
  return (await client.get(desk.ask(`/api/seo_report.xml?account_id=${accountId}`))).milliseconds
}

/** The middle one of some, each read anew after a write. */
async function abilities(desk: Desk, client: Client, accountId: number, userId: number): Promise<number> {
  const taken: number[] = []
  for (let index = 0; index < 15; index++) {
    await desk.touch(accountId)
    taken.push((await client.get(desk.ask(`/api/users/${userId}/abilities.json`))).milliseconds)
  }
  return median(taken)
}

/** The file's pages are dropped from memory first; the service's own few stay. */
async function diskCold(desk: Desk, client: Client, accountId: number): Promise<number> {
  await desk.touch(accountId)
  const file = join(desk.folder, 'marquee.db')
  execFileSync('sync')
  execFileSync('dd', [`if=${file}`, 'iflag=nocache', 'count=0'], { stdio: 'ignore' })
  return report(desk, client, accountId)
}
