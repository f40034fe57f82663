/** Whatever came in, was changed and was undone, in whatever order: stored is what the deliveries that are not undone say, over what was there before. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forgetIntakes } from '../../../src/model/intakes/intakes.ts'
import { previewUndo } from '../../../src/model/intakes/preview.ts'
import { undoIntake } from '../../../src/model/intakes/undo.ts'
import { addReviewPages } from '../../../src/model/partners/review-pages.ts'
import { addCompetitors, addKeywords, deleteKeyword, tagKeywords } from '../../../src/model/partners/site-contents.ts'
import { deleteSite } from '../../../src/model/partners/site-removal.ts'
import { exported, importLines, worldAt } from '../../support/data.ts'
import { type EngineName, onEachEngine } from '../../support/engines.ts'
import { type Fields, type Happening, isStored, keptSites, shouldBeStored } from '../../support/undo-oracle.ts'

/** A hundred in all; the long form tells how many on each engine. */
const worldsOf: Readonly<Record<EngineName, number>> = {
  sqlite: Number(process.env.UNDO_WORLDS ?? 90),
  postgres: Number(process.env.UNDO_WORLDS ?? 10),
}
const isLong = process.env.UNDO_WORLDS !== undefined
const firstSeed = Number(process.env.UNDO_SEED ?? 1)
/** Most faults show in short histories, which are cheap; every thirtieth is a long one, in which all is also tried before it is done. */
const isThorough = (seed: number) => isLong || seed % 30 === firstSeed % 30
const stepsOf = (seed: number) => (isThorough(seed) ? 14 : 3 + (seed % 3))

onEachEngine('undo in any order', (place) => {
  const world = worldAt(place)
  for (let seed = firstSeed; seed < firstSeed + worldsOf[place.engine]; seed += 1)
    test(`world ${seed}`, async () => {
      const draw = numbersFrom(seed)
      // The last one was there before anything came in.
      const sites = [`a${seed}.example`, `b${seed}.example`, ...(seed === firstSeed ? ['example.com'] : [])]
      const base = sites.slice(2)
      const happened: Happening[] = []
      const intakes = new Map<number, Happening & { what: 'delivery' }>()
      const told: string[] = []
      const same = async () => {
        const [is, should] = [isStored(await exported(world), new Set(sites)), shouldBeStored(happened, base)]
        assert.deepEqual(is, should, `seed ${seed}:\n${told.join('\n')}`)
      }
      const undo = async (id: number) => {
        told.push(`undo ${id}`)
        const tried = isThorough(seed) ? (await previewUndo(world.operator, id)).preview : undefined
        if (tried !== undefined) await same()
        const { undone, left, left_alone } = await undoIntake(world.operator, id)
        if (tried !== undefined)
          assert.deepEqual(
            [tried.goes, tried.stays, tried.staying],
            [undone, left, left_alone],
            `preview, seed ${seed}:\n${told.join('\n')}`,
          )
        Object.assign(intakes.get(id) ?? {}, { isUndone: true })
        intakes.delete(id)
        for (const site of keptSites(happened, base)) happened.push({ what: 'kept', site })
        await same()
      }
      for (let step = 0; step < stepsOf(seed); step += 1) {
        const chance = draw(12)
        if (chance < 6 || intakes.size === 0) {
          const lines = linesOf(draw, sites)
          const tried = isThorough(seed) ? await importLines(world, lines, { createMissing: true, isDryRun: true }) : undefined
          // A push that is stored as a whole comes in one transaction, in a thread that the watch over statements does not reach: here it allows one account only.
          const inOneTransaction = draw(3) === 0 && base.length === 0
          const { intakeId = 0, refused, faults, kinds } = await importLines(world, lines, { createMissing: true, inOneTransaction })
          if (tried !== undefined) assert.deepEqual(tried.kinds, kinds, JSON.stringify(lines))
          for (const { accepted, created, updated, unchanged } of Object.values(kinds))
            assert.equal(Math.min(accepted, created) + updated + unchanged, accepted)
          assert.equal(refused, 0, JSON.stringify(faults))
          told.push(`${intakeId} ${lines.map((line) => JSON.stringify(line)).join('\n   ')}`)
          const delivery = { what: 'delivery' as const, lines, isUndone: false }
          happened.push(delivery)
          intakes.set(intakeId, delivery)
        } else if (chance < 8) await undo([...intakes.keys()][draw(intakes.size)] ?? 0)
        else if (chance === 10) await add(draw, sites, happened, told)
        else if (chance === 11) {
          const id = [...intakes.keys()][draw(intakes.size)] ?? 0
          await forget(id)
          intakes.delete(id)
          told.push(`forget ${id}`)
        } else {
          const keyword = await anyKeyword(draw)
          if (keyword === undefined || !sites.includes(keyword.site)) continue
          const { id, site_id, site, phrase } = keyword
          if (chance === 8) {
            const tags = `t${draw(3)}`
            await tagKeywords(world.operator, site_id, new Map([[id, keyword.tags ?? '']]), tags)
            happened.push({ what: 'tags', site, phrase, tags })
          } else if (draw(4) === 0 && !base.includes(site)) {
            await deleteSite(world.operator, site_id)
            happened.push({ what: 'deletion', site })
          } else {
            await deleteKeyword(world.operator, site_id, id)
            happened.push({ what: 'deletion', site, phrase })
          }
          told.push(JSON.stringify(happened.at(-1)))
        }
      }
      await same()
      for (const id of shuffled(draw, [...intakes.keys()])) await undo(id)
    })

  /** As people do it, on a site that is there, whatever made that. */
  async function add(draw: Draw, domains: readonly string[], happened: Happening[], told: string[]): Promise<void> {
    const found = world.app.store.db.selectFrom('sites').select(['id', 'domain']).where('account_id', '=', world.accountId)
    const all = await found.where('domain', 'in', domains).orderBy('id').execute()
    const chosen = all[draw(Math.max(1, all.length))]
    if (chosen === undefined) return
    const { id, domain: site } = chosen
    const [phrase, domain, made] = [phraseOf(draw), `rival${draw(2)}.example`, page(draw)]
    const kind = draw(3)
    if (kind === 0) await addKeywords(world.operator, id, [{ phrase }])
    else if (kind === 1) await addCompetitors(world.operator, id, [{ domain }])
    else await addReviewPages(world.operator, id, [made])
    const line = [
      { type: 'keyword', site, phrase },
      { type: 'competitor', site, competitor: domain },
      { type: 'page', site, ...made },
    ][kind]
    if (line === undefined) return
    happened.push({ what: 'added', line })
    told.push(JSON.stringify(line))
  }

  /** What it delivered stays, and nobody can undo it any more. */
  async function forget(id: number): Promise<void> {
    const old = { created_at: '2020-01-01T00:00:00Z', ended_at: '2020-01-01T00:00:00Z' }
    await world.app.store.write((tx) => tx.updateTable('intakes').set(old).where('id', '=', id).execute())
    assert.equal(await forgetIntakes(world.app, '2021-01-01T00:00:00Z'), 1)
  }

  async function anyKeyword(draw: Draw) {
    const subjects = world.app.store.db.selectFrom('keywords').innerJoin('subjects', 'subjects.id', 'keywords.subject_id')
    const sites = subjects.innerJoin('sites', 'sites.id', 'subjects.site_id').where('subjects.domain', '=', '')
    const all = await sites.select(['keywords.id', 'site_id', 'sites.domain as site', 'phrase', 'tags']).orderBy('keywords.id').execute()
    return all.length === 0 ? undefined : all[draw(all.length)]
  }
})

