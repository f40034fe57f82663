/** `marquee settings`: shows each setting with its value and where the value came from. */

import { originOf, type Settings, settingTable } from '../../../config.ts'
import type { CommandInput, Output } from '../../command.ts'

export async function listSettings({ settings, surroundings }: CommandInput): Promise<Output> {
  const rows = Object.entries(settingTable).map(([key, setting]) => ({
    name: setting.name,
    value: shownValue(settings, key as keyof Settings),
    from: originOf(surroundings, setting),
  }))
  const { file } = surroundings
  return { document: { settings: rows }, note: file === null ? 'No settings file was read.' : `Read from ${file} and the environment.` }
}

/** Secrets are never shown, only that they are set. */
export function shownValue(settings: Settings, key: keyof Settings): string | null {
  const value = settings[key]
  if (value === undefined) return null
  return settingTable[key].secret ? '(hidden)' : String(value)
}
