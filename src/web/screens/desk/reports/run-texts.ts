/** What is said of a report that waits: its period, what is wrong with it, and what became of it. */

import type { UnsentRun } from '../../../../model/dashboard/desk/mailings.ts'
import type { RunReason } from '../../../../model/mail/run-reasons.ts'
import type { Release } from '../../../../resources/schedule.ts'
import { domainName } from '../../../components/names.ts'
import type { Words } from '../../../components/number-format.ts'

export const releaseChoices: Readonly<Record<Release, string>> = {
  unless_wrong: 'Hold it where something is wrong',
  automatic: 'It goes by itself',
  by_hand: 'Hold every one until somebody sends it',
}

/** A month by its name, a week by its days. */
export function periodName(
  words: Words,
  { rhythm, period_from, period_to }: Pick<UnsentRun, 'rhythm' | 'period_from' | 'period_to'>,
): string {
  return rhythm === 'monthly' ? words.month(period_from) : words.span(period_from, period_to)
}

export function unsentText(words: Words, run: UnsentRun): string {
  return `${periodName(words, run)}: ${stateTexts[run.state]}${run.reasons.length === 0 ? '' : `, ${reasonsText(words, run.reasons)}`}`
}

export const stateTexts: Readonly<Record<UnsentRun['state'], string>> = {
  ahead: 'not due yet',
  held: 'held, not sent',
  released: 'sent',
  skipped: 'skipped, not sent',
  missed: 'not sent: nobody let it go',
}

export function reasonsText(words: Words, reasons: readonly RunReason[]): string {
  return reasons.map((reason) => wrongText(words, reason)).join('; ')
}

function wrongText(words: Words, reason: RunReason): string {
  switch (reason.kind) {
    case 'never':
      return 'nothing has been measured yet'
    case 'stale':
      return reason.sites === 1
        ? `nothing measured since ${words.shortDay(reason.since)} at ${domainName(reason.site)}`
        : `${reason.sites} sites not measured lately, one since ${words.shortDay(reason.since)}`
    case 'file':
      return fileText(words, reason)
  }
}

function fileText(words: Words, { files, name, on, isRefused }: Extract<RunReason, { kind: 'file' }>): string {
  const what = name === null ? 'a file' : `the file ${name}`
  const said = `${what} of ${words.shortDay(on)} ${isRefused ? 'could not be stored' : 'has lines that were left out'}`
  return files === 1 ? said : `${said}, and ${words.count(files - 1, 'more file')} with faults`
}
