/** Pages against their own SQL, in processor time, which a busy machine does not stretch: a site with two years of 100 keywords, and a list of 500 sites. `node bench/pages.ts` */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KyselyPlugin } from 'kysely'
import { operatorOn } from '../src/cli/command.ts'
import { readSettings } from '../src/config.ts'
import { draftOf } from '../src/fields/read.ts'
import { dayText } from '../src/lib/time/days.ts'
import { type App, openApp } from '../src/model/core/app.ts'
import { readNdjson } from '../src/model/imports/formats.ts'
import { importObservations } from '../src/model/imports/import.ts'
import { createAccount } from '../src/model/partners/accounts.ts'
import { createPartner } from '../src/model/partners/partners.ts'
import { logIn } from '../src/model/people/logins.ts'
import { findSession } from '../src/model/people/sessions.ts'
import { createOwner } from '../src/model/people/users.ts'
import type { Making } from '../src/readers/serve.ts'
import { newUser } from '../src/resources/user.ts'
import { pausing } from '../src/store/pausing.ts'
import { makePage } from '../src/web/make-page.ts'
import type { AskedPage, PageHead } from '../src/web/page-work.ts'

const password = 'correct horse battery'
const today = Math.floor(Date.now() / 86_400_000)
const rounds = 41
/** A service that has been up for a while has its code compiled: so many rounds first, or as many as fit into the seconds. */
const warmUp = { rounds: 150, seconds: 8 }

const folder = mkdtempSync(join(tmpdir(), 'marquee-bench-'))
const app = await openApp(readSettings({ DATA_DIR: folder, MARQUEE_ADMIN_PORT: '0' }), { schema: 'bring up' })
try {
  const { deep, many } = await fill(app)
  for (const [name, login, template, query] of [
    ['a site with 2 years of 100 keywords, 90 days shown', deep, '/sites/{site_id}/search', ''],
    ['the same, all 2 years shown', deep, '/sites/{site_id}/search', `from=${dayText(today - 729)}&to=${dayText(today)}`],
    ['the same, reputation', deep, '/sites/{site_id}/reputation', ''],
    ['a list of 500 sites', many, '/', ''],
  ] as const) {
    report(name, await measure(await asked(login, template, query)))
  }
} finally {
  await app.close()
  rmSync(folder, { recursive: true })
}

/** One owner of one deep site, one of 500 shallow ones. */
async function fill(on: App): Promise<{ deep: string; many: string }> {
  const operator = operatorOn(on)
  const { partner } = await createPartner(operator, 'Bench')
  const owner = async (login: string, name: string) => {
    const account_id = (await createAccount(operator, partner.id, name)).id
    await createOwner(operator, draftOf(newUser, { login, email: `${login}@bench.example`, password, account_id }))
    return account_id
  }
  const [deepAccount, manyAccount] = [await owner('deep-owner', 'Deep'), await owner('many-owner', 'Many')]
  const take = (accountId: number, lines: AsyncGenerator<Buffer>) =>
    importObservations(operator, { partnerId: partner.id, accountId }, readNdjson(lines), { createMissing: true })
  await take(deepAccount, deepLines())
  await take(manyAccount, manyLines())
  return { deep: 'deep-owner', many: 'many-owner' }
}

async function* deepLines(): AsyncGenerator<Buffer> {
  const site = 'deep.example'
  const subjects = [{}, { competitor: 'a.example' }, { competitor: 'b.example' }, { competitor: 'c.example' }]
  for (let ago = 729; ago >= 0; ago--)
    yield linesOf(subjects.flatMap((subject, s) => rankings(site, subject, 100, ['Google', 'Bing', 'Yahoo'], ago, s)))
  for (let ago = 729; ago >= 0; ago--) {
    const date = dayText(today - ago)
    const page = { site, source: 'google', page_url: 'https://maps.example/1' }
    yield linesOf([
      {
        type: 'snapshot',
        site,
        day: date,
        download_time: 0.5,
        backlink_count: 100,
        domain_count: 10,
        domain_age: 900,
        pages_indexed_in_google: 50,
      },
      {
        type: 'backlink',
        site,
        source_url: `https://blog.example/${ago}`,
        found_on: date,
        link_strength: ago % 100,
        domain_authority: 9,
        anchor_text: 'good',
      },
      ...(ago === 729 ? [{ type: 'page', ...page }] : []),
      {
        type: 'review',
        ...page,
        rating: (ago % 5) + 1,
        date,
        user: 'Reader',
        detail: 'It was as it should be. '.repeat(6),
        ref: String(ago),
      },
      { type: 'review_count', ...page, date, count: 1, rating_sum: (ago % 5) + 1 },
    ])
  }
}

