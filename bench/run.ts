/** What `npm run bench` runs: every comparison, one table of results with date and versions. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { closedMonths } from './closed-months.ts'
import { coldReports } from './cold-reports.ts'
import { durableWrites } from './durable-writes.ts'
import { events } from './events.ts'
import { growth } from './growth.ts'
import { journal } from './journal.ts'
import { longLists } from './long-lists.ts'
import type { Line } from './measure.ts'
import { rates } from './rates.ts'
import { requestLog } from './request-log.ts'
import { serialization } from './serialization.ts'
import { workers } from './workers.ts'

const benches = { serialization, coldReports, rates, durableWrites, workers, growth, closedMonths, longLists, requestLog, events, journal }

const wanted = process.argv.slice(2)
const lines: Line[] = []
for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  console.error(`${name} ...`)
  lines.push(...(await bench()))
}
const table = markdown(lines)
console.log(table)
if (wanted.length === 0) writeFileSync(join(import.meta.dirname, 'RESULTS.md'), `# Results\n\n${about()}\n\n${table}\n`)

function about(): string {
  const load = readLoad()
  return [
    `Measured on ${new Date().toISOString().slice(0, 10)} with Node ${process.versions.node} on ${cpus().length} cores (${process.arch}), load average ${load} at the end.`,
    'Report: 10 sites with 3 competitors each, 36,000 rankings, 2,500 backlinks. Medians; contenders take turns.',
  ].join('\n')
}

function readLoad(): string {
  return execFileSync('cat', ['/proc/loadavg'], { encoding: 'utf8' }).split(' ')[0] ?? ''
}

function markdown(rows: readonly Line[]): string {
  const cells = rows.map(({ work, ours, against, theirs, ratio, goal }) => `| ${[work, ours, against, theirs, ratio, goal].join(' | ')} |`)
  return ['| Work | Ours | Against | Theirs | Ratio | Goal |', '|---|---|---|---|---|---|', ...cells].join('\n')
}
