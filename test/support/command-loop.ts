/** Runs one command line after the other in this process, as the test that forked it asks: each is parsed, run and printed as in a process of its own. */
import { Readable } from 'node:stream'
import { runCommandLine } from '../../src/cli/command-line.ts'

export interface AskedCommand {
  readonly words: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly stdin: string
}

process.on('message', async ({ words, env, stdin }: AskedCommand) => {
  const printed = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    process[name].write = (text: string | Uint8Array) => {
      printed[name] += String(text)
      return true
    }
  Object.defineProperty(process, 'stdin', { value: Readable.from([stdin]), configurable: true })
  const code = await runCommandLine(words, { ...process.env, ...env })
  process.send?.({ code, ...printed })
})
