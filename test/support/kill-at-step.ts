/** Loaded into a command before anything else: kills the process right before the step in its data folder that `KILL_AT` counts. */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const steps = ['openSync', 'copyFileSync', 'linkSync', 'renameSync', 'rmSync', 'chownSync', 'writeFileSync'] as const

const killAt = Number(process.env.KILL_AT)
const folder = process.env.DATA_DIR ?? ''
let taken = 0

for (const name of steps) {
  const step = fs[name] as (...args: unknown[]) => unknown
  Object.assign(fs, {
    [name]: (...args: unknown[]) => {
      const isOurs = args.some((arg) => typeof arg === 'string' && arg.startsWith(folder))
      if (isOurs && taken++ === killAt) process.kill(process.pid, 'SIGKILL')
      return step(...args)
    },
  })
}
syncBuiltinESMExports()
