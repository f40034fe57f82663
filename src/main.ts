/** Passes the arguments of the process to the command line. */

import { runCommandLine } from './cli/command-line.ts'

process.exitCode = await runCommandLine(process.argv.slice(2), process.env)
