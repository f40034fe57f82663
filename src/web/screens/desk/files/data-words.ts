/** What a file holds and how far it has come, in words. */

import type { DataFile } from '../../../../model/dashboard/desk/data-files.ts'
import { toolNames } from '../../../../model/imports/csv/recognise.ts'
import type { IntakeCounts, IntakeState } from '../../../../resources/intake.ts'

export const kindNames: Readonly<Record<IntakeCounts['kind'], string>> = {
  site: 'sites',
  competitor: 'competitors',
  location: 'locations',
  keyword: 'keywords',
  snapshot: 'figures of a day',
  backlink: 'backlinks',
  ranking: 'positions',
  click_count: 'clicks',
  average_position: 'average positions',
  period: 'figures of a period',
  own_figure: 'figures of your own',
  page: 'pages',
  review: 'reviews',
  review_count: 'numbers of reviews',
}

export const stateNames: Readonly<Record<IntakeState, string>> = {
  waiting: 'waits for its turn',
  checking: 'is being checked',
  storing: 'is being stored',
  stored: 'is stored',
  checked: 'was checked only',
  refused: 'is not stored',
  parking: 'could not be stored, and is being laid aside',
  parked: 'could not be stored: it rests, and later files go on',
  cancelling: 'is being stopped',
  cancelled: 'was stopped',
  interrupted: 'was lost: send it again',
  undoing: 'is being undone',
  undone: 'is undone',
}

/** States that are still to change, shown again until they are over. */
export const goingStates: ReadonlySet<IntakeState> = new Set<IntakeState>([
  'waiting',
  'checking',
  'storing',
  'parking',
  'cancelling',
  'undoing',
])

/** `Positions and clicks from Google Search Console`. */
export function contentText({ kinds, recognised_as }: Pick<DataFile, 'kinds' | 'recognised_as'>): string {
  const named = kinds.map((kind) => kindNames[kind])
  const held = named.length > 1 ? `${named.slice(0, -1).join(', ')} and ${named.at(-1)}` : (named[0] ?? '')
  const tool = recognised_as === null ? '' : toolNames(recognised_as)
  const text = held !== '' && tool !== '' ? `${held} from ${tool}` : held || tool
  return text === '' ? 'not known yet' : text.charAt(0).toUpperCase() + text.slice(1)
}

export function fileTitle({ id, via, file_name }: Pick<DataFile, 'id' | 'via' | 'file_name'>): string {
  return file_name ?? (via === 'push' ? `What a program sent, no. ${id}` : `File no. ${id}`)
}
