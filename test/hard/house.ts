/** `node test/hard/house.ts [FOLDER]`: how large the house is, in this tree or in another: lines, slices, circles, and the files that a warm request touches. */
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { importsOf, isGenerated } from '../guards/rules.ts'
import type { Source } from '../support/sources.ts'
import { basic, newPartner } from './support/prepare.ts'
import { ownTree } from './support/tree.ts'

const sliceCalls = /(?<!function\*? )\b(endOfSlice|afterSlice|atEndOfTurn|otherWork|encodeInSlices|inSlices|changeInSlices|\w+InSlices)\(/g

const tree = resolve(process.argv[2] ?? ownTree)
console.log(JSON.stringify({ ...sourceFigures(), ...(await filesOfRequests()) }, null, 2))

function sourceFigures() {
  const sources = globSync('src/**/*.ts', { cwd: tree }).map((path): Source => ({ path, text: readFileSync(join(tree, path), 'utf8') }))
  const own = sources.filter((source) => !isGenerated(source))
  const sliced = own.map(({ text }) => text.match(sliceCalls)?.length ?? 0).filter((calls) => calls > 0)
  return {
    files: own.length,
    hand_written_lines: Object.fromEntries(Object.entries(linesByKind(own)).toSorted(([, a], [, b]) => b - a)),
    slice_calls: sliced.reduce((sum, calls) => sum + calls, 0),
    slice_files: sliced.length,
    circles_with_types: circlesIn(own).map((circle) => circle.length),
  }
}

function linesByKind(sources: readonly Source[]): Record<string, number> {
  const counts: Record<string, number> = {}
  const add = (kind: string) => (counts[kind] = (counts[kind] ?? 0) + 1)
  for (const { text } of sources) {
    let isImport = false
    for (const line of text.trimEnd().split('\n')) {
      isImport ||= /^import /.test(line)
      add(isImport ? 'imports' : line.trim() === '' ? 'blank' : /^\s*(\/\/|\/?\*)/.test(line) ? 'comments' : 'code')
      if (/from '|^import '/.test(line)) isImport = false
      add('all')
    }
  }
  return counts
}

/** Files that reach each other. */
function circlesIn(sources: readonly Source[]): string[][] {
  const graph = new Map(sources.map(({ path, text }) => [path, importsOf(path, text)]))
  const reached = new Map([...graph.keys()].map((path) => [path, reachedFrom(graph, path)]))
  const circles = [...graph.keys()].map((path) =>
    [...graph.keys()].filter((other) => reached.get(path)?.has(other) && reached.get(other)?.has(path)),
  )
  return [...new Map(circles.filter((circle) => circle.length > 1).map((circle) => [circle.join(), circle])).values()]
}

function reachedFrom(graph: ReadonlyMap<string, readonly string[]>, from: string, seen = new Set<string>()): Set<string> {
  for (const next of graph.get(from) ?? []) if (!seen.has(next)) reachedFrom(graph, next, seen.add(next))
  return seen
}

/** The files of which a function runs while the second of two equal requests is answered. */
async function filesOfRequests(): Promise<Record<string, number>> {
  const folder = mkdtempSync(join(tmpdir(), 'house-'))
  const { startService } = await import(join(tree, 'src/service.ts'))
  const { readSettings } = await import(join(tree, 'src/config.ts'))
  const { openLog } = await import(join(tree, 'src/lib/log.ts'))
  const env = { DATA_DIR: folder, PORT: '0', MARQUEE_ADMIN_PORT: '0', BASE_URL: 'http://marquee.test' }
  const { openApp } = await import(join(tree, 'src/model/core/app.ts'))
  await (await openApp(readSettings(env), { schema: 'bring up' })).close()
  const service = await startService(readSettings(env), openLog('silent'))
  const { accountId, key, password } = await newPartner({ kind: 'operator', app: service.app, requestId: 'house' }, 'Acme')
  const cookie = await ownersCookie(service.app, accountId)
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  const headers = { authorization: basic(key, password), 'content-type': 'application/json' }
  const user = (n: number) =>
    JSON.stringify({ user: { login: `user-${n}`, email: `u${n}@people.example`, password: 'correct horse', account_id: accountId } })
  const asked: readonly (readonly [string, (n: number) => RequestInit & { readonly path: string }])[] = [
    ['files_of_a_new_user', (n) => ({ path: '/api/users.json', method: 'POST', headers, body: user(n) })],
    ['files_of_a_report', () => ({ path: '/api/seo_report.xml', headers })],
    ['files_of_a_page', () => ({ path: '/', headers: { cookie } })],
  ]
  const figures: Record<string, number> = {}
  for (const [name, question] of asked) {
    const ask = async (n: number) => {
      const { path, ...init } = question(n)
      const answer = await fetch(service.url + path, { ...init, redirect: 'manual' })
      await answer.arrayBuffer()
      if (answer.status > 201) throw new Error(`${path} answered ${answer.status}`)
    }
    await ask(1)
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    await session.post('Profiler.takePreciseCoverage')
    await ask(2)
    const { result } = await session.post('Profiler.takePreciseCoverage')
    const run = result.filter(
      ({ url, functions }) => url.includes('/src/') && functions.some(({ ranges: [range] }) => (range?.count ?? 0) > 0),
    )
    figures[name] = new Set(run.map(({ url }) => url)).size
  }
  await service.stop()
  rmSync(folder, { recursive: true })
  return figures
}

async function ownersCookie(app: unknown, account_id: number): Promise<string> {
  const from = (path: string) => import(join(tree, path))
  const [{ createOwner }, { logIn }, { draftOf }] = [
    await from('src/model/people/users.ts'),
    await from('src/model/people/logins.ts'),
    await from('src/fields/read.ts'),
  ]
  const [{ newUser }, { cookieNames }] = [await from('src/resources/user.ts'), await from('src/web/cookies.ts')]
  const owner = { login: 'owner-acme', email: 'owner@acme.example', password: 'correct horse', account_id }
  await createOwner({ kind: 'operator', app, requestId: 'house' }, draftOf(newUser, owner))
  const visitor = { app, requestId: 'house', network: '127.0.0.1', hostPartnerId: null }
  return `${cookieNames.session}=${(await logIn(visitor, { name: owner.login, password: owner.password, isRemembered: false })).token}`
}
