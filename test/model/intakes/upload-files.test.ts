/** Whether a large file waits decides how much memory the service gives up for it. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createUploadFile, isAnyLarge } from '../../../src/model/intakes/upload-files.ts'

test('a large file is seen among those that wait, and one that still arrives is not', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'marquee-uploads-'))
  try {
    const [small, large] = [await createUploadFile({ dataDir }), await createUploadFile({ dataDir })]
    await small.append(Buffer.alloc(1 << 20))
    await large.append(Buffer.alloc(9 << 20))
    assert.ok(!isAnyLarge({ dataDir }, [small.name]))
    assert.ok(isAnyLarge({ dataDir }, [small.name, large.name]))
    await large.discard()
    assert.ok(!isAnyLarge({ dataDir }, [small.name, large.name]))
  } finally {
    rmSync(dataDir, { recursive: true })
  }
})
