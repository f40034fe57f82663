/** The regions whose way of writing dates and numbers can be chosen, each with today as it is written there. */

import { regions } from '../../resources/user.ts'
import type { PageRequest } from '../page-request.ts'
import { wordsFor } from './number-format.ts'

const names = new Intl.DisplayNames('en', { type: 'region' })

/** As the options of a field; the first is none of them. */
export function regionChoices({ app }: Pick<PageRequest, 'app'>, none: string): (readonly [string, string])[] {
  const today = app.clock.now().slice(0, 10)
  const example = (region: string) => wordsFor(undefined, 'UTC', { region, timeZone: null }).day(today)
  return [['', none], ...regions.map((region) => [region, `${names.of(region)}: ${example(region)}`] as const)]
}