/** A whole number below `most`. */
type Draw = (most: number) => number

function numbersFrom(seed: number): Draw {
  let state = seed
  return (most) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % most
  }
}

function shuffled<T>(draw: Draw, items: T[]): T[] {
  const rest = [...items]
  return items.map(() => rest.splice(draw(rest.length), 1)[0] as T)
}

type Kind = (draw: Draw, site: string) => Fields & { type: string; site: string }

const days = ['2026-09-30', '2026-10-01', '2026-10-02', '2026-11-01']
const dayOf = (draw: Draw) => days[draw(days.length)] as string
const phraseOf = (draw: Draw) => ['drains', 'pipes', 'roof'][draw(3)] as string
const engineOf = (draw: Draw) => ['Google', 'Bing'][draw(2)] as string
const page = (draw: Draw) => ({ source: 'google', page_url: `https://maps.example/${draw(2)}` })

// biome-ignore format: a table reads by its columns
const kindsOfLines: readonly Kind[] = [
  ...Array<Kind>(4).fill((draw, site) => ({ type: 'ranking', site, phrase: phraseOf(draw), search_engine: engineOf(draw), locale: 'en-us', ranked_at: `${dayOf(draw)} 00:00:00`, rank: 1 + draw(2), ...(draw(2) === 0 && { url: [null, 'https://x.example/1', 'https://x.example/2'][draw(3)] }) })),
  (draw, site) => ({ type: 'click_count', site, phrase: phraseOf(draw), search_engine: engineOf(draw), date: dayOf(draw), clicks: 1 + draw(2), impressions: 9 }),
  (draw, site) => ({ type: 'keyword', site, phrase: phraseOf(draw), ...(draw(2) === 0 && { search_volume: 10 * draw(3) }), ...(draw(3) === 0 && { tags: `t${draw(3)}` }) }),
  (draw, site) => ({ type: 'period', site, phrase: phraseOf(draw), search_engine: 'Google', start_date: '2026-10-01', end_date: '2026-10-07', ...(draw(2) === 0 ? { clicks: draw(2) } : { impressions: draw(2) }) }),
  (draw, site) => ({ type: 'average_position', site, phrase: phraseOf(draw), search_engine: 'Google', date: dayOf(draw), average_position: 1.5 + draw(2) }),
  (draw, site) => ({ type: 'review', site, ...page(draw), ref: `r${draw(2)}`, rating: 1 + draw(2), date: '2026-10-01', ...(draw(2) === 0 && { detail: `d${draw(2)}` }), ...(draw(2) === 0 && { user: `u${draw(2)}` }) }),
  (draw, site) => ({ type: 'review_count', site, ...page(draw), date: dayOf(draw), count: 1 + draw(2), rating_sum: 4 }),
  (draw, site) => ({ type: 'page', site, ...page(draw), ...(draw(2) === 0 && { match_confidence: 50 + draw(2) }) }),
  (draw, site) => ({ type: 'snapshot', site, day: dayOf(draw), ...(draw(2) === 0 ? { backlink_count: draw(2) } : { domain_age: draw(2) }) }),
  (draw, site) => ({ type: 'own_figure', site, figure: `f${draw(2)}`, date: dayOf(draw), value: draw(2) }),
  (draw, site) => ({ type: 'location', site, ...(draw(2) === 0 && { twitter_page: `https://t.example/${draw(2)}` }) }),
  (draw, site) => ({ type: 'competitor', site, competitor: `rival${draw(2)}.example` }),
  (_draw, site) => ({ type: 'site', site }),
]

function linesOf(draw: Draw, sites: readonly string[]) {
  const made = Array.from({ length: 1 + draw(6) }, () =>
    (kindsOfLines[draw(kindsOfLines.length)] as Kind)(draw, sites[draw(sites.length)] as string),
  )
  return made
}
