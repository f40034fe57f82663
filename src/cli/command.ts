/** What a command is: one row of the table in commands.ts. */

import { randomUUID } from 'node:crypto'
import type { Settings, Surroundings } from '../config.ts'
import { writeTimesIn } from '../lib/time/moments.ts'
import { type App, openApp } from '../model/core/app.ts'
import type { OperatorCaller } from '../model/core/caller.ts'
import { partnerCalled } from '../model/partners/partners.ts'
import { runAsOwner } from './owner.ts'

export interface Command {
  /** The words of the command, such as `partner create`. */
  readonly words: string
  /** The arguments without an option: `<id>`, `<key>`, or any number of `[file...]`. */
  readonly takes?: string
  /** Maps options to their descriptions; a `!` at the end makes an option mandatory: `--name <text>!`. */
  readonly options?: Readonly<Record<string, string>>
  readonly says: string
  /** Whether it refuses an unknown setting; other commands only warn of it. */
  readonly needsKnownSettings?: true
  /** Whether it prints JSON lines, with or without `--json`. */
  readonly printsLines?: true
  /** The arguments in the example of its help. */
  readonly example: string
  readonly act: (given: CommandInput) => Promise<Output>
}

/** The parsed command line. */
export interface CommandInput {
  readonly settings: Settings
  readonly surroundings: Surroundings
  /** Reads the settings again, from the environment and the settings file. */
  readAgain(): Pick<CommandInput, 'settings' | 'surroundings'>
  readonly wantsJson: boolean
  /** The numeric argument. */
  readonly id: number
  /** The text argument. */
  readonly word: string
  /** All arguments, if it takes several. */
  readonly words: readonly string[]
  text(option: string): string | undefined
  number(option: string): number | undefined
  has(option: string): boolean
}

export interface Output {
  /** Printed as JSON with `--json`, otherwise as lines or columns. */
  readonly document?: object
  /** The columns that are shown on a terminal. */
  readonly columns?: readonly string[]
  /** A sentence for people, printed last. */
  readonly note?: string
  readonly exitCode?: 0 | 1
}

/** The command was used wrongly; the message is a sentence. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export type OperatorInput = CommandInput & { readonly caller: OperatorCaller }

/** A file of commands, loaded when one of them is used, so that no command waits for the files of the others. */
type CommandFile<Verb extends string, Input> = () => Promise<Readonly<Record<Verb, (input: Input) => Promise<Output>>>>

export function fromFile<Verb extends string>(load: CommandFile<NoInfer<Verb>, CommandInput>, verb: Verb): Command['act'] {
  return async (given) => (await load())[verb](given)
}

export function asOperator<Verb extends string>(load: CommandFile<NoInfer<Verb>, OperatorInput>, verb: Verb): Command['act'] {
  return async (given) => withApp(given, (await load())[verb])
}

/** Opens the app for one command, and closes it in any case. */
export async function withApp(given: CommandInput, verb: (input: OperatorInput) => Promise<Output>): Promise<Output> {
  writeTimesIn(given.settings.timeZone)
  runAsOwner(given.settings)
  const app = await openApp(given.settings)
  try {
    return await verb(await withPartner({ ...given, caller: operatorOn(app) }))
  } finally {
    await app.close()
  }
}

/** A partner that is called by its name counts as called by its id. */
async function withPartner(input: OperatorInput): Promise<OperatorInput> {
  const name = input.number('partner') === undefined ? input.text('partner') : undefined
  if (name === undefined) return input
  const id = await partnerCalled(input.caller, name)
  return { ...input, number: (option) => (option === 'partner' ? id : input.number(option)) }
}

export function operatorOn(app: App): OperatorCaller {
  return { kind: 'operator', app, requestId: randomUUID() }
}
