/** Rows of the catalogue that hold the main thread for longer than they should, and why: each goes from here once it is mended. */

export interface KnownTurn {
  /** What was measured in a tenth of the large world, in milliseconds of the processor. */
  readonly milliseconds: number
  readonly why: string
}

/** By the name of the row. */
export const knownTurns: Readonly<Record<string, KnownTurn>> = {}
