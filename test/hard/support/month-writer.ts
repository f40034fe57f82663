/** Writes rankings of a month into one account, changes them, takes them back and deletes keywords, and knows what a report must say after each of it. */
import assert from 'node:assert/strict'
import { readNdjson } from '../../../src/model/imports/formats.ts'
import { importObservations } from '../../../src/model/imports/import.ts'
import { undoIntake } from '../../../src/model/intakes/undo.ts'
import { bytesOf } from '../../support/data.ts'
import type { CitusAccount, CitusWorld } from './citus-world.ts'
import type { Chance } from './random.ts'

export interface MonthWriter {
  readonly account: CitusAccount
  readonly counts: { changes: number; undone: number; keywords_deleted: number; reads: number; longest_milliseconds: number }
  /** One ranking of every keyword on that day, or of so many. */
  fill(day: string, count?: number): Promise<void>
  work(isOver: () => boolean): Promise<void>
  /** Compares every row of the account's report. */
  check(): Promise<void>
  /** What was before that day is gone. */
  forget(before: string): void
}

interface Entry {
  readonly phrase: string
  readonly day: string
  readonly rank: number
}

const entriesAtOnce = 20

export function monthWriter({ service, acme }: CitusWorld, account: CitusAccount, keywords: number, chance: Chance): MonthWriter {
  const truth = new Map<string, number>()
  const counts = { changes: 0, undone: 0, keywords_deleted: 0, reads: 0, longest_milliseconds: 0 }
  let fresh = 0

  const store = async (entries: readonly Entry[]) => {
    const lines = entries.map(({ phrase, day, rank }) => ({
      type: 'ranking',
      site: account.domain,
      phrase,
      ...fixed,
      ranked_at: `${day} 04:05:06`,
      rank,
    }))
    const target = { partnerId: acme.id, accountId: account.id }
    const { intakeId = 0, refused } = await importObservations(service.operator, target, readNdjson(bytesOf(lines)), {
      createMissing: true,
    })
    assert.equal(refused, 0)
    return intakeId
  }
  const remember = (entries: readonly Entry[]) => {
    for (const { phrase, day, rank } of entries) truth.set(`${phrase} ${day}`, rank)
  }
  const undo = async (intakeId: number) => {
    assert.equal((await undoIntake(service.operator, intakeId, { isDespiteLater: true })).left, 0, 'all is taken back')
    counts.undone += 1
  }
  const some = () => Array.from({ length: entriesAtOnce }, () => entryOf(`word ${chance.whole(keywords)}`, chance))
  const newWord = () => {
    fresh += 1
    return [entryOf(`fresh ${fresh}`, chance)]
  }

  const deeds = {
    async change() {
      const entries = latestOf(some())
      await store(entries)
      remember(entries)
      counts.changes += 1
    },
    regret: async () => undo(await store(latestOf(some()))),
    regretKeyword: async () => undo(await store(newWord())),
    async deleteKeyword() {
      await store(newWord())
      const { id } = await service.app.store.db
        .selectFrom('keywords')
        .select('id')
        .where('account_id', '=', account.id)
        .where('phrase', '=', `fresh ${fresh}`)
        .executeTakeFirstOrThrow()
      assert.equal((await acme.ask('DELETE', `/api/sites/${account.siteId}/keywords/${id}.json`)).status, 200)
      counts.keywords_deleted += 1
    },
    check,
  }

  async function check(): Promise<void> {
    const { status, text } = await acme.get(`/api/seo_report.csv?account_id=${account.id}&table=rankings`)
    assert.equal(status, 200)
    assert.deepEqual(rowsOf(text), [...truth].map(([key, rank]) => `${key} ${rank}`).toSorted(), `account ${account.id}`)
    counts.reads += 1
  }

  return {
    account,
    counts,
    check,
    async fill(day, count = keywords) {
      const entries = Array.from({ length: count }, (_, keyword) => ({ phrase: `word ${keyword}`, day, rank: 1 + (keyword % 90) }))
      await store(entries)
      remember(entries)
    },
    async work(isOver) {
      while (!isOver()) {
        const since = performance.now()
        await deeds[chance.pick(Object.keys(deeds) as (keyof typeof deeds)[])]()
        counts.longest_milliseconds = Math.max(counts.longest_milliseconds, Math.round(performance.now() - since))
      }
    },
    forget(before) {
      for (const key of truth.keys()) if (key.slice(-10) < before) truth.delete(key)
    },
  }
}

const fixed = { search_engine: 'Google', locale: 'en-us' }

function entryOf(phrase: string, chance: Chance): Entry {
  return { phrase, day: `2026-09-${String(1 + chance.whole(28)).padStart(2, '0')}`, rank: 1 + chance.whole(100) }
}

/** One import says each ranking once. */
function latestOf(entries: readonly Entry[]): readonly Entry[] {
  return [...new Map(entries.map((entry) => [`${entry.phrase} ${entry.day}`, entry])).values()]
}

/** `phrase day rank` of every line, sorted. */
function rowsOf(csv: string): readonly string[] {
  const [header = '', ...lines] = csv.replace('\ufeff', '').trim().split(/\r?\n/)
  const names = header.split(',')
  const [phrase, time, rank] = ['phrase', 'ranked_at', 'rank'].map((name) => names.indexOf(name)) as [number, number, number]
  return lines
    .map((line) => line.split(','))
    .map((cells) => `${cells[phrase]} ${cells[time]?.slice(0, 10)} ${cells[rank]}`)
    .toSorted()
}
