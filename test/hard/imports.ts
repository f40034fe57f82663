/** The long forms of imports: `npm run hard:imports -- undo | lines | upload | archive | workbook`; no name means all. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { build } from '../../scripts/build.ts'
import { operatorOn } from '../../src/cli/command.ts'
import { readSettings } from '../../src/config.ts'
import { openApp } from '../../src/model/core/app.ts'
import { createAccount } from '../../src/model/partners/accounts.ts'
import { issueKey, keyScopes } from '../../src/model/partners/keys/keys.ts'
import { createPartner, setPartner } from '../../src/model/partners/partners.ts'
import { open, type Reader, readWhole } from '../support/downloads.ts'
import { engineNames, freshPlace, type Place } from '../support/engines.ts'
import { startPostgres } from '../support/postgres.ts'
import { basic } from '../support/service.ts'
import { inPieces, mixedLines, rankingLines } from './support/import-lines.ts'
import { largeArchive, largeWorkbook } from './support/large-files.ts'

const root = join(import.meta.dirname, '..', '..')
/** As it is installed: the sources of a checkout would be compiled by each thread, in memory that no operator sees. */
const program = installed()
/** How often memory is looked at; the system keeps the peak, so that none is missed but of the last moment. */
const lookMilliseconds = 50
/** A service collects the garbage of its start when it has been idle for ten seconds. */
const restMilliseconds = 15_000
/** `UPLOAD_MIB=100` sends less, to look for what holds memory. */
const uploadBytes = Number(process.env.UPLOAD_MIB ?? 1024) * 2 ** 20
/** What an archive holds besides its files. */
const archiveOverhead = 1 << 16

const forms = {
  /** A million lines of every kind over a hundred thousand that are there; then every report and the export are what they were. */
  undo: () =>
    onBoth(async (place) => {
      const { partnerId, accounts, credentials } = await home(place)
      await importLines(place, partnerId, mixedLines(100_000, accounts, 0))
      const service = await serve(place)
      const reader = { url: service.url, credentials }
      const before = await everything(place, reader, accounts)
      const imported = await importLines(place, partnerId, mixedLines(1_000_000, accounts, 1))
      const between = await everything(place, reader, accounts)
      for (const [name, { digest }] of Object.entries(before)) assert.notEqual(between[name]?.digest, digest, `${name} did not change`)
      const undone = await run(place, ['intake', 'undo', String(imported.answer.import.intake), '--json'])
      assert.deepEqual(await everything(place, reader, accounts), before)
      await service.stop()
      const { undo } = undone.answer as { undo: { undone: number; left: number } }
      assert.equal(undo.left, 0)
      const bytes = Object.values(before).reduce((sum, { bytes: some }) => sum + some, 0)
      return {
        lines: imported.answer.import.lines,
        undone: undo.undone,
        compared: Object.keys(before).length,
        megabytes_compared: Math.round(bytes / 1e6),
        import_seconds: imported.seconds,
        undo_seconds: undone.seconds,
        undo_megabytes: undone.megabytes,
        is_byte_equal: true,
      }
    }),

  lines: () =>
    onBoth(async (place) => {
      const { partnerId } = await home(place)
      const { answer, seconds, megabytes } = await importLines(place, partnerId, rankingLines(10_000_000))
      assert.equal(answer.import.lines, 10_000_000)
      if (megabytes >= 300) process.exitCode = 1
      return { lines: answer.import.lines, seconds, peak_megabytes: megabytes, goal: 'under 300' }
    }),

  upload: () => uploadForm(() => Readable.from(upTo(uploadBytes, inPieces(rankingLines(10_000_000)))), 'application/x-ndjson', 100),

  archive: () => uploadForm(() => largeArchive(uploadBytes - archiveOverhead), 'application/zip', 150),

  /** About 50 MB; a sheet cannot have more rows. */
  workbook: () => uploadForm(largeWorkbook, 'application/zip', 150),
}

/** From the first byte that is sent until the last record is stored. */
function uploadForm(file: () => Readable, type: string, most: number) {
  return onBoth(async (place) => {
    const { credentials } = await home(place)
    const service = await serve(place)
    const reader = { url: service.url, credentials }
    await readWhole(await open(reader, '/api/accounts.json'))
    await sleep(restMilliseconds)
    const idle = memory(service.pid, 'VmRSS')
    forgetPeak(service.pid)
    const startedAt = performance.now()
    const { id, bytes } = await upload(reader, file(), type)
    const received = memory(service.pid, 'VmHWM')
    const lines = await untilStored(reader, id)
    const peak = memory(service.pid, 'VmHWM')
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    await service.stop()
    const above = { above_idle_while_received: received - idle, above_idle: peak - idle }
    if (peak - idle > most) process.exitCode = 1
    return { megabytes_sent: Math.round(bytes / 1e6), lines, seconds, idle_megabytes: idle, ...above, goal: `at most ${most}` }
  })
}

