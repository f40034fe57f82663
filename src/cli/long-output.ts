/** Output of any length, written at the pace of whoever reads it. */

import { once } from 'node:events'
import { sentencesOf } from './error-messages.ts'

export function openOutput(): (text: string) => Promise<void> {
  process.stdout.once('error', endOutput)
  return async (text) => {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain')
  }
}

/** Whoever closed the pipe after the beginning (`| head`) has what they wanted: that is no failure. */
function endOutput(error: NodeJS.ErrnoException): never {
  if (error.code === 'EPIPE') process.exit(0)
  for (const sentence of sentencesOf(error)) console.error(sentence)
  process.exit(1)
}
