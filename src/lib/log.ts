/** Opens the log: one JSON object per line, with only those fields that the code names explicitly. */

import { type Logger, pino } from 'pino'
import { type LineCounts, standardLogSink } from './log-sink.ts'

/** A logger that also counts the lines written and dropped. */
export type Log = Logger & { readonly lines: LineCounts }

export function openLog(level: string, sink = standardLogSink()): Log {
  const options = { level, base: null, timestamp: () => `,"time":"${new Date().toISOString()}"`, serializers: { err: plainError } }
  return Object.assign(pino(options, sink), { lines: sink.counts })
}

/** Database drivers attach row values to their errors, so only type, message, code and stack are logged. */
function plainError(error: Error & { code?: unknown }): object {
  return { type: error.name, message: error.message, ...(typeof error.code === 'string' && { code: error.code }), stack: error.stack }
}
