/** Limits: the tests of small limits fail when the limit is taken away. They run in `npm test` by themselves; here they are run against mutants. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Goal, Mutant } from './support/goal.ts'
import { ownTree } from './support/tree.ts'

interface Size {
  readonly files: readonly string[]
}

/** What a limit would be without, and the test that must fail then. */
const withoutLimit: readonly (Mutant & { readonly test: string })[] = [
  {
    says: 'pages pass no gate',
    file: 'src/web/dispatch.ts',
    from: "return method === 'GET' && !isStatic ? 'page' : null",
    to: "return method === 'NONE' && !isStatic ? 'page' : null",
    test: 'test/web/page-limits.test.ts',
  },
  {
    says: 'credentials may be given twice',
    file: 'src/http/connection-guard.ts',
    from: 'if (credentials.length > 1)',
    to: 'if (credentials.length > 100)',
    test: 'test/http/connection-guard.test.ts',
  },
  {
    says: 'slow readers may fill the disk',
    file: 'src/lib/streams/chunk-spool.ts',
    from: 'spooledBytes + bytes.length > this.#most',
    to: 'spooledBytes + bytes.length > Number.POSITIVE_INFINITY',
    test: 'test/lib/streams/chunk-spool.test.ts',
  },
  {
    says: 'the dashboard writes cells as they are',
    file: 'src/fields/to-csv.ts',
    from: 'guardedStart.test(text) ?',
    to: 'false ?',
    test: 'test/web/csv-guard.test.ts',
  },
  {
    says: 'a push outlasts its connection',
    file: 'src/lib/work/budget.ts',
    from: 'megabytes: 8,    deadline: 60,',
    to: 'megabytes: 8,    deadline: 600,',
    test: 'test/lib/work/budget.test.ts',
  },
  {
    says: 'one partner may hold all places for bodies that arrive',
    file: 'src/lib/work/budget.ts',
    from: 'patience: 0,  share: 8,  person: 8,',
    to: 'patience: 0,  share: 32, person: 32,',
    test: 'test/api/push-limits.test.ts',
  },
  {
    says: 'a full temporary folder is taken for a fault of the service',
    file: 'src/lib/streams/nameless-file.ts',
    from: 'const isNoRoom = noRoomCodes.has(',
    to: 'const isNoRoom = new Set<string>().has(',
    test: 'test/api/push-limits.test.ts',
  },
  {
    says: 'the admin port answers to any name',
    file: 'src/http/admin.ts',
    from: "if (!isOwnName(headers.host ?? '', host))",
    to: "if (headers.host === 'never')",
    test: 'test/http/admin.test.ts',
  },
  {
    says: 'health is not told to HEAD',
    file: 'src/http/health.ts',
    from: "(method === 'GET' || method === 'HEAD')",
    to: "method === 'GET'",
    test: 'test/http/connection-guard.test.ts',
  },
  {
    says: 'Node answers 417 by itself',
    file: 'src/http/server.ts',
    from: "server.on('checkExpectation',",
    to: "server.on('never',",
    test: 'test/http/connection-guard.test.ts',
  },
  {
    says: 'anybody asks for links as often as they like',
    file: 'src/web/link-requests.ts',
    from: 'if (!isAdmitted || !(await admitLinkRequest(request.visitor, short)))',
    to: 'if (isAdmitted === undefined)',
    test: 'test/web/forgot.test.ts',
  },
  {
    says: 'a restore gives the name of the database up for a moment',
    file: 'src/store/file-backup.ts',
    from: '    renameSync(draft, file)\n    sync(dataDir)',
    to: '    rmSync(file, { force: true })\n    renameSync(draft, file)\n    sync(dataDir)',
    test: 'test/model/upkeep/backups.test.ts',
  },
  {
    says: 'the room for engines is found out after rows were written',
    file: 'src/model/imports/store/code-sources.ts',
    from: 'if (known.last + added.length > maxSources)',
    to: 'if (known.last > maxSources)',
    test: 'test/model/imports/keys.test.ts',
  },
]

const files = [...new Set(withoutLimit.map(({ test }) => test))]

export const limits: Goal<Size> = {
  id: 'limits',
  says: 'places for pages and bodies, one Authorization, room for slow readers and in the temporary folder, the guard of CSV cells, the names of the admin port, links for the forgetful, restores and the budget hold, as their tests say',
  short: { files },
  long: { files },
  forMutants: { files },
  async run(tree, size) {
    const child = spawn(process.execPath, ['test/run.ts', ...(tree === ownTree ? size.files : testsFor(tree))], {
      cwd: tree,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [printed] = await Promise.all([text(child.stdout), once(child, 'close')])
    const figure = (name: string) => Number(new RegExp(`^ℹ ${name} (\\d+)`, 'm').exec(printed)?.[1] ?? 0)
    const failed = [...printed.matchAll(/^\s*✖ (.+?) \([\d.]+ms\)$/gm)].map(([, name = '']) => name)
    const none = figure('tests') === 0 ? [`no test was run: ${printed.slice(-500)}`] : []
    return { figures: { tests: figure('tests'), passed: figure('pass') }, faults: [...none, ...new Set(failed)] }
  },
  mutants: withoutLimit,
}

/** The test of the limit that is missing in the tree; none would mean every test there is. */
function testsFor(tree: string): string[] {
  copyTests(tree)
  const text = (root: string, file: string) => readFileSync(join(root, file), 'utf8')
  const isMissing = ({ file, from, to }: Mutant) => text(tree, file) === text(ownTree, file).replace(from, () => to)
  const tests = withoutLimit.filter(isMissing).map(({ test }) => test)
  if (tests.length === 0) throw new Error('No limit is missing in the tree.')
  return tests
}

/** Tests find the source beside themselves. */
function copyTests(tree: string): void {
  for (const part of ['test', 'tsconfig.json', 'docs', 'bench', 'scripts'])
    if (existsSync(join(ownTree, part))) cpSync(join(ownTree, part), join(tree, part), { recursive: true })
}
