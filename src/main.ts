/** Hands the command line to the operator's door. */

import { beginSteady } from './lib/steady-memory.ts'

const words = process.argv.slice(2)
if (words[0] === 'serve') beginSteady()
const { runCommandLine } = await import('./cli/command-line.ts')
process.exitCode = await runCommandLine(words, process.env)
