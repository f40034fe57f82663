/** Long texts in slices: the same bytes as at once, and others get their turn meanwhile. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { encodeInSlices } from '../../../src/lib/work/sliced-texts.ts'
import { letsOthersWork } from '../../support/turns.ts'

describe('a long text in slices', () => {
  test('has the same bytes as at once, wherever it is cut', async () => {
    // Characters of one and of two units: some of these texts would be cut in the middle of one.
    for (const before of ['', 'a', 'aé', '中文a']) {
      for (const length of [0, 1, 32_767, 32_768, 100_000]) {
        const text = before + '😀'.repeat(length)
        assert.ok((await encodeInSlices(text)).equals(Buffer.from(text)), `${before} and ${length} more`)
      }
    }
    assert.equal(String(await encodeInSlices(`${'a'.repeat(65_535)}\ud83d`)), `${'a'.repeat(65_535)}\ufffd`)
  })

  test('lets others have a turn while it is encoded', async () => {
    await letsOthersWork(() => encodeInSlices('é'.repeat(20_000_000)))
  })
})
