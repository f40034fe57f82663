/** R7: the disk is full; reads go on, writes are refused with 503, nothing is half made, and it goes on once there is room. */
import { join } from 'node:path'
import { draftOf } from '../../src/fields/read.ts'
import { secondsAfter } from '../../src/lib/time/clock.ts'
import { logIn } from '../../src/model/people/logins.ts'
import { createOwner } from '../../src/model/people/users.ts'
import { newUser } from '../../src/resources/user.ts'
import { cookieName } from '../../src/web/cookies.ts'
import { damage } from './kill.ts'
import { type Client, clientOf, xml } from './support/client.ts'
import type { Goal } from './support/goal.ts'
import { makePartner, prepare } from './support/prepare.ts'
import { type Env, type Hard, startHard } from './support/process.ts'
import { chanceFrom } from './support/random.ts'
import { type Disk, playedDisk, smallDisk } from './support/small-disk.ts'
import { inFolder } from './support/tree.ts'
import { check, writerOf } from './support/writers.ts'

interface Size {
  readonly rounds: number
}

export const diskFull: Goal<Size> = {
  id: 'R7',
  says: 'a full disk: reads go on, writes are 503, nothing is half made, and it recovers without a restart',
  short: { rounds: 1 },
  long: { rounds: 10 },
  forMutants: { rounds: 1 },
  run: (tree, { rounds }) =>
    inFolder(async (folder) => {
      const disk = smallDisk(join(folder, 'small')) ?? playedDisk(join(folder, 'small'))
      try {
        const env = { DATA_DIR: disk.folder, LOG_LEVEL: 'silent' }
        const partner = await makePartner(env, 'Acme')
        const cookie = await logInLongAgo(env, partner.accountId)
        const service = await startHard(tree, { env, under: disk.under })
        const client = clientOf(service.url, partner.authorization)
        const counts = { refused: 0, served_reads: 0, written: 0 }
        const faults: string[] = []
        for (let round = 0; round < rounds; round += 1) faults.push(...(await fillAndFree(disk, service, client, counts, round, cookie)))
        const writer = writerOf('after-full', partner, chanceFrom())
        let left = 20
        await writer.work(service.url, () => left-- < 0)
        faults.push(...(await check(service.url, partner, [writer])), ...(service.hasGone ? ['the service went away'] : []))
        client.close()
        await service.kill('SIGTERM')
        const figures = { disk: disk.says, rounds, ...counts, written_after: writer.counts.acknowledged }
        return { figures, faults: [...faults, ...damage(join(disk.folder, 'marquee.db'))] }
      } finally {
        disk.remove()
      }
    }),
  mutants: [
    {
      says: 'a page waits for what it only writes down',
      file: 'src/model/people/sessions.ts',
      from: '  see(visitor, row)\n',
      to: "  await visitor.app.store.write((tx) => tx.updateTable('sessions').set({ last_seen_at: 'x'.repeat(100_000) }).execute())\n",
    },
    {
      says: 'the error of a full disk is swallowed and success is answered',
      file: 'src/store/store.ts',
      from: 'write: (work, time) => alone(() => engine.write(work, time)),',
      to: `write: (async (work: never) => {
        let result: unknown
        await alone(() => engine.write(async (tx) => (result = await (work as (tx: unknown) => Promise<unknown>)(tx)))).catch((error: Error) => {
          if (!error.message.includes('full') || result === undefined) throw error
        })
        return result
      }) as never,`,
    },
  ],
}

/** A session that was last seen so long ago that the next page would write it down. */
function logInLongAgo(env: Env, account_id: number): Promise<string> {
  return prepare(env, async (operator) => {
    const { app } = operator
    const password = 'correct horse'
    await createOwner(operator, draftOf(newUser, { login: 'owner-full', email: 'owner@full.example', password, account_id }))
    const visitor = { app, requestId: 'prepare', network: '127.0.0.1', hostPartnerId: null }
    const { token } = await logIn(visitor, { name: 'owner-full', password, isRemembered: true })
    const last_seen_at = secondsAfter(app.clock.now(), -3_600)
    await app.store.write((tx) => tx.updateTable('sessions').set({ last_seen_at }).execute())
    return `${cookieName('session', true)}=${token}`
  })
}

interface Counts {
  refused: number
  served_reads: number
  written: number
}

async function fillAndFree(disk: Disk, service: Hard, client: Client, counts: Counts, round: number, cookie: string): Promise<string[]> {
  const faults: string[] = []
  disk.fill(service.pid)
  const acknowledged: string[] = []
  for (let serial = 0; serial < 200 && counts.refused < (round + 1) * 20; serial += 1) {
    const name = `full-${round}-${serial}-${'x'.repeat(200)}`
    const written = await client.ask('/api/businesses.xml', {
      method: 'POST',
      headers: xml,
      body: `<business><name>${name}</name></business>`,
    })
    if (written?.status === 201) acknowledged.push(name)
    else if (written?.status === 503 && written.headers['retry-after'] !== undefined) counts.refused += 1
    else faults.push(`a write on a full disk was answered ${written?.status} ${written?.body}`)
    const read = await client.ask('/api/businesses.xml')
    if (read?.status === 200) counts.served_reads += 1
    else faults.push(`a read on a full disk was answered ${read?.status} ${read?.body}`)
  }
  const page = await client.ask('/password', { headers: { cookie, accept: 'text/html' } })
  if (page?.status !== 200) faults.push(`a page on a full disk was answered ${page?.status}`)
  if (counts.refused === 0) faults.push('the disk never became full: the goal measured nothing')
  disk.free(service.pid)
  counts.written += acknowledged.length
  faults.push(...(await missing(client, acknowledged)), ...(await recovers(client, round)))
  return faults
}

async function missing(client: Client, names: readonly string[]): Promise<string[]> {
  const seen = new Set<string>()
  for (let path: string | undefined = '/api/businesses.json'; path !== undefined; ) {
    const answer = await client.ask(path)
    for (const { name } of (JSON.parse(answer?.body.toString() ?? '{}') as { businesses: { name: string }[] }).businesses) seen.add(name)
    const next: string | undefined = /<([^>]+)>; rel="next"/.exec(String(answer?.headers.link ?? ''))?.[1]
    path = next === undefined ? undefined : new URL(next).pathname.replace(/(\.json)?$/, '.json') + new URL(next).search
  }
  const lost = names.filter((name) => !seen.has(name))
  return lost.length === 0 ? [] : [`${lost.length} writes acknowledged on a full disk are lost`]
}

async function recovers(client: Client, round: number): Promise<string[]> {
  const written = await client.ask('/api/businesses.xml', {
    method: 'POST',
    headers: xml,
    body: `<business><name>room again ${round}</name></business>`,
  })
  return written?.status === 201 ? [] : [`with room again a write was answered ${written?.status} ${written?.body}`]
}
