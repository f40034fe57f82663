/** R2: the power goes at any moment; what was acknowledged by then is there, and the database is whole. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import Database from 'better-sqlite3'
import { clientOf, xml } from './support/client.ts'
import type { Goal } from './support/goal.ts'
import { type Credentials, makePartner } from './support/prepare.ts'
import { startHard } from './support/process.ts'
import { type Chance, chanceFrom } from './support/random.ts'
import { need } from './support/tools.ts'
import { type Event, readTrace, tracer } from './support/trace.ts'
import { inFolder } from './support/tree.ts'

interface Size {
  readonly writes: number
  readonly cuts: number
}

const sector = 512

export const powerCut: Goal<Size> = {
  id: 'R2',
  says: 'a power cut at any point: no acknowledged write is lost, nothing is corrupt',
  short: { writes: 150, cuts: 60 },
  long: { writes: 1_500, cuts: 2_000 },
  forMutants: { writes: 120, cuts: 60 },
  run: (tree, { writes, cuts }) =>
    inFolder(async (folder) => {
      need('strace', 'strace')
      const chance = chanceFrom()
      const [data, base, replay] = ['data', 'base', 'replay'].map((name) => join(folder, name)) as [string, string, string]
      const partner = await makePartner({ DATA_DIR: data }, 'Acme')
      mkdirSync(base)
      copyFileSync(join(data, 'marquee.db'), join(base, 'marquee.db'))
      const events = await record(tree, folder, data, partner, writes)
      const found = replayCuts(events, base, replay, cuts, chance)
      return { figures: { seed: chance.seed, writes, cuts, ...countsOf(events), ...found.figures }, faults: found.faults }
    }),
  mutants: [
    { says: 'synchronous=NORMAL', file: 'src/store/sqlite/connection.ts', from: "synchronous: 'full'", to: "synchronous: 'normal'" },
  ],
}

/** Four clients write under the tracer until the service is killed; the log says what reached the files, and what the clients heard. */
async function record(tree: string, folder: string, data: string, partner: Credentials, writes: number): Promise<Event[]> {
  const log = join(folder, 'trace')
  const service = await startHard(tree, { env: { DATA_DIR: data, LOG_LEVEL: 'silent' }, under: tracer(log), seconds: 60 })
  const client = clientOf(service.url, partner.authorization, 4)
  let serial = 0
  const writer = async () => {
    while (serial < writes) {
      serial += 1
      const body = `<business><name>cut-${serial}-</name></business>`
      await client.ask('/api/businesses.xml', { method: 'POST', headers: { ...xml, 'idempotency-key': `cut-${serial}` }, body })
    }
  }
  await Promise.all([writer(), writer(), writer(), writer()])
  client.close()
  await service.kill()
  return readTrace(log, (file) => file.startsWith(data) && /marquee\.db(-wal|-journal)?$/.test(file))
}

function countsOf(events: readonly Event[]) {
  const of = (kind: Event['kind']) => events.filter((event) => event.kind === kind).length
  return {
    file_writes: of('write'),
    syncs: of('sync'),
    checkpoints: events.filter((event) => event.kind === 'sync' && event.file.endsWith('.db')).length,
  }
}

interface Found {
  readonly figures: { lost_cuts: number; corrupt_cuts: number; acknowledged: number }
  readonly faults: string[]
}

function replayCuts(events: readonly Event[], base: string, replay: string, cuts: number, chance: Chance): Found {
  const figures = { lost_cuts: 0, corrupt_cuts: 0, acknowledged: 0 }
  const faults: string[] = []
  const first = events.findIndex((event) => event.kind === 'sent')
  const points = Array.from({ length: cuts }, () => first + chance.whole(events.length - first)).sort((a, b) => a - b)
  const disk = diskFrom(base)
  let done = 0
  for (const point of points) {
    for (; done <= point; done += 1) disk.take(events[done] as Event)
    const verdict = judge(disk, replay, chance)
    if (verdict.damage !== null) figures.corrupt_cuts += 1
    if (verdict.lost > 0) figures.lost_cuts += 1
    if (verdict.damage !== null || verdict.lost > 0)
      faults.push(`cut after event ${point}: ${verdict.damage ?? `${verdict.lost} acknowledged writes are gone`}`)
  }
  figures.acknowledged = disk.acknowledged.size
  if (disk.acknowledged.size === 0) faults.push('nothing was acknowledged in the trace: the goal measured nothing')
  return { figures, faults }
}

