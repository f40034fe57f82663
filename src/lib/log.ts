/** The log: one JSON object a line, only with fields that were put there on purpose. */

import { type Logger, pino } from 'pino'
import { type LineCounts, standardLogSink } from './log-sink.ts'

/** How many lines were written and dropped is told beside it. */
export type Log = Logger & { readonly lines: LineCounts }

export function openLog(level: string, sink = standardLogSink()): Log {
  const options = { level, base: null, timestamp: () => `,"time":"${new Date().toISOString()}"`, serializers: { err: plainError } }
  return Object.assign(pino(options, sink), { lines: sink.counts })
}

/** Database drivers hang values of the row onto their errors; type, message, code and stack are all that is told. */
function plainError(error: Error & { code?: unknown }): object {
  return { type: error.name, message: error.message, ...(typeof error.code === 'string' && { code: error.code }), stack: error.stack }
}
