/** The operator's command line: passes the table of commands to the parser. Exit codes: 0 done, 1 a failure, 2 wrong usage. */

import { CommanderError, Command as Parser } from 'commander'
import { type Environment, ownVersion, readSettings, SettingError, type Surroundings, unknownSetting, withSettingsFile } from '../config.ts'
import type { Channel } from '../lib/processes/channel.ts'
import { readerFor } from './arguments.ts'
import { type Command, type CommandInput, type Output, UsageError } from './command.ts'
import { commands, groups } from './commands.ts'
import { sentencesOf } from './error-messages.ts'
import { layOut } from './print.ts'

type Values = Readonly<Record<string, string | number | boolean | undefined>>

export async function runCommandLine(argv: readonly string[], env: Environment): Promise<number> {
  let exitCode = 0
  const parser = parserOf(async (command, words, values) => {
    const read = () => checked(command, surroundingsOf(command, env, values))
    const output = await command.act(givenBy((await surroundingsOfWorker()) ?? read(), read, words, values))
    print(output, values.json === true)
    exitCode = output.exitCode ?? 0
  })
  try {
    await parser.parseAsync(argv, { from: 'user' })
    return exitCode
  } catch (error) {
    // The parser has already printed its error or the help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    await tellWhoAsked(sentencesOf(error))
    return error instanceof UsageError ? 2 : 1
  }
}

type Run = (command: Command, words: readonly (string | number)[], values: Values) => Promise<void>

function parserOf(run: Run): Parser {
  const root = configured(new Parser('marquee'))
    .description('Partner provisioning and reporting, run by one command line.')
    .version(ownVersion())
  for (const [name, says] of Object.entries(groups)) {
    configured(root.command(name)).description(says).helpCommand(false)
  }
  for (const command of commands) add(root, command, run)
  return root
}

function configured(parser: Parser): Parser {
  return parser.exitOverride().showHelpAfterError('(add --help for how it is used)')
}

function add(root: Parser, command: Command, run: Run): void {
  const words = command.words.split(' ')
  const group = words.length === 1 ? root : (root.commands.find((candidate) => candidate.name() === words[0]) ?? root)
  const parser = configured(group.command(words.at(-1) ?? '')).description(`${command.says}.`)
  if (command.takes?.includes('...')) parser.argument(command.takes)
  else if (command.takes !== undefined) parser.argument(command.takes, '', readerFor(command.takes))
  for (const [flag, note] of Object.entries(command.options ?? {})) addOption(parser, flag, note)
  parser.option('--env-file <file>', 'read settings from this file (/etc/marquee/marquee.env)')
  parser.option('--json', command.printsLines ? 'as without: one JSON object a line' : 'print one JSON document')
  parser.addHelpText('after', `\nExample:\n  $ marquee ${command.words} ${command.example}`.trimEnd())
  parser.action(() => run(command, parser.processedArgs.flat() as (string | number)[], parser.opts()))
}

function addOption(parser: Parser, flag: string, note: string): void {
  const isMust = flag.endsWith('!')
  const flags = isMust ? flag.slice(0, -1) : flag
  if (isMust) parser.requiredOption(flags, note, readerFor(flags))
  else if (flags.includes('<')) parser.option(flags, note, readerFor(flags))
  else parser.option(flags, note)
}

/** A demo reads no settings file, so that it never finds the database of the real service. */
function surroundingsOf({ words }: Command, env: Environment, values: Values): Surroundings {
  const named = asText(values.envFile)
  if (words !== 'demo' && values.demo !== true) return withSettingsFile(env, named)
  if (named !== undefined) throw new UsageError('A demo reads no settings file: leave --env-file away.')
  return { env, fromFile: new Set(), file: null }
}

function checked({ needsKnownSettings }: Command, surroundings: Surroundings): Surroundings {
  const unknown = unknownSetting(surroundings)
  if (unknown !== null && needsKnownSettings) throw new SettingError(unknown)
  if (unknown !== null) console.error(`${unknown} It is left alone.`)
  return surroundings
}

/** A worker serves with the settings that its primary has read and checked; null for any other process. */
async function surroundingsOfWorker(): Promise<Surroundings | null> {
  const primary = await primaryOfWorker()
  return primary && { env: await primary.ask('environment'), fromFile: new Set(), file: null }
}

/** The primary says once what keeps its workers from starting. */
async function tellWhoAsked(sentences: readonly string[]): Promise<void> {
  const primary = await primaryOfWorker()
  if (primary !== null) primary.tell('fault', sentences.join(' '))
  else for (const sentence of sentences) console.error(sentence)
}

/** Only a forked process may be a worker, and loading the cluster takes a quarter of the time of a short command. */
async function primaryOfWorker(): Promise<Channel | null> {
  return process.channel === undefined ? null : (await import('../lib/processes/primary.ts')).primary
}

function givenBy(surroundings: Surroundings, read: () => Surroundings, words: readonly (string | number)[], values: Values): CommandInput {
  const value = (option: string) => values[option.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())]
  return {
    settings: readSettings(surroundings.env),
    surroundings,
    readAgain() {
      const again = read()
      return { settings: readSettings(again.env), surroundings: again }
    },
    wantsJson: values.json === true,
    id: Number(words[0]),
    word: String(words[0] ?? ''),
    words: words.map(String),
    text: (option) => asText(value(option)),
    number: (option) => asNumber(value(option)),
    has: (option) => value(option) !== undefined,
  }
}

function asText(value: string | number | boolean | undefined): string | undefined {
  return value === undefined || value === true ? undefined : String(value)
}

function asNumber(value: string | number | boolean | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined
}

function print({ document, columns, note }: Output, wantsJson: boolean): void {
  if (document !== undefined) console.log(wantsJson ? JSON.stringify(document) : layOut(document, columns))
  if (note !== undefined && !wantsJson) console.log(note)
}
