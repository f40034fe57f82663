/** Every process polls for a new server secret; a rotation announces one before it is used. */

import type { Log } from '../lib/log.ts'
import type { App } from '../model/core/app.ts'

/** Less than a third of the time between the announcement of a secret and its first use. */
const everySeconds = 5

export function watchSecrets(app: App, log: Log): { stop(): void } {
  let isFailing = false
  const look = async () => {
    const before = app.secrets.current
    try {
      await app.secrets.refresh()
      isFailing = false
    } catch (error) {
      // Logged once; readiness reports it as long as it lasts.
      if (!isFailing) log.error({ reason: error instanceof Error ? error.message : String(error) }, 'the server secrets cannot be read')
      isFailing = true
    }
    if (app.secrets.current !== before && app.secrets.current.id !== before.id)
      log.info({ secret: app.secrets.current.id }, 'another server secret is current')
  }
  const timer = setInterval(() => void look(), everySeconds * 1000)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