function installed(): string {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-installed-'))
  build(join(folder, 'dist'))
  for (const name of ['bin', 'package.json']) cpSync(join(root, name), join(folder, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  process.on('exit', () => rmSync(folder, { recursive: true }))
  return join(folder, 'bin', 'marquee.js')
}

async function main(): Promise<void> {
  const named = process.argv.slice(2)
  for (const [name, form] of Object.entries(forms)) {
    if (named.length === 0 || named.includes(name)) console.log(name, JSON.stringify(await form()))
  }
}

async function onBoth<T>(form: (place: Place) => Promise<T>): Promise<Record<string, T>> {
  const postgres = await startPostgres()
  process.env.TEST_POSTGRES_URL = postgres.url
  const results: Record<string, T> = {}
  try {
    for (const engine of engineNames) {
      const place = await freshPlace(engine)
      results[engine] = await form(place).finally(place.remove)
    }
    return results
  } finally {
    await postgres.stop()
  }
}

/** A partner with two accounts and a key that may do everything. */
async function home({ env }: Place) {
  const app = await openApp(readSettings(env))
  const operator = operatorOn(app)
  const { partner, account } = await createPartner(operator, 'Acme')
  await setPartner(operator, partner.id, { reads_per_minute: 0, writes_per_minute: 0 })
  const second = await createAccount(operator, partner.id, 'Second')
  const { key, password } = await issueKey(operator, partner.id, { scopes: keyScopes })
  await app.close()
  return { partnerId: partner.id, accounts: [account.id, second.id], credentials: `${key}:${password}` }
}

interface Run<A> {
  readonly answer: A
  readonly seconds: number
  /** The most it ever held. */
  readonly megabytes: number
}

function importLines(place: Place, partnerId: number, lines: Iterable<object>) {
  const words = ['import', '-', '--partner', String(partnerId), '--create-missing', '--counts-are-daily', '--json']
  return run<{ import: { lines: number; intake: number } }>(place, words, inPieces(lines))
}

async function run<A = unknown>(place: Place, words: readonly string[], input: Iterable<string> = []): Promise<Run<A>> {
  const child = spawn(process.execPath, [program, ...words], { env: { PATH: process.env.PATH ?? '', ...place.env } })
  const startedAt = performance.now()
  let megabytes = 0
  const timer = setInterval(() => {
    megabytes = Math.max(megabytes, memory(child.pid as number, 'VmHWM'))
  }, lookMilliseconds)
  const printed = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  await pipeline(Readable.from(input), child.stdin)
  const [stdout, stderr, [code]] = await printed
  clearInterval(timer)
  assert.equal(code, 0, stderr)
  return { answer: JSON.parse(stdout) as A, seconds: Math.round((performance.now() - startedAt) / 1000), megabytes }
}

async function serve(place: Place) {
  const settings = { PATH: process.env.PATH ?? '', PORT: '0', MARQUEE_ADMIN_PORT: '0', LOG_LEVEL: 'error', ...place.env }
  const child = spawn(process.execPath, [program, 'serve'], { env: settings, stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    printed += chunk
    if (/listens on \S+\n/.test(printed)) break
  }
  child.stdout.resume()
  const stop = async () => {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  return { url: /listens on ([^\s"]+)/.exec(printed)?.[1] ?? '', pid: child.pid as number, stop }
}

const reports = [
  'seo_report.xml',
  'seo_report.json',
  ...['metrics', 'rankings', 'backlinks'].map((table) => `seo_report.csv?table=${table}`),
]
const ofAccount = ['detail.xml', 'counts.json', 'detail.csv', 'counts.csv']

/** Each report and the export, by their digests and lengths. */
async function everything(place: Place, reader: Reader, accounts: readonly number[]) {
  const paths = [...reports, ...accounts.flatMap((id) => ofAccount.map((name) => `accounts/${id}/reputation_report/${name}`))]
  const found: Record<string, { digest: string; bytes: number }> = {}
  for (const path of paths) {
    const response = await open(reader, `/api/${path}`)
    assert.equal(response.statusCode, 200, path)
    found[path] = await readWhole(response)
  }
  found['export'] = await exported(place)
  return found
}

async function exported(place: Place): Promise<{ digest: string; bytes: number }> {
  const child = spawn(process.execPath, [program, 'export'], {
    env: { PATH: process.env.PATH ?? '', ...place.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { digest: hash.digest('hex'), bytes }
}

async function upload({ url, credentials }: Reader, file: Readable, type: string): Promise<{ id: number; bytes: number }> {
  const headers = { authorization: basic(credentials), 'content-type': type }
  const sent = request(`${url}/api/intakes.json?create_missing=1`, { method: 'POST', headers })
  const answered = once(sent, 'response')
  let bytes = 0
  file.on('data', (chunk: Buffer | string) => {
    bytes += chunk.length
  })
  await pipeline(file, sent)
  const [response] = await answered
  const answer = await text(response)
  assert.equal(response.statusCode, 202, answer)
  return { id: JSON.parse(answer).intake.id, bytes }
}

/** The last piece ends with a line, and blanks fill what is left. */
function* upTo(bytes: number, pieces: Iterable<string>): Generator<string> {
  let left = bytes
  for (const piece of pieces) {
    if (piece.length > left) break
    left -= piece.length
    yield piece
  }
  yield '\n'.repeat(left)
}

async function untilStored(reader: Reader, id: number): Promise<number> {
  for (;;) {
    const { intake } = JSON.parse(await text(await open(reader, `/api/intakes/${id}.json`)))
    if (intake.state === 'stored') return intake.lines
    assert.ok(['waiting', 'checking', 'storing'].includes(intake.state), JSON.stringify(intake))
    await sleep(500)
  }
}

/** In megabytes; 0 when the process is gone. */
function memory(pid: number, name: 'VmRSS' | 'VmHWM'): number {
  const status = `/proc/${pid}/status`
  const [, kilobytes = '0'] = existsSync(status) ? (new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(status, 'utf8')) ?? []) : []
  return Math.round((Number(kilobytes) * 1024) / 1e6)
}

/** From now on the peak is that of what follows. */
function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

await main()
