/** The log: one JSON object a line, only with fields that were put there on purpose. */

import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

export function openLog(level: string, destination?: DestinationStream): Log {
  const options = { level, base: null, timestamp: () => `,"time":"${new Date().toISOString()}"`, serializers: { err: plainError } }
  return destination === undefined ? pino(options) : pino(options, destination)
}

/** Database drivers hang values of the row onto their errors; type, message, code and stack are all that is told. */
function plainError(error: Error & { code?: unknown }): object {
  return { type: error.name, message: error.message, ...(typeof error.code === 'string' && { code: error.code }), stack: error.stack }
}
