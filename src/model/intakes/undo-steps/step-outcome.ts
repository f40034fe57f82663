/** What became of a step that was undone. */

import type { LeftAlone } from '../../../resources/intake.ts'

export interface StepOutcome {
  readonly undone: number
  readonly left: readonly LeftAlone[]
  /** Whether these are parts of records that are already counted. */
  readonly isPart?: boolean
}
