/** Limits: the tests of small limits fail when the limit is taken away. They run in `npm test` by themselves; here they are run against mutants. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Goal } from './support/goal.ts'
import { ownTree } from './support/tree.ts'

interface Size {
  readonly files: readonly string[]
}

const files = [
  'test/http/connection-guard.test.ts',
  'test/lib/streams/chunk-spool.test.ts',
  'test/lib/work/budget.test.ts',
  'test/web/csv-guard.test.ts',
  'test/web/page-limits.test.ts',
]

export const limits: Goal<Size> = {
  id: 'limits',
  says: 'places for pages, one Authorization, room for slow readers, the guard of CSV cells and the budget hold, as their tests say',
  short: { files },
  long: { files },
  forMutants: { files },
  async run(tree, size) {
    if (tree !== ownTree) copyTests(tree)
    const child = spawn(process.execPath, ['test/run.ts', ...size.files], { cwd: tree, stdio: ['ignore', 'pipe', 'inherit'] })
    const [printed] = await Promise.all([text(child.stdout), once(child, 'close')])
    const figure = (name: string) => Number(new RegExp(`^ℹ ${name} (\\d+)`, 'm').exec(printed)?.[1] ?? 0)
    const failed = [...printed.matchAll(/^\s*✖ (.+?) \([\d.]+ms\)$/gm)].map(([, name = '']) => name)
    const none = figure('tests') === 0 ? [`no test was run: ${printed.slice(-500)}`] : []
    return { figures: { tests: figure('tests'), passed: figure('pass') }, faults: [...none, ...new Set(failed)] }
  },
  mutants: [
    {
      says: 'pages pass no gate',
      file: 'src/web/dispatch.ts',
      from: "return method === 'GET' && !isStatic ? 'page' : null",
      to: "return method === 'NONE' && !isStatic ? 'page' : null",
    },
    {
      says: 'credentials may be given twice',
      file: 'src/http/connection-guard.ts',
      from: 'if (credentials.length > 1)',
      to: 'if (credentials.length > 100)',
    },
    {
      says: 'slow readers may fill the disk',
      file: 'src/lib/streams/chunk-spool.ts',
      from: 'spooledBytes + bytes.length > this.#most',
      to: 'spooledBytes + bytes.length > Number.POSITIVE_INFINITY',
    },
    {
      says: 'the dashboard writes cells as they are',
      file: 'src/fields/to-csv.ts',
      from: 'guardedStart.test(text) ?',
      to: 'false ?',
    },
    {
      says: 'a push outlasts its connection',
      file: 'src/lib/work/budget.ts',
      from: 'megabytes: 8,    deadline: 60,',
      to: 'megabytes: 8,    deadline: 600,',
    },
  ],
}

/** Tests find the source beside themselves. */
function copyTests(tree: string): void {
  for (const part of ['test', 'tsconfig.json', 'docs', 'bench', 'scripts'])
    if (existsSync(join(ownTree, part))) cpSync(join(ownTree, part), join(tree, part), { recursive: true })
}
