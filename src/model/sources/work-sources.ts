/** Works through what is due of all sources, several sites at a time. */

import { workBudget } from '../../lib/work/budget.ts'
import type { App } from '../core/app.ts'
import { claimSite, findNewSites, restWithoutMaker } from './due-sites.ts'
import { runSite } from './run-site.ts'

/** Returns what failed for reasons of ours, when nothing is due any more. */
export async function workSources(app: App, signal: AbortSignal): Promise<unknown[]> {
  await restWithoutMaker(app)
  await findNewSites(app)
  const errors: unknown[] = []
  await Promise.all(Array.from({ length: workBudget.source.places }, () => workThrough(app, signal, errors)))
  return errors
}

async function workThrough(app: App, signal: AbortSignal, errors: unknown[]): Promise<void> {
  while (!signal.aborted) {
    const site = await claimSite(app)
    if (site === undefined) return
    await runSite(app, site, signal).catch((error: unknown) => void errors.push(error))
  }
}
