/** `marquee distribute` says what is missing where there is no cluster; `npm run hard:citus` tries it on one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marquee } from '../support/command.ts'
import { onEachEngine } from '../support/engines.ts'

onEachEngine('distribute', (place) => {
  test('is refused without a cluster, with what to do', async () => {
    const { code, stderr } = await marquee(place, 'distribute')
    assert.equal(code, 1)
    assert.match(
      stderr,
      place.engine === 'sqlite' ? /move it to a server with marquee move first/ : /has no extension citus: run `create extension citus`/,
    )
  })
})
