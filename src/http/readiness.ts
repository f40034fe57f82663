/** Whether the service can do its work; the database is asked at most once a second. */

export interface Readiness {
  /** Rejects with the reason why the service is not ready. */
  readonly isReady: () => Promise<void>
  /** Makes the service not ready from now on, for this reason. */
  end(reason: string): void
}

const freshMilliseconds = 1_000

export function openReadiness(check: () => Promise<void>): Readiness {
  let ended: string | null = null
  let checked: { readonly at: number; readonly result: Promise<void> } | null = null
  const isReady = async () => {
    if (ended !== null) throw new Error(ended)
    if (checked === null || performance.now() - checked.at > freshMilliseconds) checked = { at: performance.now(), result: check() }
    await checked.result
  }
  return {
    isReady,
    end: (reason) => {
      ended ??= reason
    },
  }
}
