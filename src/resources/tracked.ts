/** What is looked for on an engine may be told for one device and one location: how such a series is named, and which one stands for those without. */

export interface Tracked {
  readonly engine: string
  /** Empty where none is told. */
  readonly device: string
  readonly location: string
}

/** Written in lower case, however they come. */
export const knownDevices = ['desktop', 'mobile', 'tablet'] as const

export function deviceIn(text: string): string {
  return knownDevices.find((one) => one === text.trim().toLowerCase()) ?? text.trim()
}

/** The name of an engine, or of a series of it: `Google (mobile, Chicago)`, `Google (mobile)`, `Google (, Chicago)`. */
export function trackedName({ engine, device, location }: Tracked): string {
  if (location !== '') return `${engine} (${device}, ${location})`
  return device === '' ? engine : `${engine} (${device})`
}

/** The engine in the name of a series; undefined if no series of that device and location has the name. */
export function engineIn(name: string, device: string, location: string): string | undefined {
  const end = trackedName({ engine: '', device, location })
  return name.endsWith(end) && name.length > end.length ? name.slice(0, name.length - end.length) : undefined
}

/** Whether the record tells neither device nor location. */
export function isPlain({ device, location }: Omit<Tracked, 'engine'>): boolean {
  return device === '' && location === ''
}

/** Whether one is shown rather than the other where a single one is: the plain one, or the substitute of it. */
export function byPreference(one: Tracked, other: Tracked): number {
  return Number(isPlain(other)) - Number(isPlain(one)) || bySubstitution(one, other)
}

/** The series that stands for another where that has nothing comes first: desktop, then devices by name, then locations by name. */
export function bySubstitution(one: Tracked, other: Tracked): number {
  return (
    Number(other.device === 'desktop') - Number(one.device === 'desktop') ||
    Number(one.device === '') - Number(other.device === '') ||
    inOrder(one.device, other.device) ||
    inOrder(one.location, other.location)
  )
}

/** By code points, as both databases order names. */
function inOrder(one: string, other: string): number {
  return one === other ? 0 : Buffer.compare(Buffer.from(one), Buffer.from(other))
}