async function* manyLines(): AsyncGenerator<Buffer> {
  for (let ago = 179; ago >= 0; ago--) {
    for (let part = 0; part < 500; part += 50) {
      const sites = Array.from({ length: 50 }, (_, index) => `site-${part + index}.example`)
      yield linesOf(sites.flatMap((site, s) => rankings(site, {}, 20, ['Google', 'Bing'], ago, s)))
    }
  }
  for (let number = 0; number < 500; number++) {
    const page = { site: `site-${number}.example`, source: 'google', page_url: `https://maps.example/${number}` }
    const counts = Array.from({ length: 60 }, (_, index) => ({
      type: 'review_count',
      ...page,
      date: dayText(today - index * 3),
      count: 1,
      rating_sum: (index % 5) + 1,
    }))
    yield linesOf([{ type: 'page', ...page }, ...counts])
  }
}

function rankings(site: string, subject: object, keywords: number, engines: readonly string[], ago: number, shift: number): object[] {
  const ranked_at = `${dayText(today - ago)} 04:05:06`
  return Array.from({ length: keywords }, (_, k) => k).flatMap((k) =>
    engines.map((search_engine, e) => ({
      type: 'ranking',
      site,
      ...subject,
      phrase: `keyword ${k}`,
      search_engine,
      locale: 'en-us',
      ranked_at,
      rank: ((k * 7 + e + shift * 3 + Math.floor(ago / 9)) % 100) + 1,
    })),
  )
}

function linesOf(lines: readonly object[]): Buffer {
  return Buffer.from(`${lines.map((line) => JSON.stringify(line)).join('\n')}\n`)
}

interface Measured {
  readonly sql: number
  readonly page: number
  readonly statements: number
  readonly bytes: number
}

/** What the main thread gives to a reader thread when this person asks for this page of the first site. */
async function asked(login: string, template: string, query: string): Promise<AskedPage> {
  const visitor = { requestId: 'bench', network: '127.0.0.1', hostPartnerId: null }
  const token = (await logIn({ ...visitor, app }, { name: login, password, isRemembered: false })).token
  const session = await findSession({ ...visitor, app }, token)
  if (session === null) throw new Error(`${login} is not logged in`)
  const { app: _, ...person } = session.person
  const path = template.replace('{site_id}', '1')
  const shown = {
    brand: null,
    theme: null,
    formToken: 'bench',
    isPrivate: true,
    hasPlainCookies: true,
    lostSession: null,
    hasManySites: true,
    wrong: null,
    faults: [],
    told: null,
  }
  return {
    template,
    plain: { ...shown, path, params: { site_id: '1' } },
    now: app.clock.now(),
    query,
    form: '',
    acceptLanguage: undefined,
    acceptEncoding: undefined,
    visitor,
    loggedIn: { ...session, person },
    guest: null,
    reader: person,
  }
}

/** The same page again and again, by the code of the reader threads, each time as if its data had just changed: nothing added up is kept from the last round. */
async function measure(page: AskedPage): Promise<Measured> {
  const measured: Measured[] = []
  const warmUntil = performance.now() + warmUp.seconds * 1000
  for (let round = -warmUp.rounds; round < rounds; round++) {
    if (performance.now() > warmUntil) round = Math.max(0, round)
    const { making, spent } = watch(app)
    const startedAt = processorTime()
    await makePage(page, making)
    const taken = processorTime() - startedAt
    if (round >= 0) measured.push({ sql: spent.milliseconds, statements: spent.statements, page: taken, bytes: spent.bytes })
  }
  const middle = (key: keyof Measured) => measured.map((one) => one[key]).toSorted((a, b) => a - b)[Math.floor(rounds / 2)] as number
  return { sql: middle('sql'), page: middle('page'), statements: middle('statements'), bytes: middle('bytes') }
}

function fail(): never {
  throw new Error('A page is not streamed.')
}

/** What a page has at hand, with its reads timed, from the statement to its rows. */
function watch(on: App) {
  const spent = { milliseconds: 0, statements: 0, bytes: 0 }
  const begun = new WeakMap<object, number>()
  const timed: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      begun.set(queryId, processorTime())
      return node
    },
    async transformResult({ result, queryId }) {
      spent.milliseconds += processorTime() - (begun.get(queryId) ?? 0)
      spent.statements++
      return result
    },
  }
  const pause = () => undefined
  const making: Making<PageHead> = {
    settings: on.settings,
    database: {
      words: on.store.engine,
      snapshot: (work) => on.store.snapshot((db) => work(pausing(db.withPlugin(timed), pause))),
    },
    replica: null,
    pause,
    tell: ({ body }) => Object.assign(spent, { bytes: body?.length ?? 0 }),
    write: fail,
  }
  return { making, spent }
}

/** Milliseconds this process has worked, on all its threads. */
function processorTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function report(name: string, { sql, page, statements, bytes }: Measured): void {
  console.log(
    `${name}: page ${page.toFixed(1)} ms, its SQL ${sql.toFixed(1)} ms in ${statements} statements: ${(page / sql).toFixed(2)} times (goal < 3); ${Math.round(bytes / 1024)} KB of HTML`,
  )
}
