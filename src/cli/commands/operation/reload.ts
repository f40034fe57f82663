/** What SIGHUP does: the settings are read and checked, then given to those who serve; one line of the log tells what came of it. */

import { isDeepStrictEqual } from 'node:util'
import { type Environment, type Reload, type Settings, settingTable } from '../../../config.ts'
import { openLog } from '../../../lib/log.ts'
import { sentencesOf } from '../../error-messages.ts'

export interface Reloading {
  /** Throws a sentence where a setting cannot be used. */
  readonly read: () => { readonly settings: Settings; readonly env: Environment }
  /** The settings in use; a reload changes those that it reaches. */
  readonly used: Settings
  readonly reaches: readonly Reload[]
  /** Gives all of them to new workers. */
  readonly replace?: (env: Environment) => Promise<void>
}

export function reloadWith({ read, used, reaches, replace }: Reloading): () => Promise<void> {
  // At every LOG_LEVEL, because whoever reloads looks for the outcome.
  const log = openLog('info')
  return async () => {
    try {
      const { settings, env } = read()
      await replace?.(env)
      const changed = takeOver(used, settings, reaches)
      log.info(outcome(changed, replace !== undefined))
    } catch (error) {
      log.error(`The settings were not reloaded: ${sentencesOf(error).join(' ')}`)
    }
  }
}

interface Changed {
  readonly taken: readonly string[]
  readonly left: readonly string[]
}

function takeOver(used: Settings, fresh: Settings, reaches: readonly Reload[]): Changed {
  const keys = (Object.keys(settingTable) as (keyof Settings)[]).filter((key) => !isDeepStrictEqual(used[key], fresh[key]))
  const { taken = [], left = [] } = Object.groupBy(keys, (key) => (reaches.includes(settingTable[key].reload) ? 'taken' : 'left'))
  Object.assign(used, Object.fromEntries(taken.map((key) => [key, fresh[key]])))
  return { taken: taken.map(nameOf), left: left.map(nameOf) }
}

function nameOf(key: keyof Settings): string {
  return settingTable[key].name
}

function outcome({ taken, left }: Changed, hasWorkers: boolean): string {
  return [
    hasWorkers ? 'The settings were reloaded and all workers replaced.' : 'The settings were reloaded.',
    taken.length > 0 ? `Changed: ${taken.join(', ')}.` : '',
    left.length > 0 ? `Only a restart changes: ${left.join(', ')}.` : '',
    taken.length + left.length === 0 ? 'Nothing has changed.' : '',
  ]
    .filter(Boolean)
    .join(' ')
}
