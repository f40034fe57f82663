/** Whether an entity tag names one sequence of bytes: every body that was read is remembered under its tag, for as long as a client may keep it. */
import { createHash } from 'node:crypto'
import { draftOf } from '../../../src/fields/read.ts'
import type { OperatorCaller } from '../../../src/model/core/caller.ts'
import { createAccount } from '../../../src/model/partners/accounts.ts'
import { createBusiness } from '../../../src/model/partners/businesses.ts'
import { issueKey } from '../../../src/model/partners/keys/keys.ts'
import { createSite } from '../../../src/model/partners/sites.ts'
import { newBusiness } from '../../../src/resources/business.ts'
import { type Client, clientOf } from './client.ts'
import { basic, newPartner } from './prepare.ts'
import { pause } from './process.ts'
import type { Chance } from './random.ts'

export interface EtagWorld {
  readonly authorization: string
  readonly ingest: string
  readonly accounts: readonly { readonly id: number; readonly domain: string }[]
}

export interface Tags {
  readonly counts: { reads: number; repeated: number; unchanged: number; pushes: number; refused: number }
  readonly faults: string[]
  /** Reads a report and compares its bytes with those that had its tag before. */
  read(client: Client, path: string): Promise<void>
  /** Asks whether a tag that was seen for this path still holds; "not modified" must be true. */
  revalidate(client: Client, path: string): Promise<void>
}

export async function makeEtagWorld(operator: OperatorCaller, accounts = 4): Promise<EtagWorld> {
  const partner = await newPartner(operator, 'Acme')
  const { key, password } = await issueKey(operator, partner.id, { scopes: ['ingest'] })
  const made: { id: number; domain: string }[] = []
  for (let index = 0; index < accounts; index += 1) {
    const { id } = await createAccount(operator, partner.id, `Account ${index}`)
    const business = await createBusiness(operator, draftOf(newBusiness, { name: 'Business', account_id: id }))
    const domain = `site-${index}.example`
    await createSite(operator, business.id, domain)
    made.push({ id, domain })
  }
  return { authorization: partner.authorization, ingest: basic(key, password), accounts: made }
}

export function openTags(): Tags {
  const bytesOf = new Map<string, string>()
  const seenFor = new Map<string, string[]>()
  const counts = { reads: 0, repeated: 0, unchanged: 0, pushes: 0, refused: 0 }
  const faults: string[] = []
  const take = (path: string, tag: string, body: Buffer) => {
    const bytes = createHash('sha256').update(body).digest('hex')
    const before = bytesOf.get(tag)
    counts.reads += 1
    if (before !== undefined) counts.repeated += 1
    else seenFor.set(path, [...(seenFor.get(path) ?? []), tag].slice(-20))
    if (before !== undefined && before !== bytes) faults.push(`${path} was answered with other bytes under the tag ${tag}`)
    bytesOf.set(tag, bytes)
    return bytes
  }
  const get = async (client: Client, path: string, tag?: string) => {
    const answer = await client.ask(path, tag === undefined ? {} : { headers: { 'if-none-match': tag } })
    if (answer?.status === 503) counts.refused += 1
    else if (answer?.status !== 200 && answer?.status !== 304) faults.push(`${path} was answered ${answer?.status} ${answer?.body}`)
    return answer
  }
  const read: Tags['read'] = async (client, path) => {
    const answer = await get(client, path)
    if (answer?.status === 200) take(path, String(answer.headers.etag), answer.body)
  }
  return {
    counts,
    faults,
    read,
    async revalidate(client, path) {
      const tags = seenFor.get(path) ?? []
      for (const tag of tags) {
        const answer = await get(client, path, tag)
        if (answer?.status !== 304) continue
        counts.unchanged += 1
        const whole = await get(client, path)
        if (whole?.status === 200 && take(path, String(whole.headers.etag), whole.body) !== bytesOf.get(tag))
          faults.push(`${path} was said to be unchanged under ${tag}, but is not`)
      }
    },
  }
}

export function pathsOf({ accounts }: EtagWorld): string[] {
  const ofOne = accounts.flatMap(({ id }) => [
    `/api/seo_report.json?account_id=${id}`,
    `/api/seo_report.xml?account_id=${id}`,
    `/api/seo_report.json?account_id=${id}&series=all`,
    `/api/seo_report.json?account_id=${id}&device=mobile&location=`,
    `/api/seo_report.csv?account_id=${id}&table=rankings`,
  ])
  return [...ofOne, '/api/seo_report.json']
}

/** One ranking of a small set, so that the same data also comes back. */
export async function push(client: Client, world: EtagWorld, tags: Tags, chance: Chance): Promise<void> {
  const record = {
    type: 'ranking',
    site: chance.pick(world.accounts).domain,
    phrase: chance.pick(['dentist', 'plumber']),
    search_engine: 'Google',
    locale: 'en-us',
    device: chance.pick(['', 'desktop', 'mobile']),
    ranked_at: `2026-11-0${1 + chance.whole(3)} 04:05:06`,
    rank: 1 + chance.whole(50),
  }
  const headers = { 'content-type': 'application/json', authorization: world.ingest }
  const answer = await client.ask('/api/observations.json?create_missing=1', { method: 'POST', headers, body: JSON.stringify([record]) })
  if (answer?.status === 200) tags.counts.pushes += 1
  else if (answer?.status === 503) tags.counts.refused += 1
  else tags.faults.push(`a push was answered ${answer?.status} ${answer?.body}`)
}

/** Readers on several connections, so that several processes answer them, while two writers push. */
export async function readWhilePushing(url: string, world: EtagWorld, reads: number, chance: Chance): Promise<Tags> {
  const tags = openTags()
  const clients = Array.from({ length: 6 }, () => clientOf(url, world.authorization, 1))
  const paths = pathsOf(world)
  const isOver = () => tags.counts.reads >= reads || tags.faults.length > 10
  const reader = async (client: Client) => {
    while (!isOver()) await tags.read(client, chance.pick(paths))
  }
  const writer = async (client: Client) => {
    for (; !isOver(); await pause(5)) await push(client, world, tags, chance)
  }
  await Promise.all(clients.map((client, index) => (index < 2 ? writer(client) : reader(client))))
  for (const client of clients) client.close()
  if (tags.counts.pushes === 0 || tags.counts.repeated === 0)
    tags.faults.push('no tag was seen twice, or nothing was pushed: nothing was measured')
  return tags
}
