/** Whether a large file waits decides how much memory the service gives up for it. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createUploadFile, holdsLargeUpload } from '../../../src/model/intakes/upload-files.ts'

test('a large upload is seen while its file is there, small ones never', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'marquee-uploads-'))
  try {
    assert.ok(!holdsLargeUpload({ dataDir }))
    const small = await createUploadFile({ dataDir })
    await small.append(Buffer.alloc(1 << 20))
    await small.finish()
    assert.ok(!holdsLargeUpload({ dataDir }))
    const large = await createUploadFile({ dataDir })
    await large.append(Buffer.alloc(9 << 20))
    assert.ok(holdsLargeUpload({ dataDir }))
    await large.discard()
    assert.ok(!holdsLargeUpload({ dataDir }))
  } finally {
    rmSync(dataDir, { recursive: true })
  }
})
