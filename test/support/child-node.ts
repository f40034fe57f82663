/** How tests start Node processes of their own: as fast as the launcher starts them, and with nothing of the tests' own environment. */
import { join } from 'node:path'

/** The option with which the launcher starts the service, for what is started without the launcher. */
export const relativeImports = ['--import', join(import.meta.dirname, '../../bin/relative-imports.js')]

/** Where programs are found, and where compiled code is kept. */
export function bareEnvironment(): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env
  return { PATH, ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }) }
}
