/** Passes the arguments of the process to the command line. */

import { runCommandLine } from './cli/command-line.ts'
import { forgiveClosedPipes } from './cli/print.ts'

forgiveClosedPipes()
process.exitCode = await runCommandLine(process.argv.slice(2), process.env)
// The channel to its primary would keep a worker alive that could not start.
process.channel?.unref()
