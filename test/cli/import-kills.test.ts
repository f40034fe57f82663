/** An import that is killed again and again, and run again each time, ends as if nothing had happened. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { marquee } from '../support/command.ts'
import { makeWorld } from '../support/data.ts'
import { type EngineName, engineNames, freshPlace, type Place } from '../support/engines.ts'

/** The long form: `npm run hard:import`. */
const wanted = process.env.IMPORT_KILLS
const kills = Number(wanted ?? 20)
const engines: readonly EngineName[] = wanted === undefined ? ['sqlite'] : engineNames
/** Then it is finished, looked at, and the next begins with an empty store: what is all there cannot be torn any more. */
const killsPerImport = 10
const launcher = join(import.meta.dirname, '..', '..', 'bin', 'marquee.js')
const created_at = '2026-11-01 00:00:00'

describe('an import that is killed', () => {
  for (const engine of engines) {
    test(`${kills} times ends with the same content as one that was left alone, on ${engine}`, { timeout: kills * 20_000 }, async () => {
      const calm = await home(engine)
      const startedAt = performance.now()
      assert.equal((await takeAll(calm)).code, 0)
      const milliseconds = performance.now() - startedAt
      const content = await contentOf(calm)
      await calm.remove()
      for (let done = 0; done < kills; done += killsPerImport) {
        assert.equal(await contentAfterKills(engine, milliseconds), content)
        if (wanted !== undefined) console.log(`${engine}: ${done + killsPerImport} kills`)
      }
    })
  }
})

async function contentAfterKills(engine: EngineName, milliseconds: number): Promise<string> {
  const place = await home(engine)
  let hits = 0
  // One that was quicker than the kill tells how long they take now: the machine may be busier or calmer than it was.
  for (let tries = 0, pace = milliseconds; hits < killsPerImport && tries < 5 * killsPerImport; tries++) {
    const startedAt = performance.now()
    if (await killed(place, pace * (0.35 + 0.6 * Math.random()))) hits++
    else pace = performance.now() - startedAt
  }
  assert.equal(hits, killsPerImport)
  assert.equal((await takeAll(place)).code, 0)
  const content = await contentOf(place)
  await place.remove()
  return content
}

async function home(engine: EngineName): Promise<Place> {
  const place = await freshPlace(engine)
  const world = await makeWorld(place.env)
  await world.app.close()
  writeFileSync(fileOf(place), [...lines()].map((line) => `${JSON.stringify(line)}\n`).join(''))
  return place
}

function fileOf(place: Place): string {
  return join(place.folder, 'data.ndjson')
}

/** Of every kind, with repeated keys, and enough for many transactions. */
function* lines(): Generator<object> {
  for (let i = 0; i < 12_000; i++) {
    const site = `site${i % 12}.example`
    const subject = i % 3 === 0 ? { site, competitor: `rival${i % 5}.example` } : { site }
    const page = { ...subject, source: 'google', page_url: `https://maps.example/${i % 7}` }
    const day = `2026-${String((i % 9) + 1).padStart(2, '0')}-${String((i % 28) + 1).padStart(2, '0')}`
    if (i % 60 === 0) yield { type: 'page', ...page, match_confidence: i % 100, last_updated: day, created_at }
    if (i % 60 === 1) yield { type: 'competitor', site, competitor: `rival${i % 5}.example`, created_at }
    if (i % 60 === 2) yield { type: 'location', site, twitter_page: null, created_at }
    if (i % 12 === 3)
      yield {
        type: 'backlink',
        ...subject,
        found_on: day,
        link_strength: i % 10,
        source_url: `https://b.example/${i % 900}`,
        domain_authority: 3,
      }
    if (i % 12 === 4)
      yield { type: 'review', ...page, ref: `r${i % 700}`, rating: (i % 5) + 1, date: day, detail: `Words ${i}`, created_at }
    if (i % 12 === 5) yield { type: 'snapshot', ...subject, day, backlink_count: i }
    if (i % 6 === 0) yield { type: 'review_count', ...page, date: day, count: i % 9, rating_sum: i % 40, created_at }
    yield {
      type: 'ranking',
      ...subject,
      phrase: `phrase ${i % 40}`,
      search_engine: 'Google',
      locale: 'en-us',
      ranked_at: `${day} 0${i % 10}:00:00`,
      rank: (i % 100) + 1,
    }
  }
}

function takeAll(place: Place) {
  return marquee(place, 'import --partner 1 --create-missing --last-wins', fileOf(place))
}

/** Whether it was still at work. */
async function killed(place: Place, afterMilliseconds: number): Promise<boolean> {
  const args = [launcher, 'import', '--partner', '1', '--create-missing', '--last-wins', fileOf(place)]
  const child = spawn(process.execPath, args, { env: { PATH: process.env.PATH ?? '', ...place.env }, stdio: 'ignore' })
  const closed = once(child, 'close')
  await Promise.race([closed, sleep(afterMilliseconds)])
  child.kill('SIGKILL')
  await closed
  return child.signalCode === 'SIGKILL'
}

/** What was first known only now was known at another second in the other import. */
async function contentOf(place: Place): Promise<string> {
  const { stdout, code } = await marquee(place, 'export')
  assert.equal(code, 0)
  return stdout.replace(/"created_at":"(?!2026-11-01T)[^"]*"/g, '"created_at":"now"')
}
