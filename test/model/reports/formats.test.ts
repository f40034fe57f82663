/** Whatever people track and write, a strict parser reads the report back to the same values. */
import { describe, test } from 'node:test'
import { checkLegacyWorlds, checkWorlds } from '../../support/report-worlds.ts'

describe('a report of any world', () => {
  test('reads back from XML, and says the same in JSON', () => checkWorlds(2_000))

  test('with names as of old, parses once the names alone are rewritten', () => checkLegacyWorlds(500))
})
