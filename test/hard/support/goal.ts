/** What a hard goal is: a figure, a way to measure it, and the mutants that must turn it red. */

export interface Result {
  /** What was measured, by name. */
  readonly figures: Readonly<Record<string, number | string | boolean>>
  /** What was promised and did not hold, as sentences. */
  readonly faults: readonly string[]
}

/** A change to the source under which the goal must fail; it is made in a copy, so that it cannot reach anyone. */
export interface Mutant {
  readonly says: string
  readonly file: string
  readonly from: string
  readonly to: string
}

export interface Goal<S> {
  readonly id: string
  readonly says: string
  /** How much is tried inside `npm test`, in `npm run hard`, and against a mutant. */
  readonly short: S
  readonly long: S
  readonly forMutants: S
  /** Times are only worth something on a quiet machine. */
  readonly isTimed?: true
  /** `tree` is the folder of the source that is tried. */
  run(tree: string, size: S): Promise<Result>
  readonly mutants: readonly Mutant[]
}
