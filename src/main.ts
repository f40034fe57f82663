/** Hands the command line to the operator's door. */

import { restartWithMmapThreshold } from './lib/steady-memory.ts'

const words = process.argv.slice(2)
if (words[0] === 'serve') restartWithMmapThreshold()
const { runCommandLine } = await import('./cli/command-line.ts')
process.exitCode = await runCommandLine(words, process.env)
