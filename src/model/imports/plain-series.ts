/** Which device and location of a table's ranks are stored as those without: told, remembered from what was stored first, or the one of the file, else desktop. */

import type { Kysely } from 'kysely'
import type { Tables } from '../../store/rows/tables.ts'
import { series, sourceText } from '../../store/series.ts'
import { parts } from './batches.ts'
import type { PlainWish } from './import-line.ts'
import type { SiteRef } from './refs.ts'
import type { Sources } from './sources.ts'

/** The ranks of one site on one engine and locale. */
interface Ranks {
  readonly site: SiteRef
  readonly engine: string
  readonly locale: string
  readonly wish: PlainWish
  readonly members: Map<string, Member>
  /** What is stored as the plain series, once it is settled. */
  plain?: Place
}

interface Place {
  readonly device: string
  readonly location: string
}

interface Member extends Place {
  /** The place of its source. */
  readonly index: number
}

const mostNotices = 20

export class PlainSeries {
  readonly #sources: Sources
  readonly #all = new Map<string, Ranks>()
  /** What to tell: what is stored otherwise than it is called in the file. */
  notices: readonly string[] = []
  /** What is new to remember. */
  readonly #learnt: Ranks[] = []

  constructor(sources: Sources) {
    this.#sources = sources
  }

  /** The index of a source that is settled when the file is read; undefined if the account has no code left. */
  place(site: SiteRef, { search_engine, device, location, locale }: Readonly<Record<string, string>>, wish: PlainWish): number | undefined {
    const ranks = this.#ranksOf(site, search_engine as string, locale as string, wish)
    const place = { device: device ?? '', location: location ?? '' }
    const key = JSON.stringify(place)
    const known = ranks.members.get(key)?.index
    if (known !== undefined) return known
    const index = this.#sources.reserve(site.account_id, ranks.locale)
    if (index !== undefined) ranks.members.set(key, { ...place, index })
    return index
  }

  #ranksOf(site: SiteRef, engine: string, locale: string, wish: PlainWish): Ranks {
    const key = JSON.stringify([site.index, engine, locale])
    const ranks = this.#all.get(key) ?? { site, engine, locale, wish, members: new Map() }
    this.#all.set(key, ranks)
    return ranks
  }

  async settle(db: Kysely<Tables>): Promise<void> {
    const remembered = await this.#remembered(db)
    const notices = new Set<string>()
    for (const ranks of this.#all.values()) {
      const before = remembered.get(keyOf({ ...ranks, site_id: ranks.site.id }))
      const plain = plainOf(ranks, before)
      ranks.plain = plain
      if (before === undefined) this.#learnt.push(ranks)
      for (const { index, device, location } of ranks.members.values()) {
        const stored = { device: device === plain.device ? '' : device, location: location === plain.location ? '' : location }
        this.#sources.settle(index, sourceText(series.ranking, { search_engine: ranks.engine, ...stored }))
        for (const notice of noticesOf(ranks, { device, location }, stored)) if (notices.size < mostNotices) notices.add(notice)
      }
    }
    this.notices = [...notices]
  }

  async #remembered(db: Kysely<Tables>): Promise<Map<string, Place>> {
    const ids = [...new Set([...this.#all.values()].map(({ site }) => site.id))].filter((id) => id > 0)
    const found = new Map<string, Place>()
    for (const part of parts(ids)) {
      const rows = await db.selectFrom('plain_series').selectAll().where('site_id', 'in', part).execute()
      for (const row of rows) found.set(keyOf(row), row)
    }
    return found
  }

  /** The rows that say for later files what is plain; call it when all sites have their ids. */
  rows(intake_id: number) {
    return this.#learnt.map(({ site, engine, locale, plain }) => {
      const { device, location } = plain as Place
      return { site_id: site.id, account_id: site.account_id, engine, locale, device, location, intake_id }
    })
  }
}

function keyOf({ site_id, engine, locale }: { site_id: number; engine: string; locale: string }): string {
  return JSON.stringify([site_id, engine, locale])
}

/** Where the file has ranks without a device too, those are the plain ones, and no other is stored as them. */
function plainOf({ wish, members }: Ranks, before: Place | undefined): Place {
  const one = (names: readonly string[], otherwise: string) => (names.length === 1 ? (names[0] as string) : otherwise)
  const [devices, locations] = [distinct(members, 'device'), distinct(members, 'location')]
  return {
    device: devices.includes('') ? (wish.device ?? '') : wish.isNamed ? '' : (wish.device ?? before?.device ?? one(devices, 'desktop')),
    location: locations.includes('')
      ? (wish.location ?? '')
      : wish.isNamed
        ? ''
        : (wish.location ?? before?.location ?? one(locations, '')),
  }
}

function distinct(members: Ranks['members'], of: keyof Place): string[] {
  return [...new Set([...members.values()].map((member) => member[of]))]
}

function noticesOf({ engine, locale, members, plain, wish }: Ranks, found: Place, stored: Place): string[] {
  const where = `${engine} ${locale}`
  const isOther = distinct(members, 'device').length === 1 && found.device !== '' && stored.device !== '' && wish.isNamed !== true
  return [
    ...(found.device === stored.device
      ? []
      : [`Ranks on ${found.device} (${where}) are stored as those without a device; --devices stores every device by name.`]),
    ...(found.location === stored.location
      ? []
      : [`Ranks from ${found.location} (${where}) are stored as those without a location; --devices stores every location by name.`]),
    ...(isOther
      ? [
          `Ranks on ${found.device} (${where}) are a series of their own${plain?.device ? `: those without a device are of ${plain.device}` : ''}.`,
        ]
      : []),
  ]
}
