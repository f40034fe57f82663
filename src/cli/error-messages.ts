/** Turns failures into sentences for the operator. */

import { SettingError } from '../config.ts'
import { Failure } from '../lib/failures.ts'
import { fullSentence, humanName, problems } from '../resources/problem.ts'
import { outageReason } from '../store/store.ts'
import { UsageError } from './command.ts'

export function sentencesOf(error: unknown): string[] {
  if (error instanceof Failure) return asFailure(error).map((sentence) => withReason(sentence, outageReason(error)))
  if (error instanceof SettingError || error instanceof UsageError) return [error.message]
  return [systemSentence(error) ?? outageReason(error) ?? `Something went wrong: ${error instanceof Error ? error.message : String(error)}`]
}

function asFailure({ code, details }: Failure): string[] {
  if (details.faults !== undefined) return details.faults.map(fullSentence)
  return [details.noun === undefined ? (details.sentence ?? problems[code].sentence) : `${humanName(details.noun)} not found`]
}

function withReason(sentence: string, reason: string | undefined): string {
  return reason === undefined ? finished(sentence) : `${sentence}: ${reason}`
}

function finished(sentence: string): string {
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`
}

/** Errors of the operating system in words. */
function systemSentence(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  const { address, port, path, syscall } = error as { address?: string; port?: number; path?: string; syscall?: string }
  if (error.code === 'EADDRINUSE')
    return `Port ${port} on ${address} is in use: stop what listens there, or set PORT or MARQUEE_ADMIN_PORT.`
  if (error.code === 'EADDRNOTAVAIL') return `This machine has no address ${address}: set HOST to one it has.`
  if (error.code === 'EACCES' || error.code === 'EPERM') return `Not allowed to use ${path ?? `port ${port}`}: check its owner and mode.`
  if (error.code === 'EROFS')
    return `${path ?? 'The disk'} is mounted read-only: mount it for writing; the log of the system tells why it is not.`
  if (syscall === 'mkdir' && error.code === 'ENOENT') return `No folder can be made at ${path}.`
  if (error.code === 'ENOENT' && path !== undefined) return `There is no ${path}.`
  if (error.code === 'EISDIR') return 'A folder was named where a file is needed.'
  if (syscall === 'mkdir' && (error.code === 'ENOTDIR' || error.code === 'EEXIST'))
    return `${path} is no folder, and there is something else in its place.`
  return undefined
}
