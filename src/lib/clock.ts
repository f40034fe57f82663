/** The time, as the house writes it: ISO text in UTC with whole seconds, `2026-11-14T23:52:01Z`. */

export interface Clock {
  now(): string
}

export const systemClock: Clock = { now: () => isoTime(Date.now()) }

export function isoTime(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`
}

export function secondsAfter(moment: string, seconds: number): string {
  return isoTime(Date.parse(moment) + seconds * 1000)
}
