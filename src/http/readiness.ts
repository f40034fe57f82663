/** Whether the service can do its work; the database is asked at most once a second. */

export type ReadyNote = string | null

export interface Readiness {
  /** Rejects with the reason why the service is not ready; may resolve with a note on what is wrong although it is. */
  readonly isReady: () => Promise<ReadyNote>
  /** Makes the service not ready from now on, for this reason. */
  end(reason: string): void
}

const freshMilliseconds = 1_000

export function openReadiness(check: () => Promise<ReadyNote>): Readiness {
  let ended: string | null = null
  let checked: { readonly at: number; readonly result: Promise<ReadyNote> } | null = null
  const isReady = async () => {
    if (ended !== null) throw new Error(ended)
    if (checked === null || performance.now() - checked.at > freshMilliseconds) checked = { at: performance.now(), result: check() }
    return checked.result
  }
  return {
    isReady,
    end: (reason) => {
      ended ??= reason
    },
  }
}
