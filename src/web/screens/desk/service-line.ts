/** One line about the service itself, for the admins of an agency that has it to itself. */

import { type Html, html } from '../../../lib/html.ts'
import type { StaffCaller } from '../../../model/core/caller.ts'
import { readServiceState, type ServiceState } from '../../../model/dashboard/desk/service-state.ts'
import type { Words } from '../../components/number-format.ts'
import type { PersonPageRequest } from '../../page-request.ts'

export async function serviceLine({ words }: PersonPageRequest, staff: StaffCaller): Promise<Html | null> {
  const state = await readServiceState(staff)
  if (state === null) return null
  return html`<p class="quiet small no-print">${backupText(words, state)} ${mailText(words, state)} ${diskText(words, state)}</p>`
}

function backupText(words: Words, { backup: { isOwn, at } }: ServiceState): string {
  if (at !== null) return `Last backup: ${words.moment(at)}.`
  return isOwn ? 'No backup has been made yet.' : 'Backups are made by the tools of the database server.'
}

function mailText(words: Words, { mail: { isSet, sentAt, failing } }: ServiceState): string {
  if (!isSet) return 'No mail is sent from here.'
  if (failing > 0) return `Mail: ${words.count(failing, 'mail')} did not go out and will be tried again.`
  return sentAt === null ? 'Mail: nothing has been sent yet.' : `Mail works: the last one went on ${words.moment(sentAt)}.`
}

function diskText(words: Words, { disk }: ServiceState): string {
  if (disk === null) return ''
  const free = `${words.decimal(disk.freeBytes / 1024 ** 3)} GB of the disk are free`
  return disk.fullOn === null ? `${free}, enough for years.` : `${free}, enough until ${words.day(disk.fullOn)}.`
}
