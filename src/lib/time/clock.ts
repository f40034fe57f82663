/** The clock. Times are ISO text in UTC with whole seconds: `2026-11-14T23:52:01Z`. */

export interface Clock {
  now(): string
}

let lastSecond = 0
let lastText = ''

/** Keeps the text of the current second, because a request asks for the time several times. */
export const systemClock: Clock = {
  now() {
    const second = Math.trunc(Date.now() / 1000)
    if (second !== lastSecond) {
      lastText = isoTime(second * 1000)
      lastSecond = second
    }
    return lastText
  },
}

export function isoTime(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`
}

export function secondsAfter(moment: string, seconds: number): string {
  return isoTime(Date.parse(moment) + seconds * 1000)
}
