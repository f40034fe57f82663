/** A period in equal parts, for a sparkline: the value of each part, and whether a part without a measurement is a gap. */

/** The value of a part in which no measurement was due, such as the days between two weekly ones. A line passes through it. */
export const notDue = -1

const slotCount = 24

interface SlotsOf {
  /** The indexes of the first day and of the day after the last. */
  readonly start: number
  readonly end: number
  /** The value of some days: 0 if nothing was found, null if nothing was measured. */
  readonly valueIn: (from: number, to: number) => number | null
  readonly isMeasured: (day: number) => boolean
}

export function slotsOf({ start, end, valueIn, isMeasured }: SlotsOf): (number | null)[] {
  const count = Math.min(slotCount, end - start)
  const startOf = (slot: number) => start + Math.ceil((slot * (end - start)) / count)
  const slots = Array.from({ length: count }, (_, slot) => valueIn(startOf(slot), startOf(slot + 1)))
  return slots.includes(null) ? withoutFalseGaps(slots, startOf, measuredDays(start, end, isMeasured)) : slots
}

function measuredDays(start: number, end: number, isMeasured: (day: number) => boolean): number[] {
  const days: number[] = []
  for (let day = start; day < end; day++) if (isMeasured(day)) days.push(day)
  return days
}

/** A part is a gap only if its neighbouring measurements are further apart than usual. */
function withoutFalseGaps(slots: readonly (number | null)[], startOf: (slot: number) => number, days: readonly number[]) {
  const reach = usualInterval(days) * 1.5
  const isGap = (slot: number) => {
    const before = days.findLast((day) => day < startOf(slot))
    const after = days.find((day) => day >= startOf(slot + 1))
    return before === undefined || after === undefined || after - before > reach
  }
  return slots.map((value, slot) => (value !== null || isGap(slot) ? value : notDue))
}

/** The median interval between days. */
export function usualInterval(days: readonly number[]): number {
  const steps = Float64Array.from(
    { length: Math.max(0, days.length - 1) },
    (_, index) => (days[index + 1] as number) - (days[index] as number),
  )
  return steps.sort()[Math.floor((steps.length - 1) / 2)] ?? 1
}
