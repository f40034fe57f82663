/** Annotation: a note attached to a day in a site's charts. */

import { date, datetime, integer, type RecordOf, type RequestOf, string } from '../fields/shape.ts'
import { isDay } from '../lib/time/days.ts'

// biome-ignore format: a table reads by its columns
export const annotation = {
  id:         integer('assigned by the service'),
  site_id:    integer('the site whose charts show it'),
  day:        date('YYYY-MM-DD'),
  text:       string(),
  created_at: datetime('ISO 8601 with UTC offset'),
}

export type SiteAnnotation = RecordOf<typeof annotation>

// biome-ignore format: a table reads by its columns
export const newAnnotation = {
  site_id: integer('a site of one of your accounts', { required: true }),
  day:     string('YYYY-MM-DD', { required: true, trim: true, test: isDay }),
  text:    string('what happened', { required: true, trim: true, min: 1, max: 200 }),
}

export type WantedAnnotation = RequestOf<typeof newAnnotation>
