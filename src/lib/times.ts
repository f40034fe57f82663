/** The written forms of a moment. Inside the house a moment is ISO text in UTC with whole seconds: `2026-11-14T23:52:01Z`. */

let zone = 'UTC'
let zoneParts: Intl.DateTimeFormat | null = null

/** The zone in which users' and businesses' times are written; set once, at start. */
export function writeTimesIn(timeZone: string): void {
  zone = timeZone
  zoneParts =
    zone === 'UTC' ? null : new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset', hourCycle: 'h23', ...partNames })
}

/** `2026-11-14T23:52:01+00:00`: the offset is always numeric. */
export function offsetTime(moment: string): string {
  return zoneParts === null ? `${moment.slice(0, 19)}+00:00` : inZone(zoneParts, moment)
}

/** `2026-11-14 23:52:01 UTC` */
export function utcTimestamp(moment: string): string {
  return `${moment.slice(0, 10)} ${moment.slice(11, 19)} UTC`
}

const partNames = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' } as const

function inZone(format: Intl.DateTimeFormat, moment: string): string {
  const parts = new Map(format.formatToParts(new Date(moment)).map(({ type, value }) => [type, value]))
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? ''
  const offset = part('timeZoneName').replace('GMT', '') || '+00:00'
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}:${part('second')}${offset}`
}
