/** One of the processes of `jobs.ts`: the service as it is, with a sweep every few seconds instead of every night; each sweep is written to a file. */
import { appendFileSync } from 'node:fs'
import { readSettings } from '../../../src/config.ts'
import { startJobs } from '../../../src/jobs/loop.ts'
import { openLog } from '../../../src/lib/log.ts'
import { sweep } from '../../../src/model/upkeep/retention.ts'
import { startService } from '../../../src/service.ts'

const settings = readSettings(process.env)
const log = openLog('error')
const service = await startService(settings, log)
const { app } = service
const write = (line: object) => appendFileSync(process.env.SWEEPS_FILE as string, `${JSON.stringify(line)}\n`)

const sweeps = startJobs(
  app,
  [
    {
      name: 'sweep',
      everySeconds: 1,
      restSeconds: Number(process.env.SWEEP_REST_SECONDS),
      isDue: async () => true,
      async run(signal) {
        const began = Date.now()
        write({ pid: process.pid, began })
        const { audit_entries: entries } = await sweep({ kind: 'operator', app, requestId: 'sweep' }, signal)
        write({ pid: process.pid, began, ended: Date.now(), entries })
      },
    },
  ],
  log,
)
console.log(`Marquee listens on ${service.url}`)
process.once('SIGTERM', () => void sweeps.stop().then(service.stop))
