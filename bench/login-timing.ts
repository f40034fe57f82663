/** Refused logins of a known and of an unknown name, interleaved over HTTP: their medians must not differ by more than the noise. */
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { operatorOn } from '../src/cli/command.ts'
import { readSettings } from '../src/config.ts'
import { draftOf } from '../src/fields/read.ts'
import { openLog } from '../src/lib/log.ts'
import { openApp } from '../src/model/core/app.ts'
import { createPartner } from '../src/model/partners/partners.ts'
import { createUser } from '../src/model/people/users.ts'
import { newUser } from '../src/resources/user.ts'
import { startService } from '../src/service.ts'

const pairs = Number(process.argv[2] ?? 200)
const folder = mkdtempSync(join(tmpdir(), 'marquee-bench-'))
const settings = readSettings({ DATA_DIR: folder, PORT: '0', MARQUEE_ADMIN_PORT: '0', LOG_LEVEL: 'silent' })
await (await openApp(settings, { schema: 'bring up' })).close()
const service = await startService(settings, openLog('silent'))
try {
  const operator = operatorOn(service.app)
  const { account } = await createPartner(operator, 'Timing')
  for (let index = 0; index < pairs; index++) {
    const names = { login: `known-${pad(index)}`, email: `known-${pad(index)}@people.example` }
    await createUser(operator, draftOf(newUser, { ...names, password: 'correct horse battery', account_id: account.id }))
  }
  report(await measure())
} finally {
  await service.stop()
  rmSync(folder, { recursive: true })
}

/** Each name is tried once, so that no throttle is met; the order within a pair alternates. */
async function measure(): Promise<{ known: number[]; unknown: number[] }> {
  const times = { known: [] as number[], unknown: [] as number[] }
  for (let index = -5; index < pairs; index++) {
    const order = index % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)
    for (const kind of order) {
      const milliseconds = await refuse(`${kind}-${pad(Math.abs(index))}`)
      if (index >= 0) times[kind].push(milliseconds)
    }
  }
  return times
}

async function refuse(name: string): Promise<number> {
  // Networks are slowed down as a whole: without this the 31st refusal would wait.
  await service.app.store.write((tx) => tx.deleteFrom('login_throttles').execute())
  const { cookie, token } = await openForm()
  const body = new URLSearchParams({ form_token: token, name, password: 'not the password' }).toString()
  const startedAt = performance.now()
  const { status } = await send(
    'POST',
    '/login',
    { cookie, 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' },
    body,
  )
  if (status !== 403) throw new Error(`answered ${status}`)
  return performance.now() - startedAt
}

async function openForm(): Promise<{ cookie: string; token: string }> {
  const { text, cookies } = await send('GET', '/login', {})
  return { cookie: cookies.map((line) => line.split(';')[0]).join('; '), token: /name="form_token" value="([\w-]+)"/.exec(text)?.[1] ?? '' }
}

function send(
  method: string,
  path: string,
  headers: Record<string, string>,
  body = '',
): Promise<{ status: number; text: string; cookies: string[] }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${service.url}${path}`,
      { method, headers: { ...headers, 'content-length': Buffer.byteLength(body) } },
      async (response) => {
        const chunks: Buffer[] = []
        for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk)
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString(), cookies: response.headers['set-cookie'] ?? [] })
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

/** The noise: how far the medians of two random halves of the same kind lie apart. */
function report({ known, unknown }: { known: number[]; unknown: number[] }): void {
  const [a, b] = [median(known), median(unknown)]
  const noise = Math.max(halves(known), halves(unknown))
  const t = (mean(known) - mean(unknown)) / Math.sqrt(variance(known) / known.length + variance(unknown) / unknown.length)
  console.log(
    `refused logins, ${known.length} pairs: known ${a.toFixed(2)} ms, unknown ${b.toFixed(2)} ms, apart ${Math.abs(a - b).toFixed(2)} ms, noise ${noise.toFixed(2)} ms, Welch t ${t.toFixed(2)} (goal |t| < 4.5)`,
  )
}

function halves(times: readonly number[]): number {
  return Math.abs(median(times.filter((_, index) => index % 4 < 2)) - median(times.filter((_, index) => index % 4 >= 2)))
}

function median(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] as number
}

function mean(times: readonly number[]): number {
  return times.reduce((sum, time) => sum + time, 0) / times.length
}

function variance(times: readonly number[]): number {
  const middle = mean(times)
  return times.reduce((sum, time) => sum + (time - middle) ** 2, 0) / (times.length - 1)
}

function pad(index: number): string {
  return String(index).padStart(4, '0')
}