interface Disk {
  take(event: Event): void
  readonly acknowledged: Set<string>
  /** What a sync has put on the disk, by file. */
  readonly durable: Map<string, Uint8Array>
  /** What may or may not have reached it since. */
  readonly pending: Map<string, Event[]>
}

function diskFrom(base: string): Disk {
  const durable = new Map<string, Uint8Array>([['marquee.db', readFileSync(join(base, 'marquee.db'))]])
  const pending = new Map<string, Event[]>()
  const acknowledged = new Set<string>()
  return {
    durable,
    pending,
    acknowledged,
    take(event) {
      if (event.kind === 'sent') {
        if (event.text.startsWith('HTTP/1.1 201')) for (const [name] of event.text.matchAll(/cut-\d+-/g)) acknowledged.add(name)
        return
      }
      const file = basename(event.file)
      const waiting = pending.get(file) ?? []
      if (event.kind !== 'sync') {
        waiting.push(event)
        pending.set(file, waiting)
        return
      }
      durable.set(file, applied(durable.get(file) ?? Buffer.alloc(0), waiting))
      pending.set(file, [])
    },
  }
}

/** The content of a file after these events, in their order. */
function applied(content: Uint8Array, events: readonly Event[]): Buffer {
  const ends = events.map((event) => (event.kind === 'write' ? event.at + event.data.length : event.kind === 'truncate' ? event.length : 0))
  const image = Buffer.alloc(Math.max(content.length, ...ends))
  image.set(content)
  let length = content.length
  for (const event of events) {
    if (event.kind === 'write') {
      image.set(event.data, event.at)
      length = Math.max(length, event.at + event.data.length)
    } else if (event.kind === 'truncate') {
      image.fill(0, event.length)
      length = event.length
    }
  }
  return image.subarray(0, length)
}

/** Every second time only what was synced is there; else also any part of the rest, torn at sectors. */
function judge({ durable, pending, acknowledged }: Disk, replay: string, chance: Chance): { damage: string | null; lost: number } {
  rmSync(replay, { recursive: true, force: true })
  mkdirSync(replay)
  const isStrict = chance.next() < 0.5
  for (const file of new Set([...durable.keys(), ...pending.keys()])) {
    const later = isStrict ? [] : (pending.get(file) ?? []).flatMap((event) => torn(event, chance))
    writeFileSync(join(replay, file), applied(durable.get(file) ?? Buffer.alloc(0), later))
  }
  return open(join(replay, 'marquee.db'), acknowledged)
}

function torn(event: Event, chance: Chance): Event[] {
  if (chance.next() < 0.3) return []
  if (event.kind !== 'write' || chance.next() < 0.5) return [event]
  const pieces: Event[] = []
  for (let start = 0; start < event.data.length; start += sector) {
    if (chance.next() < 0.7) pieces.push({ ...event, at: event.at + start, data: event.data.subarray(start, start + sector) })
  }
  return pieces
}

function open(file: string, acknowledged: ReadonlySet<string>): { damage: string | null; lost: number } {
  if (!existsSync(file)) return { damage: 'there is no database', lost: acknowledged.size }
  const database = new Database(file)
  try {
    const found = database.pragma('integrity_check', { simple: true })
    const names = new Set((database.prepare('select name from businesses').all() as { name: string }[]).map(({ name }) => name))
    return { damage: found === 'ok' ? null : String(found), lost: [...acknowledged].filter((name) => !names.has(name)).length }
  } catch (error) {
    return { damage: String(error), lost: 0 }
  } finally {
    database.close()
  }
}
