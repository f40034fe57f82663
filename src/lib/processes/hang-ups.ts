/** SIGHUP asks a service for a reload and never ends it. One that comes early is answered once the service serves, one that comes during a reload after that. */

export interface HangUps {
  /** From now on every SIGHUP is answered by this work, which must not fail. */
  answer(work: () => Promise<void>): void
}

export function hearHangUps(): HangUps {
  let reload: (() => Promise<void>) | null = null
  let isAsked = false
  let isBusy = false
  const next = async () => {
    if (reload === null || isBusy) return
    isBusy = true
    while (isAsked) {
      isAsked = false
      await reload()
    }
    isBusy = false
  }
  process.on('SIGHUP', () => {
    isAsked = true
    void next()
  })
  return {
    answer(work) {
      reload = work
      void next()
    },
  }
}
