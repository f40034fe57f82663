/** Hands the command line to the operator's door. */

import { runCommandLine } from './cli/command-line.ts'

process.exitCode = await runCommandLine(process.argv.slice(2), process.env)
