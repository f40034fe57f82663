/** What a command is: one row of the table in commands.ts. */

import { randomUUID } from 'node:crypto'
import type { Settings, Surroundings } from '../config.ts'
import { writeTimesIn } from '../lib/time/moments.ts'
import { type App, openApp } from '../model/core/app.ts'
import type { OperatorCaller } from '../model/core/caller.ts'
import { runAsOwner } from './owner.ts'

export interface Command {
  /** `partner create` */
  readonly words: string
  /** What it takes without a flag: `<id>`, `<key>`, or any number of `[file...]`. */
  readonly takes?: string
  /** Flags to notes; a `!` at the end of a flag makes it a must: `--name <text>!`. */
  readonly options?: Readonly<Record<string, string>>
  readonly says: string
  /** It prints lines of JSON, however many, with `--json` and without. */
  readonly printsLines?: true
  /** What stands behind the words in the example of its help. */
  readonly example: string
  readonly act: (given: Given) => Promise<Output>
}

/** What was given on the command line, already read. */
export interface Given {
  readonly settings: Settings
  readonly surroundings: Surroundings
  readonly wantsJson: boolean
  /** The number that stands without a flag. */
  readonly id: number
  /** The word that stands without a flag. */
  readonly word: string
  /** All of them, where it takes several. */
  readonly words: readonly string[]
  text(option: string): string | undefined
  number(option: string): number | undefined
  has(option: string): boolean
}

export interface Output {
  /** Printed as it is with `--json`, laid out as lines or columns without. */
  readonly document?: object
  /** Columns that are worth the width of a terminal. */
  readonly columns?: readonly string[]
  /** A sentence for people, after the rest. */
  readonly note?: string
  readonly exitCode?: 0 | 1
}

/** A command that was called in a way it cannot be meant; the message is a sentence. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export type OperatorInput = Given & { readonly caller: OperatorCaller }

/** Opens the app for one command and closes it after, whatever happens. */
export function asOperator(verb: (input: OperatorInput) => Promise<Output>): Command['act'] {
  return async (given) => {
    writeTimesIn(given.settings.timeZone)
    runAsOwner(given.settings)
    const app = await openApp(given.settings)
    try {
      return await verb({ ...given, caller: operatorOn(app) })
    } finally {
      await app.close()
    }
  }
}

export function operatorOn(app: App): OperatorCaller {
  return { kind: 'operator', app, requestId: randomUUID() }
}
