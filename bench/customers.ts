/** The desk of an agency with 5,000 customers and 10,000 sites, in processor time of the whole process: the first request after the start, and the later ones. `node bench/customers.ts` */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { operatorOn } from '../src/cli/command.ts'
import { readSettings } from '../src/config.ts'
import { draftOf } from '../src/fields/read.ts'
import { type App, openApp } from '../src/model/core/app.ts'
import { neverMeasured } from '../src/model/core/report-version.ts'
import { createPartner } from '../src/model/partners/partners.ts'
import { appointStaff } from '../src/model/people/staff/staff.ts'
import { createUser } from '../src/model/people/users.ts'
import { newUser } from '../src/resources/user.ts'
import { startWatchedService } from '../test/support/watched-service.ts'

const password = 'correct horse battery'
const [customers, sitesEach] = [5_000, 2]
const rounds = 15
const goals = { milliseconds: 300, kilobytes: 40 }

const folder = mkdtempSync(join(tmpdir(), 'marquee-bench-'))
const env = { DATA_DIR: folder, MARQUEE_ADMIN_PORT: '0', LOG_LEVEL: 'error' }
const app = await openApp(readSettings(env), { schema: 'bring up' })
await fill(app)
await app.close()
const service = await startWatchedService(env)
try {
  const cookie = await logIn()
  // First thing in the morning the service has been up for long, and nobody has opened a page.
  await sleep(15_000)
  const ask = async (coding: string) => {
    const before = processorTime()
    const answer = await fetch(`${service.url}/desk`, { headers: { cookie, 'accept-encoding': coding, accept: 'text/html' } })
    const text = await answer.text()
    if (!text.includes('of the agency')) throw new Error(`${answer.status}: ${text.slice(0, 500)}`)
    return { taken: processorTime() - before, bytes: Number(answer.headers.get('content-length') ?? 0), plain: Buffer.byteLength(text) }
  }
  const first = await ask('br')
  const later: number[] = []
  for (let round = 0; round < rounds; round++) {
    later.push((await ask('br')).taken)
  }
  const warm = later.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0
  console.log(
    [
      `first ${first.taken} ms (goal ${goals.milliseconds}), then ${warm} ms: ${(first.taken / warm).toFixed(1)} times; second ${later[0]} ms`,
      `${(first.bytes / 1024).toFixed(1)} KB sent, ${(first.plain / 1024).toFixed(1)} KB plain (goal ${goals.kilobytes})`,
    ].join('\n'),
  )
} finally {
  await service.stop()
  rmSync(folder, { recursive: true })
}

/** In bulk: rows as the model writes them. */
async function fill({ store, clock, ...rest }: App): Promise<void> {
  const operator = operatorOn({ store, clock, ...rest } as App)
  const { partner, account } = await createPartner(operator, 'Bench')
  const draft = draftOf(newUser, { login: 'ben-desk', email: 'ben@bench.example', password, account_id: account.id })
  await appointStaff(operator, partner.id, (await createUser(operator, draft)).id, { role: 'admin', customers: 'all' })
  const now = clock.now()
  const numbers = Array.from({ length: customers }, (_, at) => at)
  for (let from = 0; from < customers; from += 250)
    await store.write(async (tx) => {
      const some = numbers.slice(from, from + 250)
      const accounts = await tx
        .insertInto('accounts')
        .values(
          some.map((at) => ({
            partner_id: partner.id,
            name: `Customer ${at} of the agency`,
            created_at: now,
            updated_at: now,
            report_version: 1,
          })),
        )
        .returning('id')
        .execute()
      const ids = accounts.map(({ id }) => id)
      const businesses = await tx
        .insertInto('businesses')
        .values(
          ids.map((account_id) => ({
            account_id,
            name: `Business of ${account_id}`,
            aasm_state: 'active' as const,
            created_at: now,
            updated_at: now,
          })),
        )
        .returning(['id', 'account_id'])
        .execute()
      const sites = await tx
        .insertInto('sites')
        .values(
          businesses.flatMap(({ id, account_id }) =>
            Array.from({ length: sitesEach }, (_, at) => ({
              account_id,
              business_id: id,
              domain: `shop-${id}-${at}.example`,
              created_at: now,
              updated_at: now,
            })),
          ),
        )
        .returning(['id', 'account_id'])
        .execute()
      await tx
        .insertInto('site_figures')
        .values(
          sites.map(({ id, account_id }) => ({
            site_id: id,
            account_id,
            visibility: (id % 97) + 0.5,
            pairs: 40,
            compared_now: id % 97,
            compared_before: id % 89,
            compared_pairs: 38,
            rating: (id % 5) + 0.4,
            measured_on: now.slice(0, 10),
            reasons:
              id % 3 === 0
                ? JSON.stringify([
                    { kind: 'left-top-10', amount: id % 7 },
                    { kind: 'bad-reviews', amount: 2 },
                  ])
                : '[]',
          })),
        )
        .execute()
      await tx
        .insertInto('account_figures')
        .values(ids.map((account_id) => ({ account_id, day: now.slice(0, 10), versions: `null 1 ${neverMeasured}` })))
        .execute()
    })
}

async function logIn(): Promise<string> {
  const form = await fetch(`${service.url}/login`)
  const jar = new Map<string, string>()
  const keep = (answer: Response) => {
    for (const line of answer.headers.getSetCookie()) jar.set(line.split('=')[0] ?? '', line.split(';')[0] ?? '')
  }
  keep(form)
  const form_token = /name="form_token" value="([\w-]+)"/.exec(await form.text())?.[1] ?? ''
  const headers = { cookie: [...jar.values()].join('; '), 'sec-fetch-site': 'same-origin' }
  const body = new URLSearchParams({ form_token, name: 'ben-desk', password })
  keep(await fetch(`${service.url}/login`, { method: 'POST', body, headers, redirect: 'manual' }))
  return [...jar.values()].join('; ')
}

/** Milliseconds that all threads of the service have worked, in the ticks of the kernel. */
function processorTime(): number {
  const fields = readFileSync(`/proc/${service.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}
